// Which rules apply to which built-in resource. Kinds that are not named here are checked by schema alone.
import {
  configMapRules,
  endpointSliceRules,
  eventRules,
  leaseRules,
  namespaceRules,
  networkPolicyRules,
  nodeRules,
  plainRules,
  rbacRules,
  roleBindingRules,
  secretRules,
} from './core.ts';
import {definitionRules} from './definition.ts';
import {cronJobRules, jobRules} from './job.ts';
import {podRules} from './pod.ts';
import type {Rules} from './rules.ts';
import {serviceRules} from './service.ts';
import {daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules} from './workloads.ts';

const RBAC = 'rbac.authorization.k8s.io';

const RULES: Record<string, Rules> = {
  '/pods': podRules,
  '/services': serviceRules,
  '/configmaps': configMapRules,
  '/secrets': secretRules,
  '/namespaces': namespaceRules,
  '/nodes': nodeRules,
  '/events': eventRules,
  '/serviceaccounts': plainRules,
  '/endpoints': plainRules,
  '/persistentvolumes': plainRules,
  '/persistentvolumeclaims': plainRules,
  'events.k8s.io/events': eventRules,
  'apps/deployments': deploymentRules,
  'apps/replicasets': replicaSetRules,
  'apps/statefulsets': statefulSetRules,
  'apps/daemonsets': daemonSetRules,
  'apps/controllerrevisions': plainRules,
  'batch/jobs': jobRules,
  'batch/cronjobs': cronJobRules,
  'coordination.k8s.io/leases': leaseRules,
  'discovery.k8s.io/endpointslices': endpointSliceRules,
  'networking.k8s.io/networkpolicies': networkPolicyRules,
  'apiextensions.k8s.io/customresourcedefinitions': definitionRules,
  [`${RBAC}/roles`]: rbacRules,
  [`${RBAC}/clusterroles`]: rbacRules,
  [`${RBAC}/rolebindings`]: roleBindingRules,
  [`${RBAC}/clusterrolebindings`]: roleBindingRules,
  'storage.k8s.io/storageclasses': plainRules,
};

export function builtInRules(group: string, resource: string): Rules {
  return RULES[`${group}/${resource}`] ?? {};
}
