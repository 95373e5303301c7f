// Proves that the folders of krt form layers, and that its files import each other without a cycle.
// Type imports count: a reader follows them as well. Lint does not see either.
import {readdirSync, readFileSync} from 'node:fs';
import {join, normalize} from 'node:path';
import {expect, test} from 'vitest';

const root = 'server/src/krt';

/** Bottom first. A folder may import the folders before it and its own files. */
const layers = ['values', 'containers', 'query', 'trace', 'graph', 'run', 'kinds', 'check', 'host'];

const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter(
  path => path.endsWith('.ts') && !path.endsWith('.test.ts') && layers.includes(path.split('/')[0] as string),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) => path as string);
  return found.map(path => normalize(join(file, '..', path)));
}

const imports = new Map(files.map(file => [file, importsOf(file)]));

test('no file imports a layer above its own, nor the test helpers', () => {
  const layerOf = (file: string) => layers.indexOf(file.split('/')[0] as string);
  const upward: string[] = [];
  for (const [file, targets] of imports)
    for (const target of targets)
      if (layerOf(target) < 0 || layerOf(target) > layerOf(file)) upward.push(`${file} → ${target}`);
  expect(upward).toEqual([]);
});

test('no files import each other in a cycle', () => {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(' → '));
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  expect(cycles).toEqual([]);
});

test('every folder of krt but its test helpers has its layer here', () => {
  const folders = readdirSync(root, {withFileTypes: true}).filter(entry => entry.isDirectory());
  expect(
    folders
      .map(({name}) => name)
      .filter(name => name !== 'testing')
      .sort(),
  ).toEqual([...layers].sort());
});
