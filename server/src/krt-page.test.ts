// Runs the examples of docs/krt.md, in order and in one scope, and checks every line that ends in `// →`.

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import * as krt from './krt/index.ts';

const page = readFileSync(new URL('../../docs/krt.md', import.meta.url), 'utf8');
const SHOWN = /^(.*); \/\/ → (.*)$/;

function examples(): string {
  return [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(match => match[1]).join('\n');
}

test('[C4] every example of docs/krt.md shows what it says', () => {
  const shown: [string, unknown, unknown][] = [];
  const code = examples()
    .split('\n')
    .map(line => {
      const match = SHOWN.exec(line);
      if (match === null) return line;
      const [, expression, expected] = match as unknown as [string, string, string];
      return `show(${JSON.stringify(expression)}, (${expression}), ${expected});`;
    })
    .join('\n');
  const show = (expression: string, value: unknown, expected: unknown) => {
    shown.push([expression, structuredClone(value), expected]);
  };
  new Function('show', ...Object.keys(krt), code)(show, ...Object.values(krt));
  expect(shown.length).toBeGreaterThan(20);
  for (const [expression, value, expected] of shown) expect(value, expression).toEqual(expected);
});

/** The words of a string union in a source file. */
function wordsOf(file: string, type: string): string[] {
  const source = readFileSync(new URL(`./krt/${file}`, import.meta.url), 'utf8');
  const [, union] = new RegExp(`export type ${type} =([^;]*);`).exec(source) ?? ['', ''];
  return [...(union as string).matchAll(/'([^']+)'/g)].map(match => match[1] as string);
}

/** The fields of an interface in a source file. */
function fieldsOf(file: string, type: string): string[] {
  const source = readFileSync(new URL(`./krt/${file}`, import.meta.url), 'utf8');
  const [, body] = new RegExp(`export interface ${type}(?:<T>)? \\{([\\s\\S]*?)\\n\\}`).exec(source) ?? [
    '',
    '',
  ];
  return [...(body as string).matchAll(/^ {2}(\w+)\??:/gm)].map(match => match[1] as string);
}

test.each([
  ['error code', wordsOf('values/error.ts', 'EngineErrorCode'), 20],
  ['violation', krt.violationCodes, 15],
  ['option of a collection', fieldsOf('values/collection.ts', 'Options'), 11],
  ['option of an engine', fieldsOf('graph/engine.ts', 'EngineOptions'), 4],
  ['public function', Object.keys(krt), 60],
])('[C4] every %s is in docs/krt.md', (_, words, atLeast) => {
  expect(words.length).toBeGreaterThanOrEqual(atLeast);
  expect(words.filter(word => !new RegExp(`\\b${word}\\b`).test(page))).toEqual([]);
});

test('[C4] every error code is used', () => {
  const used = new Set<string>();
  for (const path of globSync('**/*.ts', {cwd: new URL('./krt/', import.meta.url)})) {
    if (path.endsWith('.test.ts') || path === join('values', 'error.ts')) continue;
    const source = readFileSync(new URL(`./krt/${path}`, import.meta.url), 'utf8');
    for (const [, word] of source.matchAll(/'([a-z-]+)'/g)) used.add(word as string);
  }
  expect(wordsOf('values/error.ts', 'EngineErrorCode').filter(code => !used.has(code))).toEqual([]);
});
