// Paths, patches and small objects that the cases share.

import type {Step} from './transcript.ts';

export const maps = '/api/v1/namespaces/{ns}/configmaps';
export const secrets = '/api/v1/namespaces/{ns}/secrets';
export const services = '/api/v1/namespaces/{ns}/services';
export const pods = '/api/v1/namespaces/{ns}/pods';
export const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
export const jobs = '/apis/batch/v1/namespaces/{ns}/jobs';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';

export function post(path: string, body: unknown, expect: string, more: Partial<Step> = {}): Step {
  return {ask: `POST ${path}`, body, expect, ...more};
}

export const merge = 'application/merge-patch+json';
export const strategic = 'application/strategic-merge-patch+json';

export function patch(
  path: string,
  type: string,
  body: unknown,
  expect: string,
  more: Partial<Step> = {},
): Step {
  return {ask: `PATCH ${path}`, type, body, expect, ...more};
}

export function map(name: unknown, more: object = {}): object {
  return {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, ...more};
}

export const template = {metadata: {labels: {app: 'a'}}, spec: {containers: [{name: 'c', image: 'i'}]}};

export function deployment(spec: object, name = 'd'): object {
  return {apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name}, spec};
}

export function pod(spec: object, name = 'p'): object {
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec};
}

export function service(spec: object, name = 's'): object {
  return {apiVersion: 'v1', kind: 'Service', metadata: {name}, spec};
}

export const mapOf = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'a', ...metadata},
  data,
});

export const webContainers = [{name: 'web', image: 'nginx', ports: [{containerPort: 80}]}];
export const webDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'd', labels: {app: 'd'}},
  spec: {
    replicas: 0,
    selector: {matchLabels: {app: 'd'}},
    template: {metadata: {labels: {app: 'd'}}, spec: {containers: webContainers}},
  },
};
