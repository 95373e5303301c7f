// Generated from the OpenAPI schemas of Kubernetes 1.36 (Apache-2.0, see server/src/cluster/schemas/NOTICE).
// Do not edit. Run: node scripts/types/main.ts
import type {MicroTime, NamedObjectMeta} from './meta-v1.ts';

/** Lease defines a lease concept. */
export type Lease = {
  /** APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. */
  apiVersion: "coordination.k8s.io/v1";
  /** Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. */
  kind: "Lease";
  metadata: NamedObjectMeta;
  /** spec contains the specification of the Lease. */
  spec?: LeaseSpec;
};

/** LeaseSpec is a specification of a Lease. */
export type LeaseSpec = {
  /** acquireTime is a time when the current lease was acquired. */
  acquireTime?: MicroTime;
  /** holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field. */
  holderIdentity?: string;
  /** leaseDurationSeconds is a duration that candidates for a lease need to wait to force acquire it. This is measured against the time of last observed renewTime. */
  leaseDurationSeconds?: number;
  /** leaseTransitions is the number of transitions of a lease between holders. */
  leaseTransitions?: number;
  /** PreferredHolder signals to a lease holder that the lease has a more optimal holder and should be given up. This field can only be set if Strategy is also set. */
  preferredHolder?: string;
  /** renewTime is a time when the current holder of a lease has last updated the lease. */
  renewTime?: MicroTime;
  /** Strategy indicates the strategy for picking the leader for coordinated leader election. If the field is not specified, there is no active coordination for this lease. (Alpha) Using this field requires the CoordinatedLeaderElection feature gate to be enabled. */
  strategy?: string;
};
