// Why, after a graph module renames, replaces or drops collections and a formula is deleted, names what happened.
import type {Why} from '@krtscope/shared/why.ts';
import {afterEach, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import {compileModule} from '../formula/compile/module-compiler.ts';
import type {EngineHandle} from './link/engine-link.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

/** A module with a collection of this name over Nodes, and Reader over that. */
const text = (name: string, field = 'zone') => `import {newCollection} from 'krtscope/krt';
export function build({collection}: GraphModule) {
  const first = newCollection(collection('Nodes'), (_ctx, node) => ({${field}: node.metadata.labels.zone}), {name: '${name}'});
  newCollection(first, (_ctx, row) => ({copy: row.${field}}), {name: 'Reader'});
}
`;

async function build(engine: EngineHandle, code: string): Promise<void> {
  const compiled = await compileModule('zones.graph.ts', async () => code);
  const files = [{path: 'zones.graph.ts', code}];
  const module = {name: 'zones.graph.ts', hash: compiled.hash, compiled, files, sources: {}};
  await engine.command({command: 'put-module', module});
}

/** Waits until the collection has the row, or has it no more. */
async function rowExists(engine: EngineHandle, collection: string, exists = true): Promise<number> {
  return until(async () => {
    const found = await ask<{sequence: number}>(engine, {ask: 'item', collection, key: 'a'}).catch(
      () => undefined,
    );
    return (found !== undefined) === exists ? engine.sequence : undefined;
  });
}

/** The sentence about the deletion of a row between two moments. */
async function sentenceOfDeletion(
  engine: EngineHandle,
  collection: string,
  from: number,
  to: number,
): Promise<string> {
  for (let at = to; at > from; at--) {
    const why = await ask<Why>(engine, {ask: 'why', collection, key: 'a', at}).catch(() => undefined);
    if (why !== undefined && why.sequence > from && / deleted /.test(why.sentence)) return why.sentence;
  }
  throw new Error(`no deletion of ${collection} a between #${from} and #${to}`);
}

test('a removed, renamed or rebuilt collection is named as such, also after a restart', async () => {
  const engine: TestEngine = engineFor();
  running.push(engine);
  engine.apply([put('Nodes', {metadata: {name: 'a', labels: {zone: 'x'}}})]);
  engine.sourceState('Nodes', {state: 'synced', synced: true});
  await build(engine, text('Zones'));
  const built = await rowExists(engine, 'Reader');
  await build(engine, text('Areas'));
  await rowExists(engine, 'Areas');
  const renamed = await rowExists(engine, 'Reader');

  const compiled = await compileFormula('(ctx, node) => ({n: 1})', 'one', 'Nodes');
  const {hash} = compiled;
  const formula = {
    name: 'Mine',
    kind: 'one' as const,
    input: 'Nodes',
    code: '',
    hash,
    reads: ['Nodes'],
    compiled,
  };
  await engine.command({command: 'put-formula', formula});
  const saved = await rowExists(engine, 'Mine');
  await engine.command({command: 'drop-formula', name: 'Mine'});
  engine.apply([put('Nodes', {metadata: {name: 'b', labels: {zone: 'x'}}})]);
  const dropped = await until(async () => (engine.sequence > saved + 1 ? engine.sequence : undefined));

  const sentences = async () => [
    await sentenceOfDeletion(engine, 'Zones', built, renamed),
    await sentenceOfDeletion(engine, 'Reader', built, renamed),
    await sentenceOfDeletion(engine, 'Mine', saved, dropped),
  ];
  const expected = [
    expect.stringContaining('deleted because its collection was removed: zones.graph.ts no longer builds it'),
    expect.stringContaining(
      'deleted because its collection was built again: it reads Zones, which was removed or built again',
    ),
    expect.stringContaining('deleted because its collection was removed'),
  ];
  expect(await sentences()).toEqual(expected);
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  await rowExists(engine, 'Reader');
  expect(await sentences()).toEqual(expected);
});

test('a formula whose input comes back was not replaced', async () => {
  const engine: TestEngine = engineFor();
  running.push(engine);
  engine.apply([put('Nodes', {metadata: {name: 'a', labels: {zone: 'x'}}})]);
  engine.sourceState('Nodes', {state: 'synced', synced: true});
  await build(engine, text('Zones'));
  await rowExists(engine, 'Zones');
  const total = async (code: string) => {
    const compiled = await compileFormula(code, 'one', 'Nodes');
    const {hash} = compiled;
    const formula = {name: 'Total', kind: 'one' as const, input: 'Nodes', code, hash, compiled};
    await engine.command({command: 'put-formula', formula: {...formula, reads: ['Nodes', 'Zones']}});
    await rowExists(engine, 'Total');
  };
  await total('(ctx, node) => ({n: ctx.fetch(Zones).length})');
  await build(engine, text('Areas'));
  const why = () => ask<Why>(engine, {ask: 'why', collection: 'Total', key: 'a'});
  await until(async () => ((await why()).outcome === 'deleted' ? true : undefined));
  await build(engine, text('Zones'));
  await until(async () => ((await why()).outcome === 'added' ? true : undefined));
  expect((await why()).sentence).toContain(
    'added because its collection was built again: it reads Zones, which was removed or built again',
  );
  await total('(ctx, node) => ({n: ctx.fetch(Zones).length + 1})');
  await until(async () => ((await why()).sentence.includes('its formula was replaced') ? true : undefined));
});
