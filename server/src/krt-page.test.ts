// Runs the examples of docs/krt.md, in order and in one scope, and checks every line that ends in `// →`.

import {readFileSync} from 'node:fs';
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
