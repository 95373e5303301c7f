// Generated from the OpenAPI schemas of Kubernetes 1.36 (Apache-2.0, see server/src/cluster/schemas/NOTICE).
// Do not edit. Run: node scripts/types/main.ts
import type {ObjectMeta} from './meta-v1.ts';

/** Scale represents a scaling request for a resource. */
export type Scale = {
  /** APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. */
  apiVersion: "autoscaling/v1";
  /** Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. */
  kind: "Scale";
  /** Standard object metadata; */
  metadata: ObjectMeta;
  /** spec defines the behavior of the scale. */
  spec?: ScaleSpec;
  /** status is the current status of the scale. Read-only. */
  status?: ScaleStatus;
};

/** ScaleSpec describes the attributes of a scale subresource. */
export type ScaleSpec = {
  /** replicas is the desired number of instances for the scaled object. */
  replicas?: number;
};

/** ScaleStatus represents the current status of a scale subresource. */
export type ScaleStatus = {
  /** replicas is the actual number of observed instances of the scaled object. */
  replicas: number;
  /** selector is the label query over pods that should match the replicas count. This is same as the label selector but in the string format to avoid introspection by clients. The string will be in the same format as the query-param syntax. More info about label selectors: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/ */
  selector?: string;
};
