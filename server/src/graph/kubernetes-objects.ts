// The parts of Kubernetes objects that the shipped formulas read. Nothing else of them is typed here.

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly resourceVersion?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly ObjectOwnerReference[];
}

export interface ObjectOwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly controller?: boolean;
}

export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMetadata;
}

export interface ObjectCondition {
  readonly type: string;
  readonly status: string;
}

export interface PodObject extends KubernetesObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly {
      readonly name: string;
      readonly ports?: readonly {readonly name?: string; readonly containerPort: number}[];
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly ObjectCondition[];
  };
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

export interface ServiceObject extends KubernetesObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
  };
}

export interface EndpointSliceObject extends KubernetesObject {
  readonly addressType?: string;
  readonly endpoints?: readonly {
    readonly addresses?: readonly string[];
    readonly conditions?: {readonly ready?: boolean | null};
    readonly nodeName?: string;
    readonly targetRef?: {readonly kind?: string; readonly name?: string; readonly namespace?: string};
  }[];
  readonly ports?: readonly {
    readonly name?: string | null;
    readonly port?: number | null;
    readonly protocol?: string | null;
  }[];
}

export interface NodeObject extends KubernetesObject {
  readonly status?: {readonly conditions?: readonly ObjectCondition[]};
}

export interface DeploymentObject extends KubernetesObject {
  readonly spec?: {readonly replicas?: number};
  readonly status?: {readonly availableReplicas?: number};
}

export interface NetworkPolicyObject extends KubernetesObject {
  readonly spec?: {
    readonly podSelector?: ObjectLabelSelector;
    readonly policyTypes?: readonly string[];
  };
}

export interface ObjectLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** `namespace/name`, or the name of an object without a namespace. */
export function keyOf(object: KubernetesObject): string {
  const {namespace, name} = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A Pod or a Node with a true Ready condition; a Pod that is being deleted is not ready. */
export function isReady(object: PodObject | NodeObject): boolean {
  if (object.metadata.deletionTimestamp !== undefined) return false;
  // A Service with a hundred Pods asks for each of them after every change: a callback takes twice as long.
  for (const {type, status} of object.status?.conditions ?? [])
    if (type === 'Ready' && status === 'True') return true;
  return false;
}
