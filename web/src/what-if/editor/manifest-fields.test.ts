import type {KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import {expect, test} from 'vitest';
import {fieldOffers, findFieldErrors, kindsOf, nodeAt, valueOffers} from './manifest-fields.ts';

const text = {type: 'string'} as const;
const service: KindFields = {
  apiVersion: 'v1',
  kind: 'Service',
  root: {type: 'object', object: 'Service'},
  objects: {
    Service: {
      apiVersion: text,
      kind: text,
      metadata: {type: 'any'},
      spec: {type: 'object', object: 'Spec'},
      status: {type: 'any'},
    },
    Spec: {
      type: {type: 'string', choices: ['ClusterIP', 'NodePort']},
      selector: {type: 'map', of: text},
      ports: {type: 'list', of: {type: 'object', object: 'Port'}},
      sticky: {type: 'boolean'},
    },
    Port: {port: {type: 'integer'}, targetPort: {type: 'any'}},
  },
};
const fieldsOf = (apiVersion: string, kind: string) =>
  apiVersion === 'v1' && kind === 'Service' ? service : undefined;
const head = 'apiVersion: v1\nkind: Service\n';
const messages = (manifest: string) =>
  findFieldErrors(`${head}${manifest}`, fieldsOf).map(one => one.message);

test('offers: fields that are not there yet, each opened as its type needs', () => {
  expect(nodeAt(service, ['spec', 'ports', '[]', 'port'])).toEqual({type: 'integer'});
  expect(fieldOffers(service, [], new Set(['kind']), 0).map(one => one.text)).toEqual([
    'apiVersion: ',
    'metadata: ',
    'spec:\n  ',
  ]);
  expect(fieldOffers(service, ['spec'], new Set(), 2).map(one => one.text)).toContain('ports:\n    - ');
  expect(valueOffers(service, ['spec', 'type'])).toEqual(['ClusterIP', 'NodePort']);
  expect(valueOffers(service, ['spec', 'sticky'])).toEqual(['true', 'false']);
  expect(fieldOffers(service, ['none', 'x'], new Set(), 0)).toEqual([]);
});

test('errors: unknown fields, wrong types and values, at their place', () => {
  expect(
    messages('spec:\n  type: NodePort\n  selector: {app: a}\n  ports: [{port: 1, targetPort: web}]\n'),
  ).toEqual([]);
  expect(messages('spce: {}\n')).toEqual(['Service has no field spce']);
  expect(messages('spec:\n  prts: []\n')).toEqual(['spec has no field prts']);
  expect(messages('spec:\n  ports: {port: 1}\n')).toEqual([
    'spec.ports is a list: start its items with a dash',
  ]);
  expect(messages('spec:\n  ports:\n    - port: http\n')).toEqual([
    'spec.ports[0].port is a whole number, not "http"',
  ]);
  expect(messages('spec:\n  selector: {app: 1}\n')).toEqual(['spec.selector.app is a text: quote it, not 1']);
  expect(messages('spec:\n  type: Cluster\n')).toEqual(['spec.type is one of ClusterIP, NodePort']);
  expect(messages('spec: 7\n')).toEqual(['spec is an object: write its fields below it']);
  const manifest = `${head}spec:\n  prts: []\n`;
  const [finding] = findFieldErrors(manifest, fieldsOf);
  expect(manifest.slice(finding?.from, finding?.to)).toBe('prts');
});

test('a value that is null, an alias, and a kind without a schema are left alone; broken YAML is one error', () => {
  expect(messages('spec:\n')).toEqual([]);
  expect(messages('spec: {ports: &p [{port: 1}]}\n---\nkind: Other\nx: 1\n')).toEqual([]);
  expect(messages('spec: [\n').length).toBe(1);
  const bomb = `${head}a: &a [x, x]\nb: &b [*a, *a, *a]\nspec: {selector: *b}\n`;
  expect(findFieldErrors(bomb, fieldsOf).map(one => one.message)).toEqual([
    'Service has no field a',
    'Service has no field b',
  ]);
  expect(kindsOf(`${head}---\na: 1\n---\napiVersion: apps/v1\nkind: Deployment\n`)).toEqual([
    {apiVersion: 'v1', kind: 'Service'},
    {apiVersion: 'apps/v1', kind: 'Deployment'},
  ]);
});
