// Saved formulas that data makes hostile: each costs one engine restart and is quarantined, and everything else
// continues. preview.integration.test.ts has the same list as drafts.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {afterEach, describe, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import type {Culprit, InstallableFormula} from './link/commands.ts';
import type {EngineHandle} from './link/engine-link.ts';
import {ask, engineFor, put, type TestEngine, until} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

function started(memoryMb = 512): {engine: TestEngine; culprits: string[]} {
  const engine = engineFor({memoryMb, spareMs: 600_000});
  running.push(engine);
  const culprits: string[] = [];
  engine.onQuarantine(({name}: Culprit) => culprits.push(name));
  return {engine, culprits};
}

async function orderOf(
  name: string,
  code: string,
  input: string | null = 'Nodes',
): Promise<InstallableFormula> {
  const kind = input === null ? 'singleton' : 'one';
  const compiled = await compileFormula(code, kind, input ?? undefined);
  const reads = [...(input === null ? [] : [input]), ...compiled.names];
  return {name, kind, ...(input === null ? {} : {input}), code, hash: compiled.hash, reads, compiled};
}

const keep = async (engine: EngineHandle, name: string, code: string, input?: string | null) =>
  engine.command({command: 'put-formula', formula: await orderOf(name, code, input)});

const machine = (name: string, mood: string) => ({metadata: {name}, mood});

async function node(engine: EngineHandle, name: string): Promise<CollectionNode | undefined> {
  const {collections} = await ask<Graph>(engine, {ask: 'graph'});
  return collections.find(one => one.name === name);
}

const rows = async (engine: EngineHandle, collection: string) =>
  (await ask<Items>(engine, {ask: 'items', collection})).items.map(({key}) => key);

const synced = (engine: EngineHandle) => engine.sourceState('Nodes', {state: 'synced', synced: true});

/** The run's fuel or the compartment stops these: the run fails, and no process dies. */
const contained = {
  'an endless loop': 'for (;;) {}',
  'a loop that catches everything': 'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }',
  'deep recursion': 'const f = n => 1 + f(n + 1); return f(0);',
  'a string bomb by doubling': 'let s = "x"; for (;;) s += s;',
  'an array bomb': 'const a = []; for (;;) a.push(a.length);',
  'a Map bomb': 'const m = new Map(); for (;;) m.set(m.size, m.size);',
  'a million outputs': 'const a = []; for (let i = 0; i < 1e6; i++) a.push({i}); return a;',
  'constructor.constructor': 'return item.constructor.constructor("return process")().pid;',
  'prototype pollution': 'Object.prototype.polluted = 1; return 1;',
  'changing its input': 'item.metadata.name = "x"; return item;',
  'a getter as result': 'return {get a() { return 1; }};',
  'toJSON as result': 'return {toJSON: () => 1, a: 1};',
  'what is no JSON': 'return {f: () => 1};',
  'a BigInt': 'return {n: 10n};',
  'an empty key': 'return {key: ""};',
  'throwing what is no error': 'throw {toString() { throw 1; }};',
  'throwing null': 'throw null;',
};

