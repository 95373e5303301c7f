// The shapes of built-in objects, as far as controllers usually touch them. Every other field is there too:
// nothing is dropped, it is only typed as unknown.

import type {KnownMeta, KubeObject} from '../../kube/object.ts';

/** What may stand beside the fields that are named. */
interface Open {
  [field: string]: unknown;
}

export interface Condition extends Open {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

export interface LabelSelector extends Open {
  matchLabels?: Record<string, string>;
  matchExpressions?: {key: string; operator: string; values?: string[]}[];
}

export interface EnvVar extends Open {
  name: string;
  value?: string;
}

export interface Container extends Open {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  ports?: ({name?: string; containerPort: number; protocol?: string} & Open)[];
  resources?: {requests?: Record<string, string>; limits?: Record<string, string>} & Open;
  volumeMounts?: ({name: string; mountPath: string} & Open)[];
}

export interface PodSpec extends Open {
  containers: Container[];
  initContainers?: Container[];
  volumes?: ({name: string} & Open)[];
  nodeName?: string;
  serviceAccountName?: string;
  restartPolicy?: string;
}

export interface PodTemplate extends Open {
  metadata?: KnownMeta & Open;
  spec?: PodSpec;
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: Condition[];
    containerStatuses?: ({name: string; ready?: boolean; restartCount?: number} & Open)[];
  } & Open;
}

interface WorkloadSpec extends Open {
  replicas?: number;
  selector?: LabelSelector;
  template?: PodTemplate;
}

interface WorkloadStatus extends Open {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  conditions?: Condition[];
}

export interface Deployment extends KubeObject {
  spec?: WorkloadSpec & {paused?: boolean; revisionHistoryLimit?: number; strategy?: Open};
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
  status?: {desiredNumberScheduled?: number; numberReady?: number} & Open;
}

export interface Job extends KubeObject {
  spec?: {completions?: number; parallelism?: number; backoffLimit?: number; template?: PodTemplate} & Open;
  status?: {active?: number; succeeded?: number; failed?: number; conditions?: Condition[]} & Open;
}

export interface CronJob extends KubeObject {
  spec?: {schedule?: string; suspend?: boolean} & Open;
  status?: Open;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: ({name?: string; port: number; targetPort?: number | string; protocol?: string} & Open)[];
  } & Open;
  status?: Open;
}

export interface EndpointSlice extends KubeObject {
  addressType?: string;
  endpoints?: ({addresses: string[]} & Open)[];
  ports?: ({name?: string; port?: number; protocol?: string} & Open)[];
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
  spec?: {finalizers?: string[]} & Open;
  status?: {phase?: string} & Open;
}

export interface Node extends KubeObject {
  spec?: {unschedulable?: boolean} & Open;
  status?: {conditions?: Condition[]} & Open;
}

export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  } & Open;
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
