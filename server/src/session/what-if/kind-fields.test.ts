import type {Graph} from '@krtscope/shared/graph.ts';
import {kindFieldsSchema} from '@krtscope/shared/what-if/field-schema.ts';
import {expect, test} from 'vitest';
import {dumpedDocuments} from '../types/openapi-documents.ts';
import {kindFieldsOf} from './kind-fields.ts';

const graph = {
  collections: [
    {
      name: 'Services',
      resource: {group: '', version: 'v1', resource: 'services', kind: 'Service', namespaced: true},
    },
    {
      name: 'Things',
      resource: {group: 'x.io', version: 'v1', resource: 'things', kind: 'Thing', namespaced: true},
    },
    {name: 'Workloads'},
  ],
} as unknown as Graph;

test('the fields of a kind, with their types and the first sentence about them', async () => {
  const found = kindFieldsSchema.parse(await kindFieldsOf(graph, 'Services', dumpedDocuments));
  const fieldsOf = (name: string | undefined) => found.objects[name ?? ''] ?? {};
  const {spec, metadata} = fieldsOf(found.root?.object);
  const {selector, ports, type} = fieldsOf(spec?.object);
  expect(selector).toMatchObject({type: 'map', of: {type: 'string'}});
  expect(type?.about).toMatch(/^type determines how the Service is exposed\.$/);
  expect(ports?.type).toBe('list');
  expect(fieldsOf(ports?.of?.object)).toMatchObject({
    port: {type: 'integer'},
    targetPort: {type: 'any'},
    name: {type: 'string'},
  });
  expect(fieldsOf(metadata?.object)).toMatchObject({
    labels: {type: 'map'},
    creationTimestamp: {type: 'string'},
  });
  expect(JSON.stringify(found).length).toBeLessThan(100_000);
});

test('an unknown schema has no root; a computed collection is refused', async () => {
  expect(await kindFieldsOf(graph, 'Things', dumpedDocuments)).toEqual({
    apiVersion: 'x.io/v1',
    kind: 'Thing',
    objects: {},
  });
  await expect(kindFieldsOf(graph, 'Workloads', dumpedDocuments)).rejects.toMatchObject({
    code: 'unknown-collection',
  });
});
