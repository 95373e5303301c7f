import {expect, test} from 'vitest';
import {fieldsRead} from './fields-read.ts';

test('a field without readers is left out', () => {
  const readers = [{collection: 'Workloads', how: 'read' as const, keys: ['shop/a'], count: 1}];
  const paths = ['metadata.labels', 'spec.getter'];
  const fields = [...paths.map(path => ({path, readers})), {path: 'spec.type', readers: []}];
  expect(fieldsRead({fields}).map(field => field.path)).toEqual(['metadata.labels', 'spec.getter']);
});
