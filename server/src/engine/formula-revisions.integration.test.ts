// Every text of a formula: repeats use the text of their run, also after restarts. A file carries the texts and runs
// none.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {afterEach, expect, test} from 'vitest';
import {compileFormula} from '../formula/compile/formula-compiler.ts';
import {compileModule} from '../formula/compile/module-compiler.ts';
import type {InstallableFormula, InstallableModule} from './link/commands.ts';
import type {EngineHandle} from './link/engine-link.ts';
import {openRecording} from './supervisor/start-engine.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

async function keep(engine: EngineHandle, code: string, wanted: string, input = 'Nodes'): Promise<number> {
  const compiled = await compileFormula(code, 'one', input);
  const formula: InstallableFormula = {
    name: 'Mine',
    kind: 'one',
    input,
    code,
    hash: compiled.hash,
    reads: [input, ...compiled.names],
    compiled,
  };
  await engine.command({command: 'put-formula', formula});
  // First runs go in slices, so wait for the moment with its row.
  return rowIs(engine, row => wanted in row);
}

/** The sequence at which the formula's row has the wanted value. */
async function rowIs(
  engine: EngineHandle,
  holds: (row: Record<string, unknown>) => boolean,
): Promise<number> {
  return until(async () => {
    const {value, sequence} = await ask<{value: Record<string, unknown>; sequence: number}>(engine, {
      ask: 'item',
      collection: 'Mine',
      key: 'a',
    });
    return holds(value) ? sequence : undefined;
  });
}

const machine = (name: string, zone: string) => ({metadata: {name, labels: {zone}}});
const codes = async (engine: EngineHandle, at?: number) =>
  (
    await ask<{formulas: InstallableFormula[]}>(engine, {ask: 'formulas', ...(at === undefined ? {} : {at})})
  ).formulas.map(({code}) => code);
/** Whether the why answer could repeat the run. Only then can it rank causes. */
const reads = async (engine: EngineHandle, at: number) => {
  const {reads: found} = await ask<{reads: {collection: string; paths: string[]}[]}>(engine, {
    ask: 'fields',
    collection: 'Mine',
    key: 'a',
    at,
  });
  return found.flatMap(({paths}) => paths);
};

test('each run is repeated with the text it had', async () => {
  const engine: TestEngine = engineFor();
  running.push(engine);
  engine.apply([put('Nodes', machine('a', 'x'))]);
  engine.sourceState('Nodes', {state: 'synced', synced: true});
  await until(async () => (engine.sequence > 0 ? true : undefined));
  const before = engine.sequence;
  const zones = '(ctx, node) => ({zone: node.metadata.labels.zone})';
  const names = '(ctx, node) => ({name: node.metadata.name})';
  const first = await keep(engine, zones, 'zone');
  engine.apply([put('Nodes', machine('a', 'y'))]);
  const changed = await rowIs(engine, row => row.zone === 'y');
  const second = await keep(engine, names, 'name');

  const told = async (one: EngineHandle) => ({
    before: await codes(one, before),
    first: await codes(one, first),
    second: await codes(one, second),
    now: await codes(one),
  });
  const wanted = {before: [], first: [zones], second: [names], now: [names]};
  expect(await told(engine)).toEqual(wanted);
  expect(await reads(engine, changed)).toEqual(['metadata.labels.zone']);
  expect(await reads(engine, second)).toEqual(['metadata.name']);

  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  expect(await told(engine)).toEqual(wanted);
  expect(await reads(engine, changed)).toEqual(['metadata.labels.zone']);

  const bytes = await engine.export();
  const file = await openRecording(bytes, {name: 'file', memoryMb: 256});
  running.push(file);
  expect(await told(file)).toEqual(wanted);
  // Code in a file is shown and never run.
  await expect(reads(file, changed)).rejects.toThrow(/Mine has no formula here/);
  const why = await ask<Why>(file, {ask: 'why', collection: 'Mine', key: 'a'});
  expect(why.run?.causes[0]?.kind).toBe('formula');
  expect(await keep(file, zones, 'zone').catch(error => (error as {code: string}).code)).toBe('read-only');
});

