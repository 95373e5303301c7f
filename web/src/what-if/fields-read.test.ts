import {expect, test} from 'vitest';
import {editedFirst, fieldsRead, isTouched} from './fields-read.ts';

test('a field without readers is left out', () => {
  const readers = [{collection: 'Workloads', how: 'read' as const, keys: ['shop/a'], count: 1}];
  const paths = ['metadata.labels', 'spec.getter'];
  const fields = [...paths.map(path => ({path, readers})), {path: 'spec.type', readers: []}];
  expect(fieldsRead({fields}).map(field => field.path)).toEqual(['metadata.labels', 'spec.getter']);
});

test('fields that the draft changes come first, also those in and above them', () => {
  const fields = ['metadata.name', 'spec.ports.port', 'spec.selector'].map(path => ({path, readers: []}));
  expect(editedFirst(fields, ['spec.selector.app']).map(({path}) => path)[0]).toBe('spec.selector');
  expect(isTouched('spec.ports.port', ['spec.ports[0].port'])).toBe(true);
  expect(isTouched('spec.ports.port', ['spec.port'])).toBe(false);
});
