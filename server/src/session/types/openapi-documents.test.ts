// OpenAPI documents that a cluster must not harm main with.
import {expect, test} from 'vitest';
import type {Wire} from '../../kube/transport/transport.ts';
import {clusterDocuments} from './openapi-documents.ts';

test('a document that is nested deeper than the stack is not used; the dumped one is', async () => {
  let deep: unknown = {type: 'string'};
  for (let level = 0; level < 50_000; level++) deep = {properties: {a: deep}};
  const body = {components: {schemas: {deep}}};
  const wire = {request: async () => ({body})} as unknown as Wire;
  const documents = clusterDocuments(
    () => wire,
    () => 0,
  );
  const found = await documents({
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    kind: 'Deployment',
  } as never);
  expect(Object.keys(found?.components?.schemas ?? {})).toContain('io.k8s.api.apps.v1.Deployment');
});
