// Formulas whose runs are slow move to a process of their own, and everything else goes on.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {afterEach, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import type {InstallableFormula} from './link/commands.ts';
import type {EngineHandle} from './link/engine-link.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

type SlowTestEngine = TestEngine & {readonly slowPids: readonly number[]};

async function started(): Promise<SlowTestEngine> {
  const engine = engineFor({spareMs: 600_000}) as SlowTestEngine;
  running.push(engine);
  await until(async () => (engine.state === 'ready' ? true : undefined));
  return engine;
}

async function keep(
  engine: EngineHandle,
  name: string,
  code: string,
  given: {input?: string; kind?: 'one' | 'many'; lane?: 'slow'} = {},
): Promise<void> {
  const {input, kind = input === undefined ? 'singleton' : 'one', lane} = given;
  const compiled = await compileFormula(code, kind, input);
  const reads = [...(input === undefined ? [] : [input]), ...compiled.names];
  const formula: InstallableFormula = {name, kind, input, code, hash: compiled.hash, reads, compiled, lane};
  await engine.command({command: 'put-formula', formula});
}

async function node(engine: EngineHandle, name: string): Promise<CollectionNode | undefined> {
  const {collections} = await ask<Graph>(engine, {ask: 'graph'});
  return collections.find(one => one.name === name);
}

async function values(engine: EngineHandle, collection: string): Promise<Record<string, unknown>> {
  const {items} = await ask<Items>(engine, {ask: 'items', collection});
  return Object.fromEntries(items.map(({key, value}) => [key, value]));
}

const machine = (name: string, mood: string) => ({metadata: {name}, mood});
const synced = (engine: EngineHandle) => engine.sourceState('Nodes', {state: 'synced', synced: true});
/** About 250 ms. */
const SORT = `'k3fz9a7q'.repeat(1e5).split('').sort().length`;

test('a formula that data makes slow moves: its rows come late, its readers follow, the others do not wait', async () => {
  const engine = await started();
  await keep(
    engine,
    'Slow',
    `(ctx, n) => ({mood: n.mood, work: n.mood === 'bad' ? ${SORT} : 0, all: ctx.fetch(Nodes, generic(x => x.mood === 'bad')).length})`,
    {input: 'Nodes'},
  );
  await keep(engine, 'Reader', '(ctx) => ({bad: ctx.fetch(Slow).filter(s => s.mood === "bad").length})');
  await keep(engine, 'Fast', '(ctx, n) => ({mood: n.mood})', {input: 'Nodes'});
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  engine.apply(names.map(name => put('Nodes', machine(name, 'good'))));
  synced(engine);
  await until(async () => (Object.keys(await values(engine, 'Slow')).length === 6 ? true : undefined));
  expect((await node(engine, 'Slow'))?.lane).toBe('engine');
  engine.apply(names.map(name => put('Nodes', machine(name, 'bad'))));
  const behind = await until(async () => {
    const found = await node(engine, 'Slow');
    return found?.lane === 'slow' && found.current === false ? found : undefined;
  });
  expect(behind.reason).toMatch(/^recomputing, \d of [4-6]$/);
  expect(await node(engine, 'Reader')).toMatchObject({current: false, behind: 'Slow'});
  expect((await node(engine, 'Fast'))?.current).not.toBe(false);
  // The other collection has its rows at once.
  expect((await values(engine, 'Fast')).a).toEqual({mood: 'bad'});
  await until(async () => ((await node(engine, 'Slow'))?.current === false ? undefined : true));
  const expected = {mood: 'bad', work: 8e5, all: 6};
  expect(await values(engine, 'Slow')).toEqual(Object.fromEntries(names.map(name => [name, expected])));
  expect(await values(engine, 'Reader')).toEqual({static: {bad: 6}});
  expect(engine.slowPids).toHaveLength(1);
  // Another change arrives there as well, and its cause is that change.
  engine.apply([put('Nodes', machine('b', 'good'))]);
  await until(async () =>
    (await values(engine, 'Slow')).c && ((await values(engine, 'Slow')).c as {all: number}).all === 5
      ? true
      : undefined,
  );
  const why = await ask<{sentence: string}>(engine, {ask: 'why', collection: 'Slow', key: 'c'});
  expect(why.sentence).toContain('Node b');
  engine.apply([put('Nodes', machine('b', 'good'), 'delete')]);
  await until(async () => ((await values(engine, 'Slow')).b === undefined ? true : undefined));
  expect((await node(engine, 'Slow'))?.cost?.slowestMs).toBeGreaterThan(50);
});

const current = (engine: EngineHandle, name: string) =>
  until(async () => {
    const found = await node(engine, name);
    return found?.lane === 'slow' && found.current !== false ? found : undefined;
  });

