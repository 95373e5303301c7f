// Maps built-in resources to their rules. The schema alone checks the kinds that are missing here.
import {
  mutatingConfigurationRules,
  validatingConfigurationRules,
} from '../admission/webhook-configuration.ts';
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
} from './core-rules.ts';
import {definitionRules} from './definition-rules.ts';
import {cronJobRules, jobRules} from './job-rules.ts';
import type {KindRules} from './kind-rules.ts';
import {podRules} from './pod-rules.ts';
import {serviceRules} from './service-rules.ts';
import {daemonSetRules, deploymentRules, replicaSetRules, statefulSetRules} from './workload-rules.ts';

const ADMISSION = 'admissionregistration.k8s.io';
const RBAC = 'rbac.authorization.k8s.io';

const RULES: Record<string, KindRules> = {
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
  [`${ADMISSION}/validatingwebhookconfigurations`]: validatingConfigurationRules,
  [`${ADMISSION}/mutatingwebhookconfigurations`]: mutatingConfigurationRules,
  [`${RBAC}/roles`]: rbacRules,
  [`${RBAC}/clusterroles`]: rbacRules,
  [`${RBAC}/rolebindings`]: roleBindingRules,
  [`${RBAC}/clusterrolebindings`]: roleBindingRules,
  'storage.k8s.io/storageclasses': plainRules,
};

export function builtInRules(group: string, resource: string): KindRules {
  return RULES[`${group}/${resource}`] ?? {};
}
