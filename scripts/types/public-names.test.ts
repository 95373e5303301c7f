// Every public name of the published folders is in a type test.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';

const server = fileURLToPath(new URL('../../server/', import.meta.url));
const source = join(server, 'src');
const typeTests = join(server, 'test', 'types');

/** The names that an index exports, under their public names. */
function exportedNames(face: string): string[] {
  const text = readFileSync(join(source, face, 'index.ts'), 'utf8').replace(
    /\/\*\*.*?\*\/|^\/\/[^\n]*/gms,
    '',
  );
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(','),
  );
  const named = lists.map(item =>
    item
      .trim()
      .replace(/^type /, '')
      .replace(/^.* as /, ''),
  );
  const spaces = [...text.matchAll(/export (?:type )?\* as (\w+)/g)].map(([, name = '']) => name);
  return [...named, ...spaces].filter(name => name !== '');
}

/** The names that type tests import from the index of the folder. */
function testedNames(face: string): Set<string> {
  const files = [
    ...readdirSync(typeTests).map(name => join(typeTests, name)),
    ...readdirSync(join(source, face), {recursive: true, encoding: 'utf8'}).map(name =>
      join(source, face, name),
    ),
  ].filter(file => file.endsWith('.test-d.ts'));
  const names = new Set<string>();
  for (const file of files) {
    const imports = readFileSync(file, 'utf8').matchAll(
      /import (?:type )?\{([^}]*)\} from '([^']*index\.ts)'/g,
    );
    for (const [, list = '', from = ''] of imports) {
      if (join(dirname(file), from) !== join(source, face, 'index.ts')) continue;
      for (const item of list.split(','))
        names.add(
          item
            .trim()
            .replace(/^type /, '')
            .replace(/ as .*$/, ''),
        );
    }
  }
  return names;
}

test.each([
  ['krt', 10],
  ['kube', 10],
  ['cluster', 10],
  ['runtime', 10],
  ['program', 2],
] as const)('every name of krtscope/%s is in a type test', (face, moreThan) => {
  const exported = exportedNames(face);
  expect(exported.length).toBeGreaterThan(moreThan);
  const tested = testedNames(face);
  expect(exported.filter(name => !tested.has(name))).toEqual([]);
});
