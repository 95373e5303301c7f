// Objects, writes and lookups that the samples share.

import type {OriginWrite} from '@krtscope/shared/origin.ts';
import type {WorkFact} from '@krtscope/shared/programs/work.ts';
import type {Hop} from '@krtscope/shared/why.ts';
import type {Clause} from '../../../krt/index.ts';
import * as empty from '../empty-sentence.ts';
import * as lookup from '../lookup-sentence.ts';
import * as step from '../origin-step-sentence.ts';
import type * as why from '../why-sentence.ts';

export const pod = {collection: 'Pods', key: 'shop/cart-x'};
export const service = {collection: 'Services', key: 'shop/cart'};
export const namespace = {collection: 'Namespaces', key: 'shop'};
export const workload = {collection: 'Workloads', key: 'shop/cart-x'};
export const backend = {collection: 'Backends', key: 'shop/cart/10.0.0.5:80'};
export const row = {collection: 'WorkloadsByNode', key: 'n1'};

export const label = {path: 'metadata.labels.app', old: 'cart', new: 'crat', needed: true};
export const hopOf = (more: Partial<Hop> = {}): why.HopWords => ({
  hop: {kind: 'write', ...pod, sequence: 38, at: 0, event: 'update', changes: [label], ...more},
  whole: undefined,
});
export const kubectl = {manager: 'kubectl-label', operation: 'Update'};
export const written = hopOf({writer: kubectl});
export const forbidden = {collection: 'Namespaces', state: 'forbidden', reason: '403'};

export const selects: Clause = {kind: 'selects', text: '', labels: {app: 'crat'}, nonEmpty: true};
export const inShop: Clause = {kind: 'namespace', text: '', namespace: 'shop'};
export const lookupOf = (clauses: Clause[], more: Partial<lookup.Lookup> = {}): lookup.Lookup => ({
  collection: 'Services',
  filter: 'namespace shop and selects non-empty {app=crat}',
  clauses,
  by: pod,
  row: workload,
  isSelector: false,
  ...more,
});
export const selectorMiss = {clause: 'selector.app', wants: '= crat', new: 'cart', matchesNew: false};
export const labelMiss = {clause: 'labels.app', wants: '= cart', new: 'crat', matchesNew: false};
export const unsetLabel = {clause: 'labels.app', wants: '= cart', new: 'not set', matchesNew: false};
export const byPod = lookupOf([inShop, selects]);
export const byService = lookupOf([inShop, {kind: 'labels', text: '', labels: {app: 'cart'}}], {
  collection: 'Pods',
  filter: 'namespace shop and labels app=cart',
  by: service,
  row: {collection: 'ServiceInfos', key: 'shop/cart'},
  isSelector: true,
});
export const constant = {...byService, isSelector: false};

export const write: OriginWrite = {
  ...pod,
  event: 'update',
  path: 'metadata.labels.app',
  old: 'cart',
  new: 'crat',
  manager: 'kubectl-label',
  sequence: 38,
  time: '2026-11-17T15:04:12.120Z',
};
export const {manager: _, ...anonymous} = write;
export const servicesLost: step.ChangeWords = {
  ...workload,
  event: 'update',
  old: {services: ['cart']},
  new: {services: []},
  path: 'services',
};
export const relabelled: step.ChangeWords = {
  ...pod,
  event: 'update',
  old: {metadata: {labels: {app: 'cart'}}},
  new: {metadata: {labels: {app: 'crat'}}},
  path: 'metadata.labels.app',
};
export const rowLost = step.rowChangeParts(workload, servicesLost);
export const missed = lookup.missedParts(byPod, {...service, failing: selectorMiss});
export const phase = {path: 'status.phase', value: 'Pending', others: ['Running'], compared: 3};
export const guess = empty.likelyFieldParts(phase);
export const source = {name: 'Pods', resource: 'pods', reason: 'connection refused'};

/** By the name of the module and of the template. */
export const checked = {controller: 'certificate', requests: ['shop/web']};

export const missingDocument = {
  program: 'istiod',
  reason: 'status 500: json: unsupported type',
  hint: 'remove the Gateway',
};
export const laggingInformer = {program: 'istiod', collection: 'informer/Services', resource: 'services'};

const namespaceRow = {collection: 'informer/Namespaces', key: 'shop'};
export const workFacts: readonly WorkFact[] = [
  {
    code: 'equal-runs',
    collection: 'Workloads',
    runs: 6,
    equal: 6,
    last: {runs: 6, equal: 6, inputs: 3, cause: namespaceRow},
  },
  {code: 'equal-runs', collection: 'Workloads', runs: 8, equal: 6, last: {runs: 2, equal: 1, inputs: 1}},
  {code: 'repeated-runs', collection: 'Workloads', repeated: 3, runs: 6, cause: namespaceRow},
  {code: 'repeated-runs', collection: 'Workloads', repeated: 3, runs: 6},
  {
    code: 'unindexed-fetch',
    collection: 'Workloads',
    read: 'Policies',
    filter: 'generic',
    fetches: 4,
    rows: 240,
  },
  {code: 'not-synced', collection: 'informer/Gateways'},
  {code: 'without-output', collection: 'Workloads', inputs: 8, keys: ['shop/web']},
  {code: 'comes-and-goes', collection: 'Workloads', keys: ['shop/web'], times: 3},
  {code: 'largest', collection: 'Workloads', rows: 9000, bytes: 5_200_000, share: 0.41},
  {code: 'busiest', collection: 'Workloads', changes: 120, share: 0.6},
  {code: 'absent-names', collection: '', names: ['aggregate/VirtualService', 'index/']},
  {code: 'absent-names', collection: '', names: ['aggregate/VirtualService']},
];