async function build(engine: EngineHandle, texts: Record<string, string>): Promise<InstallableModule> {
  const compiled = await compileModule('zones.graph.ts', async path => texts[path]);
  const files = compiled.files.map(({path}) => ({path, code: texts[path] ?? ''}));
  const module = {name: 'zones.graph.ts', hash: compiled.hash, compiled, files, sources: {}};
  await engine.command({command: 'put-module', module});
  return module;
}

test('what a formula ran over is told by the input it had then, whatever it has now', async () => {
  const engine: TestEngine = engineFor();
  running.push(engine);
  engine.apply([put('Nodes', machine('a', 'x')), put('Namespaces', machine('a', 'x'))]);
  for (const source of ['Nodes', 'Namespaces']) engine.sourceState(source, {state: 'synced', synced: true});
  await until(async () => (engine.sequence > 0 ? true : undefined));
  const first = await keep(engine, '(ctx, node) => ({zone: node.metadata.labels.zone})', 'zone');
  const told = async () =>
    Promise.all(
      (['why', 'origin'] as const).map(
        async about =>
          (await ask<{sentence: string}>(engine, {ask: about, collection: 'Mine', key: 'a', at: first}))
            .sentence,
      ),
    );
  const before = await told();
  expect(before[0]).toContain('its input is Node a');
  await keep(engine, '(ctx, space) => ({name: space.metadata.name})', 'name', 'Namespaces');
  expect(await told()).toEqual(before);
});

test('a recording carries every text of every build of a module, over restarts too, and runs none of it', async () => {
  const engine: TestEngine = engineFor();
  running.push(engine);
  engine.apply([put('Nodes', machine('a', 'x'))]);
  engine.sourceState('Nodes', {state: 'synced', synced: true});
  await until(async () => (engine.sequence > 0 ? true : undefined));
  const before = engine.sequence;
  const texts = (label: string) => ({
    'zones.graph.ts': `import {newCollection} from 'krtscope/krt';
import {read} from './lib/read.ts';
export function build({collection}: any) {
  newCollection(collection('Nodes'), (ctx, node) => read(node), {name: 'Mine'});
}
`,
    'lib/read.ts': `export const read = (node: any) => ({${label}: node.metadata.labels.zone});\n`,
  });
  await build(engine, texts('zone'));
  const first = await rowIs(engine, row => row.zone === 'x');
  await build(engine, texts('area'));
  const second = await rowIs(engine, row => row.area === 'x');
  // A text that could not be built never ran.
  await build(engine, {...texts('area'), 'lib/read.ts': 'throw new Error("no"); export const read = 1;'});
  engine.apply([put('Nodes', machine('a', 'y'))]);
  await rowIs(engine, row => row.area === 'y');

  const told = async (one: EngineHandle) =>
    Promise.all(
      [before, first, second, undefined].map(async at => {
        const question = {ask: 'formulas' as const, ...(at === undefined ? {} : {at})};
        const {modules} = await ask<{modules: InstallableModule[]}>(one, question);
        return modules.map(({name, files}) => [name, files]);
      }),
    );
  const written = (label: 'zone' | 'area') => [
    [
      'zones.graph.ts',
      ['lib/read.ts', 'zones.graph.ts'].map(path => ({
        path,
        code: texts(label)[path as 'lib/read.ts'],
      })),
    ],
  ];
  const wanted = [[], written('zone'), written('area'), written('area')];
  expect(await told(engine)).toEqual(wanted);

  const good = await build(engine, texts('area'));
  const trouble = {state: 'failing' as const, error: {message: 'a newer text cannot be built'}};
  await engine.command({command: 'put-module', module: {...good, trouble}});
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  // The next process continues with the previous build, and reports the error of the newer one.
  await rowIs(engine, row => row.area === 'y');
  const {collections} = await ask<Graph>(engine, {ask: 'graph'});
  expect(collections.find(({name}) => name === 'Mine')).toMatchObject(trouble);
  expect(await told(engine)).toEqual(wanted);

  const file = await openRecording(await engine.export(), {name: 'file', memoryMb: 256});
  running.push(file);
  expect(await told(file)).toEqual(wanted);
  await expect(reads(file, second)).rejects.toThrow(/Mine has no formula here/);

  await engine.command({command: 'drop-module', name: 'zones.graph.ts'});
  expect((await told(engine)).map(list => list.length)).toEqual([0, 1, 1, 0]);
});
