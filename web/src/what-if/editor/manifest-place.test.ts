import {expect, test} from 'vitest';
import {placeAt} from './manifest-place.ts';

/** The cursor is at `|`. */
function place(text: string) {
  const offset = text.indexOf('|');
  return placeAt(text.replace('|', ''), offset);
}

const service = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n';

test('a field of the root, and of an object below it', () => {
  expect(place(`${service}sp|`)).toMatchObject({
    path: [],
    isValue: false,
    word: 'sp',
    kind: 'Service',
    apiVersion: 'v1',
  });
  expect(place(`${service}spec:\n  sel|\n`)).toMatchObject({path: ['spec'], word: 'sel'});
  expect(place(`${service}spec:\n  selector:\n    app: a\n  |\nstatus: {}\n`)).toMatchObject({
    path: ['spec'],
    word: '',
  });
  expect([...(place(`${service}|`)?.siblings ?? [])].sort()).toEqual(['apiVersion', 'kind', 'metadata']);
});

test('items of lists, indented or not, and the first field after a dash', () => {
  const at = (text: string) => place(`${service}spec:\n${text}`)?.path;
  expect(at('  ports:\n    - po|')).toEqual(['spec', 'ports', '[]']);
  expect(at('  ports:\n    - port: 1\n      na|')).toEqual(['spec', 'ports', '[]']);
  expect(at('  ports:\n  - port: 1\n    na|')).toEqual(['spec', 'ports', '[]']);
  expect(at('  ports:\n  - port: 1\n  ty|')).toEqual(['spec']);
  expect(at('  a:\n    - b:\n        - c: 1\n          d|')).toEqual(['spec', 'a', '[]', 'b', '[]']);
  expect(
    [
      ...(place('spec:\n  ports:\n    - port: 1\n      |\n      name: x\n    - other: 2')?.siblings ?? []),
    ].sort(),
  ).toEqual(['name', 'port']);
});

test('a value belongs to its field; a comment and a sentence are no place', () => {
  expect(place(`${service}spec:\n  type: Clus|`)).toMatchObject({
    path: ['spec', 'type'],
    isValue: true,
    word: 'Clus',
  });
  expect(place('kind: |')).toMatchObject({path: ['kind'], isValue: true, word: ''});
  expect(place('# kind|')).toBeUndefined();
  expect(place('data:\n  a word|')).toBeUndefined();
});

test('each document has a kind of its own', () => {
  expect(place(`${service}---\nkind: Pod\nsp|\n---\nkind: Job\n`)).toMatchObject({kind: 'Pod', path: []});
});
