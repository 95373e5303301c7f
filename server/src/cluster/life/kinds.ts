// The kinds that the cluster's controllers work on, with objects as the storage keeps them.

import type {Kind} from '../../runtime/index.ts';
import {kind} from '../../runtime/scheme/kind.ts';
import type {KubeObject} from '../object/types.ts';

const core = (name: string): Kind<KubeObject> => kind('v1', name);
const apps = (name: string): Kind<KubeObject> => kind('apps/v1', name);

export const Pod = core('Pod');
export const Node = core('Node');
export const Service = core('Service');
export const Deployment = apps('Deployment');
export const ReplicaSet = apps('ReplicaSet');
export const StatefulSet = apps('StatefulSet');
export const DaemonSet = apps('DaemonSet');
export const Job: Kind<KubeObject> = kind('batch/v1', 'Job');
export const EndpointSlice: Kind<KubeObject> = kind('discovery.k8s.io/v1', 'EndpointSlice');
export const PodDisruptionBudget: Kind<KubeObject> = kind('policy/v1', 'PodDisruptionBudget');

/** The field under which the cache finds what an object owns: by the owner's uid. */
export const OWNER = 'metadata.ownerReferences.uid';
