// The language service of the worker over a small scope: diagnostics, completion, hover, fetches and reads.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {FormulaLanguageService} from './language-service.ts';
import type {FormulaShape} from './protocol.ts';

const folder = dirname(createRequire(import.meta.url).resolve('typescript'));
const libs = {
  get: (name: string) => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch {
      return undefined;
    }
  },
} as unknown as ReadonlyMap<string, string>;

const scope = `
interface Collection<T> {readonly ' item'?: T}
interface Context {fetch<T>(from: Collection<T>, ...filters: unknown[]): readonly T[]; fetchOne<T>(from: Collection<T>): T | undefined}
type One<T> = (ctx: Context, item: T) => unknown;
type Many<T> = (ctx: Context, item: T) => readonly unknown[];
type Singleton = (ctx: Context) => unknown;
interface Pod {readonly metadata: {readonly name: string; readonly labels?: {readonly [name: string]: string}}; readonly spec: {
  /** Where it runs. */
  readonly nodeName?: string}}
interface Items {Pods: Pod; Services: {readonly ports: readonly number[]}}
declare const Pods: Collection<Items['Pods']>;
declare const Services: Collection<Items['Services']>;
`;
const pods: FormulaShape = {kind: 'one', input: 'Pods'};
let service: FormulaLanguageService;
beforeAll(() => {
  service = new FormulaLanguageService(libs);
  service.setScope(scope);
});

test('completion offers no internal names', () => {
  const labels = (code: string) =>
    service.complete(code, pods, code.length)?.offers.map(offer => offer.label) ?? [];
  expect(labels('(ctx, pod) => Pods.')).not.toContain(' item');
  expect(labels('(ctx, pod) => ctx.')).toEqual(['fetch', 'fetchOne']);
});

test('before the first types are there only what is no TypeScript at all is a diagnostic', () => {
  const early = new FormulaLanguageService(libs);
  expect(early.read('(ctx, pod) => pod.spec.nodNam', pods).diagnostics).toEqual([]);
  expect(early.read('(ctx, pod) => ({a: 1,, })', pods).diagnostics).not.toEqual([]);
  early.setScope(scope);
  expect(early.read('(ctx, pod) => pod.spec.nodNam', pods).diagnostics).toHaveLength(1);
});

test('a formula without diagnostics has none; each diagnostic stands where it was typed', () => {
  expect(
    service.read('// a comment first\n(ctx, pod) => ({name: pod.metadata.name})', pods).diagnostics,
  ).toEqual([]);
  const code = '(ctx, pod) => pod.spec.nodName';
  const [diagnostic] = service.read(code, pods).diagnostics;
  expect(diagnostic?.message).toContain("Did you mean 'nodeName'?");
  expect(code.slice(diagnostic?.from, diagnostic?.to)).toBe('nodName');
  expect(service.read('(ctx, pod) => ({', pods).diagnostics[0]?.from).toBeLessThanOrEqual(
    '(ctx, pod) => ({'.length,
  );
  expect(service.read('(ctx, pod) => 1', {kind: 'many', input: 'Pods'}).diagnostics[0]?.message).toContain(
    'not assignable',
  );
});

test('completion offers the fields of the input and the collections, hover tells a type and its words', () => {
  const code = '(ctx, pod) => pod.spec.';
  expect(service.complete(code, pods, code.length)?.offers.map(one => one.label)).toEqual(['nodeName']);
  const call = '(ctx, pod) => ctx.fetch(Ser';
  expect(service.complete(call, pods, call.length)?.offers.map(one => one.label)).toContain('Services');
  expect(service.complete(call, pods, call.length)?.from).toBe(call.length - 3);
  const told = service.hover('(ctx, pod) => pod.spec.nodeName', pods, '(ctx, pod) => pod.spec.no'.length);
  expect(told).toMatchObject({code: '(property) nodeName?: string | undefined', words: 'Where it runs.'});
  const signature = service.signature('(ctx, pod) => ctx.fetch(', pods, '(ctx, pod) => ctx.fetch('.length);
  expect(signature?.code).toContain('fetch(from: Collection<unknown>');
});

test('where it fetches and what it reads, whatever the parameters are called', () => {
  const code = `(c, {metadata: {labels}, spec}) => {
  const where = spec.nodeName;
  return [c.fetch(Services, labels?.app, where), c.fetchOne(
    Pods)];
}`;
  const {fetches, reads} = service.read(code, pods);
  expect(fetches.map(({collection, line}) => [collection, line])).toEqual([
    ['Services', 3],
    ['Pods', 3],
  ]);
  expect(code.slice(fetches[0]?.from, fetches[0]?.to)).toBe('c.fetch(Services, labels?.app, where)');
  expect(reads).toEqual(['metadata.labels', 'metadata.labels.app', 'spec', 'spec.nodeName']);
});

test('a new scope is taken at once, and other parameters with another shape', () => {
  expect(service.read('(ctx) => ctx.fetch(Nodes)', {kind: 'singleton'}).diagnostics).toHaveLength(1);
  service.setScope(`${scope}declare const Nodes: Collection<number>;`);
  expect(service.read('(ctx) => ctx.fetch(Nodes)', {kind: 'singleton'}).diagnostics).toEqual([]);
});
