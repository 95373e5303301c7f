import type {WireWriter} from '@krtscope/shared/run.ts';
import {expect, test} from 'vitest';
import type {ClusterObjects} from '../../attach/lag/cluster-objects.ts';
import {writerOfRow} from './row-writer.ts';

const writers: (WireWriter & {subresource?: string})[] = [
  {manager: 'helm', operation: 'Update', time: '2026-11-18T07:00:00Z', paths: ['spec.selector.app']},
  {
    manager: 'kubectl-label',
    operation: 'Update',
    time: '2026-11-18T08:00:00Z',
    paths: ['metadata.labels.waypoint'],
  },
  {
    manager: 'pilot-discovery',
    operation: 'Update',
    time: '2026-11-18T08:00:01Z',
    subresource: 'status',
    paths: ['status.conditions'],
  },
];
const cluster: ClusterObjects = {
  session: 'prod',
  namespaces: [],
  kinds: () => [
    {
      resource: {group: '', version: 'v1', resource: 'services', kind: 'Service', namespaced: true},
      current: true,
      keys: () => ['shop/cart'],
      version: key => (key === 'shop/cart' ? {uid: 'u1', resourceVersion: '7'} : undefined),
      writers: () => writers,
    },
  ],
};
const service = (labels: Record<string, string>, uid = 'u1', status: object = {}) => ({
  metadata: {uid, resourceVersion: '6', labels},
  spec: {selector: {app: 'cart'}},
  status,
});
const update = (old: unknown, now: unknown) =>
  writerOfRow({collection: 'informer/Services', key: 'shop/cart', event: 'update', old, new: now}, cluster);

test('the owner of the changed field wrote it, not the program that set the status afterwards', () => {
  const before = service({});
  expect(update(before, service({waypoint: 'w'}))).toEqual({
    manager: 'kubectl-label',
    operation: 'Update',
    time: '2026-11-18T08:00:00Z',
  });
  const withStatus = service({waypoint: 'w'}, 'u1', {conditions: [{type: 'x'}]});
  expect(update(before, withStatus)?.manager).toBe('kubectl-label');
  expect(update(service({waypoint: 'w'}), withStatus)?.manager).toBe('pilot-discovery');
});

test('a new object names its creator; a removed field, another uid and a deletion name no writer', () => {
  const row = {collection: 'informer/Services', key: 'shop/cart', old: undefined};
  expect(writerOfRow({...row, event: 'add', new: service({})}, cluster)?.manager).toBe('helm');
  expect(update(service({waypoint: 'w'}), service({}))).toBeUndefined();
  expect(update(service({}, 'u0'), service({waypoint: 'w'}, 'u0'))).toBeUndefined();
  expect(writerOfRow({...row, event: 'delete', old: service({}), new: undefined}, cluster)).toBeUndefined();
  const other = {collection: 'informer/Widgets', key: 'shop/cart', event: 'add' as const, old: undefined};
  expect(writerOfRow({...other, new: service({})}, cluster)).toBeUndefined();
});
