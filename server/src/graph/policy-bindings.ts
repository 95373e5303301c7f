// PolicyBindings: one row for each Pod that a NetworkPolicy selects.
import {
  type Collection,
  fetch,
  filterLabel,
  filterNamespace,
  type HandlerContext,
  newManyCollection,
} from '../krt/index.ts';
import type {NetworkPolicyObject, ObjectLabelSelector, PodObject} from './kubernetes-objects.ts';

export interface PolicyBinding {
  readonly namespace: string;
  readonly policy: string;
  readonly pod: string;
  readonly types: readonly string[];
}

export function newPolicyBindings(
  policies: Collection<NetworkPolicyObject>,
  pods: Collection<PodObject>,
): Collection<PolicyBinding> {
  return newManyCollection(
    policies,
    (ctx: HandlerContext, policy: NetworkPolicyObject): PolicyBinding[] => {
      const {name, namespace = ''} = policy.metadata;
      const {podSelector = {}, policyTypes = ['Ingress']} = policy.spec ?? {};
      return fetch(ctx, pods, filterNamespace(namespace), filterLabel(podSelector.matchLabels))
        .filter(pod => expressionsHold(podSelector, pod.metadata.labels ?? {}))
        .map(pod => ({namespace, policy: name, pod: pod.metadata.name, types: policyTypes}));
    },
    {
      name: 'PolicyBindings',
      key: ({namespace, policy, pod}) => `${namespace}/${policy}/${pod}`,
      namespace: ({namespace}) => namespace,
    },
  );
}

function expressionsHold(selector: ObjectLabelSelector, labels: Readonly<Record<string, string>>): boolean {
  return (selector.matchExpressions ?? []).every(({key, operator, values = []}) => {
    // Check own properties only: every object inherits `constructor`.
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}
