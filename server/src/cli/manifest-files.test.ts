import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {parseManifest, readManifests} from './manifest-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-manifests-'));
afterAll(() => rmSync(folder, {recursive: true}));

test('all documents of all files of a folder, in order; empty documents are nothing', () => {
  writeFileSync(join(folder, 'b.yaml'), 'kind: B\n---\n---\nkind: C\n');
  writeFileSync(join(folder, 'a.json'), '{"kind": "A"}');
  writeFileSync(join(folder, 'notes.txt'), 'not yaml: [');
  expect(readManifests([folder]).map(({kind}) => kind)).toEqual(['A', 'B', 'C']);
});

test('errors name the file and the line', () => {
  expect(() => readManifests([join(folder, 'none.yaml')])).toThrow(
    /-f .*none\.yaml: there is no such file or folder/,
  );
  expect(() => parseManifest('a: 1\nb: [1\n', 'x.yaml')).toThrow(/^x\.yaml:\d+: /);
  expect(() => parseManifest('- 1', 'x.yaml')).toThrow(/x\.yaml:1: a document is not an object/);
});

test('aliases of aliases are refused', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level++) {
    const [name, before] = ['abcdefghij'[level], 'abcdefghij'[level - 1]];
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
  }
  expect(() => parseManifest(bomb.join('\n'), 'x.yaml')).toThrow(/x\.yaml:1: .*alias/i);
});
