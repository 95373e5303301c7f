import {expect, test} from 'vitest';
import {type Collection, createEngine, newCollection, newStaticCollection} from '../../krt/index.ts';
import {compileFormula} from '../compile/formula-compiler.ts';
import {compileModule} from '../compile/module-compiler.ts';
import {SandboxedFormula} from './sandboxed-formula.ts';
import {type ModuleCollectionPlan, SandboxedModule} from './sandboxed-module.ts';

interface Thing {
  metadata: {name: string; namespace: string};
}

/** A module that makes one collection `Rows` from the collection `Things`. */
async function rig(formula: string, options: string, more = '') {
  const said: string[] = [];
  const engine = createEngine({checks: 'off'});
  const Things = newStaticCollection<Thing>(engine, [{metadata: {name: 'a', namespace: 'ns'}}], {
    name: 'Things',
  });
  const collections = new Map<string, Collection<unknown>>([['Things', Things as never]]);
  const text = `import * as krt from 'krtscope/krt';
export function build({collection}) {
  const rows = krt.newCollection(collection('Things'), ${formula}, {name: 'Rows', ${options}});
  ${more}
}`;
  const around = {
    collection: (name: string) => collections.get(name),
    source: () => undefined,
    index: () => undefined as never,
  };
  const compiled = await compileModule('m.graph.ts', async () => text);
  const module = new SandboxedModule(compiled, around, {onRun: () => said.push('module')});
  for (const {name, runner, inputs, labels, namespace, selector} of module.plan) {
    const made = newCollection(
      collections.get(inputs[0] ?? '') as Collection<unknown>,
      (ctx, item) => runner?.run(ctx, item),
      {name, labels, namespace, selector, key: (row: unknown) => runner?.keys.of(row)} as never,
    );
    collections.set(name, made);
  }
  return {engine, module, said, around, rows: collections.get('Rows') as Collection<unknown>, collections};
}

test("a run that reads what another text's functions say is announced again when it goes on", async () => {
  const {said, around} = await rig('() => ({v: 1})', "selector: () => ({a: 'b'})");
  const code = "(ctx, item) => { ctx.fetch(Rows, selects({a: 'b'})); return {}; }";
  const compiled = await compileFormula(code, 'one', 'Things');
  const formula = new SandboxedFormula({name: 'Reads', kind: 'one', compiled}, around, {
    onRun: () => said.push('formula'),
    onFetchEnd: () => said.push('formula again'),
  });
  said.length = 0;
  newCollection(around.collection('Things') as Collection<unknown>, (ctx, item) => formula.run(ctx, item), {
    name: 'Reads',
    key: row => formula.keys.of(row),
  });
  expect(said).toEqual(['formula', 'module', 'formula again']);
});

test('a key option gives what a row could carry, too: short, and whole characters', async () => {
  const errorOf = async (key: string) =>
    (await rig('() => ({v: 1})', `key: () => ${key}`)).rows.rowState('ns/a')?.error;
  expect(await errorOf("'x'")).toBeUndefined();
  expect(await errorOf("'\\ud800'")).toMatch(/half a character/);
  expect(await errorOf("'x'.repeat(1001)")).toMatch(/more than 1000/);
  expect(await errorOf('7')).toMatch(/a string/);
});

test('what labels, namespace, selector and an index say is data: nothing of it runs when it is read', async () => {
  const hostile = '({get app() { for (;;) {} }, v: {toString() { for (;;) {} }}})';
  const {rows, module, collections} = await rig(
    '() => ({v: 1})',
    `labels: () => ${hostile}, namespace: () => ({toString() { for (;;) {} }}), selector: () => ${hostile}`,
    `const keys = Object.defineProperty(['k'], 'filter', {value: () => [{}]});
  const own = krt.newIndex(rows, 'own', () => keys);
  const long = krt.newIndex(rows, 'long', () => { const all = []; all.length = 4e9; return all; });
  krt.newCollection(rows, ctx => krt.fetch(ctx, rows, krt.filterIndex(own, 'k')).length, {name: 'Own'});
  krt.newCollection(rows, ctx => krt.fetch(ctx, rows, krt.filterIndex(long, 'k')).length, {name: 'Long'});`,
  );
  const [plan] = module.plan as [ModuleCollectionPlan];
  const [row] = rows.list();
  expect([plan.labels(row), plan.namespace(row), plan.selector?.(row)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(collections.get('Own')?.list()).toEqual([1]);
  expect(collections.get('Long')?.rowState('ns/a')?.error).toMatch(/an array of 4000000000/);
});
