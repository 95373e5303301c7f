import type {Impact} from '@krtscope/shared/what-if/what-if.ts';
import {expect, test, vi} from 'vitest';
import {
  createTestGraphHost,
  namespace,
  pod,
  service,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Nodes: [{metadata: {name: 'n1'}}],
    Services: [service('web', {app: 'web'}), service('api', {app: 'api'})],
  });
  r.write({Pods: [pod('web-1'), pod('web-2'), pod('api-1', {app: 'api'}, {ip: '10.0.0.9'})]});
  return r;
}

const readers = (r: TestGraphHost, collection: string, key: string, path: string) => {
  const {fields} = r.ask<Impact>({ask: 'impact', collection, key, path});
  expect(fields.map(field => field.path)).toEqual([path]);
  return Object.fromEntries(
    (fields[0]?.readers ?? []).map(({collection: name, how, keys}) => [`${how} ${name}`, keys]),
  );
};

test('a label of a Pod: its own rows, and Services whose selector could match it', () => {
  const found = readers(shop(), 'Pods', 'shop/web-1', 'metadata.labels.app');
  expect(found['read Workloads']).toEqual(['shop/web-1']);
  expect([...(found['read ServiceInfos'] ?? []), ...(found['couldMatch ServiceInfos'] ?? [])].sort()).toEqual(
    ['shop/api', 'shop/web'],
  );
});

test('a label of a Namespace is read by every Workload in it', () => {
  const found = readers(shop(), 'Namespaces', 'shop', 'metadata.labels');
  expect(found['read Workloads']).toEqual(['shop/api-1', 'shop/web-1', 'shop/web-2']);
});

test('rows further down are read only if they differ for some other value of the field', () => {
  const found = readers(shop(), 'Namespaces', 'shop', 'metadata.labels[istio.io/use-waypoint]');
  expect(found['read Workloads']).toEqual(['shop/api-1', 'shop/web-1', 'shop/web-2']);
  // They read other fields of the Workloads.
  expect(found['read WorkloadServices']).toBeUndefined();
  expect(found['couldMatch WorkloadServices']).toEqual([
    'shop/api-1/api',
    'shop/web-1/web',
    'shop/web-2/web',
  ]);
  expect(found['couldMatch ClusterSummary']).toEqual(['cluster']);
});

test('a field that no formula and no filter reads has no reader', () => {
  expect(readers(shop(), 'Pods', 'shop/web-1', 'spec.hostname')).toEqual({});
});

test('a label that the Pod does not have yet could make a Service match', () => {
  const r = shop();
  r.write({Pods: [pod('bare-1', {})]});
  expect(readers(r, 'Pods', 'shop/bare-1', 'metadata.labels.app')['read Workloads']).toEqual(['shop/bare-1']);
});

test('without a path, every field that is read', () => {
  const {fields} = shop().ask<Impact>({ask: 'impact', collection: 'Services', key: 'shop/web'});
  expect(fields.map(({path}) => path)).toContain('spec.selector.app');
});

test('methods that filters ask for are not fields', () => {
  const r = shop();
  for (const [collection, key] of [
    ['Pods', 'shop/web-1'],
    ['Services', 'shop/web'],
    ['Namespaces', 'shop'],
  ] as const) {
    const {fields} = r.ask<Impact>({ask: 'impact', collection, key});
    expect(fields.length).toBeGreaterThan(0);
    expect(
      fields.filter(({path}) => /(^|\.)(get[A-Z]\w*|then|resourceName|registerBatch)$/.test(path)),
    ).toEqual([]);
  }
});

test('an object that does not exist is refused by name', () => {
  expect(() => shop().ask({ask: 'impact', collection: 'Pods', key: 'shop/none'})).toThrow(
    'Pods has no shop/none',
  );
  expect(() => shop().ask({ask: 'impact', collection: 'Nope', key: 'a'})).toThrow('no collection "Nope"');
});

test('the rows of an index are looked up once for a question, not once for each row', () => {
  const r = shop();
  r.write({Pods: Array.from({length: 40}, (_, n) => pod(`web-${n + 10}`))});
  const lookups = vi.spyOn(r.records, 'inputsOf');
  try {
    expect(
      readers(r, 'Namespaces', 'shop', 'metadata.labels[istio.io/use-waypoint]')['read Workloads'],
    ).toHaveLength(43);
    const ofIndex = lookups.mock.calls.filter(([collection]) => collection === 'WorkloadsByNode');
    // One more for each row of the index that a tried value could change.
    expect(ofIndex.length).toBeLessThanOrEqual(8 * r.records.size('WorkloadsByNode') + 1);
  } finally {
    lookups.mockRestore();
  }
});

test('runs over a collection too large to test again are named for every field, with a note', () => {
  const r = shop();
  r.write({Pods: Array.from({length: 300}, (_, n) => pod(`web-${n + 10}`))});
  const size = vi.spyOn(r.records, 'size').mockReturnValue(10_000_000);
  try {
    const {fields, notes} = r.ask<Impact>({ask: 'impact', collection: 'Pods', key: 'shop/web-1'});
    const infos = fields.flatMap(({readers: all}) => all).filter(one => one.collection === 'ServiceInfos');
    expect(infos).toHaveLength(fields.length);
    expect(infos.every(one => one.how === 'couldMatch')).toBe(true);
    expect(notes).toEqual([expect.stringMatching(/did not repeat .* "could match" for every field/)]);
  } finally {
    size.mockRestore();
  }
  expect(r.ask<Impact>({ask: 'impact', collection: 'Pods', key: 'shop/web-1'}).notes).toBeUndefined();
});
