import {readFileSync} from 'node:fs';
import {facetsOf, queryPartsOf, questionNames} from '@krtscope/shared/questions.ts';
import type {Request, Response} from 'express';
import {expect, test} from 'vitest';
import {refuseUnknownParameters} from './query-parameters.ts';

function refusal(path: string, ...names: string[]): string | undefined {
  let said: {message?: string; hint?: string} | undefined;
  const query = Object.fromEntries(names.map(name => [name, '1']));
  refuseUnknownParameters(
    {path, baseUrl: '/api/v1', query} as unknown as Request,
    {} as Response,
    failure => {
      said = failure as typeof said;
    },
  );
  return said && `${said.message}; ${said.hint}`;
}

test('a path takes what its question takes and is not in the path, and refuses the rest by name', () => {
  expect(refusal('/collections/Pods/items', 'q', 'sort', 'limit', 'cursor', 'at', 'session')).toBeUndefined();
  expect(refusal('/collections/Pods/items', 'q', 'collection')).toContain('does not take "collection"');
  expect(refusal('/why/Pods/shop%2Fcart', 'att')).toBe(
    '/api/v1/why/Pods/shop%2Fcart does not take "att"; it takes input, run, at, session',
  );
  expect(refusal('/formulas', 'at', 'session')).toBeUndefined();
  expect(refusal('/kinds', 'at')).toBe('/api/v1/kinds does not take "at"; it takes only session');
});

test('docs/api.md names every path of a question with everything that its query takes', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const blank = (path: string) => path.replaceAll(/\{\w+\}|:\w+/g, '{}');
  const lines = page.split('\n').map(blank);
  const missing: string[] = [];
  for (const name of questionNames) {
    const {path} = facetsOf(name);
    if (path === undefined) continue;
    const written = lines.filter(line =>
      new RegExp(`GET ${blank(path).replaceAll(/[{}]/g, '\\$&')}[?\`\\s]`).test(line),
    );
    if (written.length === 0) missing.push(`GET ${path}`);
    for (const part of queryPartsOf(name))
      if (part !== 'at' && !new RegExp(`\\b${part}=`).test(page)) missing.push(`${part}= of ${path}`);
  }
  expect(missing).toEqual([]);
});