test('a slow formula of each kind gives the rows that the same text gives in the engine process', async () => {
  const engine = await started();
  const texts = {
    one: {
      code: '(ctx, n) => n.mood === "none" ? null : ({mood: n.mood, same: ctx.fetch(Nodes, index(Nodes, "mood", n.mood)).length, own: ctx.fetchOne(Nodes, key(n.metadata.name)).mood})',
      input: 'Nodes',
    },
    many: {
      code: '(ctx, n) => { if (n.mood === "bad") throw new Error("bad " + n.metadata.name); return [1, 2].map(i => ({key: n.metadata.name + i, mood: n.mood})); }',
      input: 'Nodes',
      kind: 'many' as const,
    },
    single: {code: '(ctx) => ({moods: ctx.fetch(Nodes).map(n => n.mood).sort()})'},
    discards: {code: '(ctx, n) => n.mood === "bad" ? ctx.discard() : ({mood: n.mood})', input: 'Nodes'},
  };
  engine.apply([put('Nodes', machine('a', 'good')), put('Nodes', machine('b', 'none'))]);
  synced(engine);
  for (const [name, {code, ...given}] of Object.entries(texts)) {
    await keep(engine, name, code, given);
    await keep(engine, `slow_${name}`, code, {...given, lane: 'slow'});
  }
  const compare = async () => {
    for (const name of Object.keys(texts)) {
      await until(async () => {
        const [fast, slow] = [await node(engine, name), await node(engine, `slow_${name}`)];
        const same =
          JSON.stringify(await values(engine, name)) === JSON.stringify(await values(engine, `slow_${name}`));
        return same && slow?.current !== false && slow?.failed === fast?.failed ? true : undefined;
      });
    }
  };
  await compare();
  const before = engine.sequence;
  engine.apply([put('Nodes', machine('a', 'bad')), put('Nodes', machine('c', 'good'))]);
  await compare();
  expect((await node(engine, 'slow_many'))?.error?.message).toBe('bad a (line 1)');
  engine.apply([put('Nodes', machine('b', 'good'), 'delete'), put('Nodes', machine('a', 'fine'))]);
  await compare();
  // A moment shows what stood after it, also if a result came later.
  const past = await ask<Items>(engine, {ask: 'items', collection: 'slow_one', at: before});
  expect(past.items.map(({key, value}) => [key, value])).toEqual([
    ['a', {mood: 'good', same: 1, own: 'good'}],
  ]);
});

test('its rows survive the end of the engine process and of its own process', async () => {
  const engine = await started();
  await keep(engine, 'Slow', '(ctx, n) => ({mood: n.mood})', {input: 'Nodes', lane: 'slow'});
  engine.apply([put('Nodes', machine('a', 'good')), put('Nodes', machine('b', 'bad'))]);
  synced(engine);
  const rows = {a: {mood: 'good'}, b: {mood: 'bad'}};
  await until(async () => (Object.keys(await values(engine, 'Slow')).length === 2 ? true : undefined));
  await current(engine, 'Slow');
  const restarted = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await restarted;
  expect(await values(engine, 'Slow')).toEqual(rows);
  await current(engine, 'Slow');
  const [slow] = engine.slowPids;
  process.kill(slow as number, 'SIGKILL');
  await until(async () => (engine.slowPids.some(pid => pid !== slow) ? true : undefined));
  engine.apply([put('Nodes', machine('a', 'fine'))]);
  await until(async () =>
    JSON.stringify((await values(engine, 'Slow')).a) === '{"mood":"fine"}' ? true : undefined,
  );
  expect((await values(engine, 'Slow')).b).toEqual({mood: 'bad'});
});

test('a slow formula that never ends is quarantined, and the engine process goes on', async () => {
  const engine = await started();
  const culprits: string[] = [];
  engine.onQuarantine(({name}) => culprits.push(name));
  const code = '(ctx, n) => ({hangs: n.mood === "bad" && /(x+x+)+y/.test("x".repeat(40))})';
  await keep(engine, 'Slow', code, {input: 'Nodes', lane: 'slow'});
  engine.apply([put('Nodes', machine('a', 'good'))]);
  synced(engine);
  await current(engine, 'Slow');
  const {pid} = engine;
  engine.apply([put('Nodes', machine('a', 'bad'))]);
  const found = await until(async () => {
    const now = await node(engine, 'Slow');
    return now?.state === 'quarantined' ? now : undefined;
  });
  expect(found.error?.message).toContain('did not come to an end within a second');
  expect([culprits, engine.pid, engine.slowPids]).toEqual([['Slow'], pid, []]);
});

test('a new text that is fast runs in the engine process again, and the process ends', async () => {
  const engine = await started();
  await keep(engine, 'Slow', '(ctx, n) => ({mood: n.mood})', {input: 'Nodes', lane: 'slow'});
  engine.apply([put('Nodes', machine('a', 'good'))]);
  synced(engine);
  await current(engine, 'Slow');
  await keep(engine, 'Slow', '(ctx, n) => ({mood: n.mood + "!"})', {input: 'Nodes'});
  expect(await values(engine, 'Slow')).toEqual({a: {mood: 'good!'}});
  expect((await node(engine, 'Slow'))?.lane).toBe('engine');
  await until(async () => (engine.slowPids.length === 0 ? true : undefined));
  await engine.command({command: 'drop-formula', name: 'Slow'});
});
