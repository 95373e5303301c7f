// Generated from the OpenAPI schemas of Kubernetes 1.36 (Apache-2.0, see server/src/cluster/schemas/NOTICE).
// Do not edit. Run: node scripts/types/main.ts
import type {NamedObjectMeta} from './meta-v1.ts';

/** PriorityClass defines mapping from a priority class name to the priority integer value. The value can be any valid integer. */
export type PriorityClass = {
  /** APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. */
  apiVersion: "scheduling.k8s.io/v1";
  /** description is an arbitrary string that usually provides guidelines on when this priority class should be used. */
  description?: string;
  /** globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. Only one PriorityClass can be marked as `globalDefault`. However, if more than one PriorityClasses exists with their `globalDefault` field set to true, the smallest value of such global default PriorityClasses will be used as the default priority. */
  globalDefault?: boolean;
  /** Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. */
  kind: "PriorityClass";
  /** Standard object's metadata. */
  metadata: NamedObjectMeta;
  /** preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, PreemptLowerPriority. Defaults to PreemptLowerPriority if unset. */
  preemptionPolicy?: "Never" | "PreemptLowerPriority";
  /** value represents the integer value of this priority class. This is the actual priority that pods receive when they have the name of this class in their pod spec. */
  value?: number;
};
