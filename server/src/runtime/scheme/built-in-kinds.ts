// Built-in kinds with their types. Kinds with a resource exist in every supported Kubernetes version and need no
// discovery.

import type * as types from '../../built-in-types/index.ts';
import {type Resource, resources} from '../../kube/resource.ts';
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
export const ServiceAccount = builtIn<types.ServiceAccount>(core('serviceaccounts', 'ServiceAccount'));
export const PersistentVolumeClaim = builtIn<types.PersistentVolumeClaim>(
  core('persistentvolumeclaims', 'PersistentVolumeClaim'),
);
export const Deployment = builtIn<types.Deployment>(resources.Deployments);
export const ReplicaSet = builtIn<types.ReplicaSet>(resources.ReplicaSets);
export const StatefulSet = builtIn<types.StatefulSet>(apps('statefulsets', 'StatefulSet'));
export const DaemonSet = builtIn<types.DaemonSet>(apps('daemonsets', 'DaemonSet'));
export const Job = builtIn<types.Job>(resources.Jobs);
export const CronJob = builtIn<types.CronJob>({...resources.Jobs, plural: 'cronjobs', kind: 'CronJob'});
export const EndpointSlice = builtIn<types.EndpointSlice>(resources.EndpointSlices);
export const NetworkPolicy = builtIn<types.NetworkPolicy>(resources.NetworkPolicies);
export const Lease = builtIn<types.Lease>(resources.Leases);
export const CustomResourceDefinition = builtIn<types.CustomResourceDefinition>(
  resources.CustomResourceDefinitions,
);

export const ComponentStatus = kind('v1', 'ComponentStatus');
export const Endpoints = kind('v1', 'Endpoints');
export const LimitRange = kind('v1', 'LimitRange');
export const PersistentVolume = kind('v1', 'PersistentVolume');
export const PodTemplate = kind('v1', 'PodTemplate');
export const ReplicationController = kind('v1', 'ReplicationController');
export const ResourceQuota = kind('v1', 'ResourceQuota');
export const ControllerRevision = kind('apps/v1', 'ControllerRevision');
export const HorizontalPodAutoscaler = kind('autoscaling/v2', 'HorizontalPodAutoscaler');
export const Ingress = kind('networking.k8s.io/v1', 'Ingress');
export const IngressClass = kind('networking.k8s.io/v1', 'IngressClass');
export const IPAddress = kind('networking.k8s.io/v1', 'IPAddress');
export const ServiceCIDR = kind('networking.k8s.io/v1', 'ServiceCIDR');
export const PodDisruptionBudget = kind('policy/v1', 'PodDisruptionBudget');
export const ClusterRole = kind('rbac.authorization.k8s.io/v1', 'ClusterRole');
export const ClusterRoleBinding = kind('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding');
export const Role = kind('rbac.authorization.k8s.io/v1', 'Role');
export const RoleBinding = kind('rbac.authorization.k8s.io/v1', 'RoleBinding');
export const CSIDriver = kind('storage.k8s.io/v1', 'CSIDriver');
export const CSINode = kind('storage.k8s.io/v1', 'CSINode');
export const CSIStorageCapacity = kind('storage.k8s.io/v1', 'CSIStorageCapacity');
export const StorageClass = kind('storage.k8s.io/v1', 'StorageClass');
export const VolumeAttachment = kind('storage.k8s.io/v1', 'VolumeAttachment');
export const VolumeAttributesClass = kind('storage.k8s.io/v1', 'VolumeAttributesClass');
export const PriorityClass = kind('scheduling.k8s.io/v1', 'PriorityClass');
export const MutatingAdmissionPolicy = kind('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy');
export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration.k8s.io/v1',
  'MutatingAdmissionPolicyBinding',
);
export const MutatingWebhookConfiguration = kind(
  'admissionregistration.k8s.io/v1',
  'MutatingWebhookConfiguration',
);
export const ValidatingAdmissionPolicy = kind('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy');
export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
);
export const ValidatingWebhookConfiguration = kind(
  'admissionregistration.k8s.io/v1',
  'ValidatingWebhookConfiguration',
);
/** Only used as the body of a subresource. */
export const Scale = kind('autoscaling/v1', 'Scale');

/** Kinds that a mapper knows before it asks the server. */
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
  ComponentStatus,
  Endpoints,
  LimitRange,
  PersistentVolume,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  ControllerRevision,
  HorizontalPodAutoscaler,
  Ingress,
  IngressClass,
  IPAddress,
  ServiceCIDR,
  PodDisruptionBudget,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
  PriorityClass,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
};
