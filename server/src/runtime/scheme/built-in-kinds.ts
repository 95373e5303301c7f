// Built-in kinds with their types, which need no discovery.

import {type Resource, resources} from '../../kube/resource.ts';
import type * as types from './built-in-types.ts';
import {builtIn, kind} from './kind.ts';

function apps(plural: string, name: string): Resource {
  return {group: 'apps', version: 'v1', plural, kind: name, namespaced: true};
}

function core(plural: string, name: string): Resource {
  return {group: '', version: 'v1', plural, kind: name, namespaced: true};
}

export const Namespace = builtIn<types.Namespace>(resources.Namespaces);
export const Node = builtIn<types.Node>(resources.Nodes);
export const Pod = builtIn<types.Pod>(resources.Pods);
export const Service = builtIn<types.Service>(resources.Services);
export const ConfigMap = builtIn<types.ConfigMap>(resources.ConfigMaps);
export const Secret = builtIn<types.Secret>(resources.Secrets);
export const Event = builtIn<types.Event>(resources.Events);
export const ServiceAccount = builtIn(core('serviceaccounts', 'ServiceAccount'));
export const PersistentVolumeClaim = builtIn(core('persistentvolumeclaims', 'PersistentVolumeClaim'));
export const Deployment = builtIn<types.Deployment>(resources.Deployments);
export const ReplicaSet = builtIn<types.ReplicaSet>(resources.ReplicaSets);
export const StatefulSet = builtIn<types.StatefulSet>(apps('statefulsets', 'StatefulSet'));
export const DaemonSet = builtIn<types.DaemonSet>(apps('daemonsets', 'DaemonSet'));
export const Job = builtIn<types.Job>(resources.Jobs);
export const CronJob = builtIn<types.CronJob>({...resources.Jobs, plural: 'cronjobs', kind: 'CronJob'});
export const EndpointSlice = builtIn<types.EndpointSlice>(resources.EndpointSlices);
export const NetworkPolicy = builtIn(resources.NetworkPolicies);
export const Lease = builtIn<types.Lease>(resources.Leases);
export const CustomResourceDefinition = builtIn(resources.CustomResourceDefinitions);
/** Only used as the body of a subresource. */
export const Scale = kind<types.Scale>('autoscaling/v1', 'Scale');

export const builtInKinds = {
  Namespace,
  Node,
  Pod,
  Service,
  ConfigMap,
  Secret,
  Event,
  ServiceAccount,
  PersistentVolumeClaim,
  Deployment,
  ReplicaSet,
  StatefulSet,
  DaemonSet,
  Job,
  CronJob,
  EndpointSlice,
  NetworkPolicy,
  Lease,
  CustomResourceDefinition,
};
