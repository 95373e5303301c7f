// Which formula main blames for a slow engine process: the running one, not the previous one.
import {afterEach, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import {ask, engineFor, put, until} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

test('a formula that was repeated, as a check or for an answer, is not to blame for what others take after it', async () => {
  const graph = new URL('./host/testing-slow-graph.ts', import.meta.url).href;
  const engine = engineFor({graph, spareMs: 600_000});
  running.push(engine);
  const culprits: string[] = [];
  engine.onQuarantine(({name}) => culprits.push(name));
  const thing = (size: number, milliseconds: number) =>
    put('Things', {metadata: {name: 'a'}, milliseconds, size});
  engine.apply([thing(1, 0)]);
  engine.sourceState('Things', {state: 'synced', synced: true});
  const code = '(ctx, item) => ({name: item.name, double: item.size * 2})';
  const compiled = await compileFormula(code, 'one', 'Slow');
  const reads = ['Slow', ...compiled.names];
  await engine.command({
    command: 'put-formula',
    formula: {name: 'Mine', kind: 'one', input: 'Slow', code, hash: compiled.hash, reads, compiled},
  });
  const double = async () =>
    (await ask<{value: {double: number}}>(engine, {ask: 'item', collection: 'Mine', key: 'a'})).value.double;
  await until(async () => ((await double()) === 2 ? true : undefined));
  // In this batch its run is repeated as a check, and so is the run of Mine.
  engine.apply([thing(2, 1300)]);
  await until(async () => ((await double()) === 4 ? true : undefined));
  const {pid} = engine;
  expect(culprits).toEqual([]);
  await ask(engine, {ask: 'origin', collection: 'Mine', key: 'a'});
  expect(culprits).toEqual([]);
  expect(engine.pid).toBe(pid);
});
