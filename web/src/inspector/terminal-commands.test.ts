import {expect, test} from 'vitest';
import {sampleRole, terminalCommands} from './terminal-commands.ts';

const pods = {group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true};
const policies = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'networkpolicies',
  kind: 'X',
  namespaced: true,
};
const nodes = {...pods, resource: 'nodes', namespaced: false};
const live = {kind: 'live' as const, context: 'kind shop', server: '', version: ''};

test('kubectl with the context or the demo’s kubeconfig, the namespace, the full resource name', () => {
  expect(terminalCommands({collection: 'Pods', key: 'shop/a'}, pods, live)[0]).toBe(
    "kubectl --context 'kind shop' -n shop get pods a -o yaml",
  );
  const demo = {...live, kind: 'demo' as const, kubeconfig: '/tmp/k'};
  expect(terminalCommands({collection: 'NetworkPolicies', key: 'shop/a'}, policies, demo)[0]).toBe(
    'kubectl --kubeconfig /tmp/k -n shop get networkpolicies.networking.k8s.io a -o yaml',
  );
  expect(terminalCommands({collection: 'Nodes', key: 'n1'}, nodes, demo)[0]).toBe(
    'kubectl --kubeconfig /tmp/k get nodes n1 -o yaml',
  );
});

test('what is not in a cluster has the krtscope command alone', () => {
  expect(terminalCommands({collection: 'Workloads', key: 'shop/a'}, undefined, live)).toEqual([
    'krtscope why Workloads shop/a',
  ]);
  expect(
    terminalCommands({collection: 'Pods', key: 'shop/a'}, pods, {...live, kind: 'recording'}),
  ).toHaveLength(1);
});

test('the sample role reads one kind and nothing else', () => {
  const role = sampleRole(policies);
  expect(role).toContain('apiGroups: ["networking.k8s.io"]');
  expect(role).toContain('resources: ["networkpolicies"]');
  expect(role).not.toMatch(/create|update|patch|delete|\*/);
});