test('no stack that a formula can read tells where krtscope is on the disk, and its own lines are still told', async () => {
  const {engine} = started();
  await until(async () => (engine.state === 'ready' ? true : undefined));
  await keep(
    engine,
    'Stacks',
    `(ctx, item) => {
      const deep = n => (n === 0 ? new Error('x').stack : deep(n - 1));
      if (item.mood === 'bad') null.x;
      let fetched = '';
      try { ctx.fetch(item); } catch (error) { fetched = error.stack; }
      return {stacks: [new Error('x').stack, deep(3), fetched]};
    }`,
  );
  engine.apply([put('Nodes', machine('a', 'good')), put('Nodes', machine('b', 'bad'))]);
  synced(engine);
  const {items} = await until(async () => {
    const found = await ask<Items>(engine, {ask: 'items', collection: 'Stacks'});
    return found.items.length > 0 ? found : undefined;
  });
  const {stacks} = items[0]!.value as {stacks: string[]};
  expect(stacks).toHaveLength(3);
  for (const stack of stacks) {
    expect(stack).toMatch(/\n +at /);
    expect(stack.match(/(?:file:|[\s(])\/\S*/g)).toBeNull();
  }
  const why = await ask<unknown>(engine, {ask: 'why', collection: 'Stacks', key: 'b'});
  expect(JSON.stringify(why)).toContain('(line 3)');
});

describe('what turns hostile when data says so', () => {
  test('fails for that input alone where the run can be ended', async () => {
    const {engine, culprits} = started();
    await until(async () => (engine.state === 'ready' ? true : undefined));
    const {pid} = engine;
    const names = Object.values(contained).map((body, i) => ({name: `Hostile${i}`, body}));
    for (const {name, body} of names)
      await keep(
        engine,
        name,
        `(ctx, item) => { if (item.mood === 'bad') { ${body} } return {mood: item.mood}; }`,
      );
    engine.apply([put('Nodes', machine('a', 'good')), put('Nodes', machine('b', 'good'))]);
    synced(engine);
    await until(async () => ((await rows(engine, 'Hostile0')).length === 2 ? true : undefined));
    engine.apply([put('Nodes', machine('a', 'bad'))]);
    for (const {name, body} of names) {
      const failed = await until(async () =>
        (await node(engine, name))?.failed === 1 ? node(engine, name) : undefined,
      );
      expect([body, failed?.state, failed?.size]).toEqual([body, 'failing', 2]);
    }
    // Corrected data repairs every one of them.
    engine.apply([put('Nodes', machine('a', 'good'))]);
    for (const {name} of names)
      await until(async () => ((await node(engine, name))?.failed === 0 ? true : undefined));
    expect([culprits, engine.pid]).toEqual([[], pid]);
  });

  test.each(
    Object.entries({
      'a catastrophic regular expression': '/(x+x+)+y/.test("x".repeat(40))',
      'a string that fills memory': "'x'.repeat(2 ** 28).split('')",
      'a BigInt that grows': 'let n = 3n; for (let i = 0; i < 40; i++) n = n * n;',
      'an array of arrays': 'const a = []; for (let i = 0; i < 5e5; i++) a.push(new Array(1e4).fill(i));',
      'a filter that never ends':
        'return ctx.fetch(Nodes, generic(n => /(x+x+)+y/.test("x".repeat(40)))).length',
    }),
  )(
    '%s costs one restart and is quarantined',
    async (_what, body) => {
      const {engine, culprits} = started(256);
      await keep(engine, 'Fine', '(ctx, item) => ({mood: item.mood})');
      await keep(
        engine,
        'Hostile',
        `(ctx, item) => { if (item.mood === 'bad') { ${body} } return {mood: item.mood}; }`,
      );
      await keep(engine, 'Reader', '(ctx) => ({n: ctx.fetch(Hostile).length})', null);
      engine.apply([put('Nodes', machine('a', 'good')), put('Nodes', machine('b', 'good'))]);
      synced(engine);
      await until(async () => ((await rows(engine, 'Hostile')).length === 2 ? true : undefined));
      engine.apply([put('Nodes', machine('a', 'bad'))]);
      await until(async () => ((await node(engine, 'Hostile'))?.state === 'quarantined' ? true : undefined));
      expect(culprits).toEqual(['Hostile']);
      // The object that triggered it is applied: none was withheld.
      await until(async () => {
        const {items} = await ask<Items>(engine, {ask: 'items', collection: 'Fine'});
        return items.some(({value}) => (value as {mood: string}).mood === 'bad') ? true : undefined;
      });
      expect(engine.gaps.some(({text}) => text.includes('is not shown'))).toBe(false);
      expect((await node(engine, 'Reader'))?.waitingFor).toBe('Hostile');
      engine.apply([put('Nodes', machine('c', 'good'))]);
      await until(async () => ((await rows(engine, 'Fine')).length === 3 ? true : undefined));
      // With corrected data it works again.
      await keep(engine, 'Hostile', '(ctx, item) => ({mood: item.mood})');
      await until(async () => ((await rows(engine, 'Hostile')).length === 3 ? true : undefined));
      const {items} = await ask<Items>(engine, {ask: 'items', collection: 'Reader'});
      expect(items[0]?.value).toEqual({n: 3});
    },
    90_000,
  );

  test('two in turn end in two quarantines and a running graph', async () => {
    const {engine, culprits} = started();
    const hostile = (mood: string) =>
      `(ctx, item) => { if (item.mood === '${mood}') /(x+x+)+y/.test('x'.repeat(40)); return 1; }`;
    await keep(engine, 'One', hostile('bad'));
    await keep(engine, 'Two', `${hostile('bad')} // the other`);
    await keep(engine, 'Fine', '(ctx, item) => ({mood: item.mood})');
    engine.apply([put('Nodes', machine('a', 'good'))]);
    synced(engine);
    await until(async () => ((await rows(engine, 'Two')).length === 1 ? true : undefined));
    engine.apply([put('Nodes', machine('a', 'bad'))]);
    await until(
      async () => ((await node(engine, 'Two'))?.state === 'quarantined' ? true : undefined),
      40_000,
    );
    expect(culprits.sort()).toEqual(['One', 'Two']);
    expect((await node(engine, 'One'))?.state).toBe('quarantined');
    engine.apply([put('Nodes', machine('b', 'good'))]);
    await until(async () => ((await rows(engine, 'Fine')).length === 2 ? true : undefined));
  }, 90_000);
});
