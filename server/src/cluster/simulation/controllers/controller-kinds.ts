// The kinds of the cluster's controllers, with the object types of the storage.

import type {Kind} from '../../../runtime/index.ts';
import {kind} from '../../../runtime/scheme/kind.ts';
import type {StoredObject} from '../../object/stored-object.ts';

const core = (name: string): Kind<StoredObject> => kind<StoredObject>('v1', name);
const apps = (name: string): Kind<StoredObject> => kind<StoredObject>('apps/v1', name);

export const Pod = core('Pod');
export const Node = core('Node');
export const Service = core('Service');
export const Deployment = apps('Deployment');
export const ReplicaSet = apps('ReplicaSet');
export const StatefulSet = apps('StatefulSet');
export const DaemonSet = apps('DaemonSet');
export const Job: Kind<StoredObject> = kind('batch/v1', 'Job');
export const EndpointSlice: Kind<StoredObject> = kind('discovery.k8s.io/v1', 'EndpointSlice');
export const PodDisruptionBudget: Kind<StoredObject> = kind('policy/v1', 'PodDisruptionBudget');

/** The cache index that finds an owner's objects by its uid. */
export const OWNER = 'metadata.ownerReferences.uid';
