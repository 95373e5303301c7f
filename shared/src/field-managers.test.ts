import {expect, test} from 'vitest';
import {isChurnPath, isHeartbeatKind, isPersonManager} from './field-managers.ts';

test('people are their tools and every client of an unknown name; controllers and the kubelet are not', () => {
  for (const name of [
    'kubectl',
    'kubectl-label',
    'kubectl-client-side-apply',
    'helm',
    'argocd-controller',
    'argocd-application-controller',
    'kustomize-controller',
    'helm-controller',
    'HashiCorp',
    'Terraform',
    'curl',
    'python-requests',
    'node-fetch',
    'my-laptop',
  ])
    expect([name, isPersonManager(name)]).toEqual([name, true]);
  for (const name of [
    'kubelet',
    'kube-controller-manager',
    'kube-scheduler',
    'cert-manager-cainjector',
    'endpoint-slice-controller',
    'manager',
    'prometheus-operator',
    'istiod',
  ])
    expect([name, isPersonManager(name)]).toEqual([name, false]);
});

test('statuses, heartbeats and leases are churn', () => {
  for (const path of ['status.phase', 'status.conditions[0].lastHeartbeatTime', 'spec.renewTime'])
    expect([path, isChurnPath(path)]).toEqual([path, true]);
  for (const path of ['spec.replicas', 'metadata.labels.app', 'statusPage'])
    expect([path, isChurnPath(path)]).toEqual([path, false]);
  expect(isHeartbeatKind('Leases')).toBe(true);
  expect(isHeartbeatKind('Leases.coordination.k8s.io')).toBe(true);
  expect(isHeartbeatKind('PodMetrics')).toBe(true);
  expect(isHeartbeatKind('Pods')).toBe(false);
});
