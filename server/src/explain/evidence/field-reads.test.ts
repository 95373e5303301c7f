import {type FieldsAnswer, fieldsSchema} from '@krtscope/shared/why.ts';
import {expect, test} from 'vitest';
import {createCatalogShop} from '../../engine/host/query/testing-catalog.ts';

test('which paths of which objects a run reads', () => {
  const r = createCatalogShop();
  const {reads, fetches} = fieldsSchema.parse(
    r.ask<FieldsAnswer>({ask: 'fields', collection: 'Workloads', key: 'shop/catalog-a'}),
  );
  expect(fetches![1]).toMatchObject({collection: 'Namespaces', filter: 'key shop', matched: 1});
  // Only where the stack shows it: the formula's file and line.
  for (const {line} of fetches!) if (line !== undefined) expect(line).toMatch(/workloads\.ts:\d+$/);
  const own = reads.find(x => x.collection === 'Pods');
  expect(own).toMatchObject({key: 'shop/catalog-a'});
  expect(own!.paths).toEqual(expect.arrayContaining(['status.phase', 'metadata.name', 'spec.nodeName']));
  expect(own!.paths).not.toContain('status.conditions');
  expect(reads.find(x => x.collection === 'Namespaces')?.paths).toEqual([
    'metadata.labels[istio.io/use-waypoint]',
  ]);
  expect(() => r.ask({ask: 'fields', collection: 'Pods', key: 'shop/catalog-a'})).toThrow(
    /not computed by a formula/,
  );
});

test('what the filters of its fetches read is among the fields, and what JSON asks of every object is not', () => {
  const r = createCatalogShop();
  const read = (collection: string, key: string, of: string, one: string) =>
    r
      .ask<FieldsAnswer>({ask: 'fields', collection, key})
      .reads.find(x => x.collection === of && x.key === one)?.paths;
  expect(read('Workloads', 'shop/catalog-a', 'Services', 'shop/catalog')).toEqual(
    expect.arrayContaining(['metadata.namespace', 'spec.selector.app', 'spec.selector.tier']),
  );
  expect(read('ServiceInfos', 'shop/catalog', 'Pods', 'shop/catalog-b')).toEqual(
    expect.arrayContaining(['metadata.labels.app', 'metadata.labels.tier']),
  );
  const all = r.ask<FieldsAnswer>({ask: 'fields', collection: 'Workloads', key: 'shop/catalog-a'}).reads;
  expect(all.flatMap(({paths}) => paths).filter(path => path.includes('toJSON'))).toEqual([]);
});
