// Types of built-in objects, with the fields that controllers use most. Other fields have the type unknown.

import type {KubeObject, StandardMeta} from '../../kube/object.ts';

/** Allows further fields. */
interface OpenObject {
  [field: string]: unknown;
}

export interface Condition extends OpenObject {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

export interface LabelSelector extends OpenObject {
  matchLabels?: Record<string, string>;
  matchExpressions?: {key: string; operator: string; values?: string[]}[];
}

export interface EnvVar extends OpenObject {
  name: string;
  value?: string;
}

export interface Container extends OpenObject {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  ports?: ({name?: string; containerPort: number; protocol?: string} & OpenObject)[];
  resources?: {requests?: Record<string, string>; limits?: Record<string, string>} & OpenObject;
  volumeMounts?: ({name: string; mountPath: string} & OpenObject)[];
}

export interface PodSpec extends OpenObject {
  containers: Container[];
  initContainers?: Container[];
  volumes?: ({name: string} & OpenObject)[];
  nodeName?: string;
  serviceAccountName?: string;
  restartPolicy?: string;
}

export interface PodTemplate extends OpenObject {
  metadata?: StandardMeta & OpenObject;
  spec?: PodSpec;
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: Condition[];
    containerStatuses?: ({name: string; ready?: boolean; restartCount?: number} & OpenObject)[];
  } & OpenObject;
}

interface WorkloadSpec extends OpenObject {
  replicas?: number;
  selector?: LabelSelector;
  template?: PodTemplate;
}

interface WorkloadStatus extends OpenObject {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  conditions?: Condition[];
}

export interface Deployment extends KubeObject {
  spec?: WorkloadSpec & {paused?: boolean; revisionHistoryLimit?: number; strategy?: OpenObject};
  status?: WorkloadStatus & {updatedReplicas?: number; unavailableReplicas?: number};
}

export interface ReplicaSet extends KubeObject {
  spec?: WorkloadSpec;
  status?: WorkloadStatus & {fullyLabeledReplicas?: number};
}

export interface StatefulSet extends KubeObject {
  spec?: WorkloadSpec & {serviceName?: string; volumeClaimTemplates?: KubeObject[]};
  status?: WorkloadStatus & {currentReplicas?: number; updatedReplicas?: number};
}

export interface DaemonSet extends KubeObject {
  spec?: Omit<WorkloadSpec, 'replicas'>;
  status?: {desiredNumberScheduled?: number; numberReady?: number} & OpenObject;
}

export interface Job extends KubeObject {
  spec?: {
    completions?: number;
    parallelism?: number;
    backoffLimit?: number;
    template?: PodTemplate;
  } & OpenObject;
  status?: {active?: number; succeeded?: number; failed?: number; conditions?: Condition[]} & OpenObject;
}

export interface CronJob extends KubeObject {
  spec?: {schedule?: string; suspend?: boolean} & OpenObject;
  status?: OpenObject;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: ({name?: string; port: number; targetPort?: number | string; protocol?: string} & OpenObject)[];
  } & OpenObject;
  status?: OpenObject;
}

export interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: ({addresses: string[]} & OpenObject)[];
  ports?: ({name?: string; port?: number; protocol?: string} & OpenObject)[];
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

export interface Secret extends KubeObject {
  type?: string;
  /** Base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
}

export interface Namespace extends KubeObject {
  spec?: {finalizers?: string[]} & OpenObject;
  status?: {phase?: string} & OpenObject;
}

export interface Node extends KubeObject {
  spec?: {unschedulable?: boolean} & OpenObject;
  status?: {conditions?: Condition[]} & OpenObject;
}

export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  } & OpenObject;
}

export interface Event extends KubeObject {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
}

/** The body of the scale subresource. */
export interface Scale extends KubeObject {
  spec?: {replicas?: number};
  status?: {replicas: number; selector?: string};
}
