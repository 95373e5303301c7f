// Graph modules in a folder: the example of docs/ on the demo, saved, broken, corrected, hostile, and removed.
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../../../engine/testing-engine.ts';
import {TestInstance} from '../../../start/testing-instance.ts';
import {queryInstance} from '../testing-queries.ts';

const docs = fileURLToPath(new URL('../../../../../docs/graph/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'krtscope-graph-'));
const entry = join(folder, 'health.graph.ts');
const early = join(folder, 'early.graph.ts');
let instance: TestInstance;

beforeAll(async () => {
  cpSync(docs, folder, {recursive: true});
  writeFileSync(
    early,
    `import {newCollection} from 'krtscope/krt';
export function build({collection}: GraphModule) {
  newCollection(collection('Nodes'), () => ({v: /(x+x+)+y/.test('x'.repeat(40))}), {name: 'Early'});
}
`,
  );
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--graph', folder]);
  await instance.ready();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

const {graph, node, rows, modules} = queryInstance(() => instance);
const edit = (change: (text: string) => string) =>
  writeFileSync(entry, change(readFileSync(join(docs, 'health.graph.ts'), 'utf8')));

const own = [
  'ReadyPods',
  'Teams',
  'BackedServices',
  'ServicePorts',
  'NodeLoads',
  'SilentServices',
  'UnownedNamespaces',
  'Notices',
  'Health',
];

test('what is there at the start is tried on rows in the lab process first', async () => {
  const found = await until(
    async () => (await modules()).find(({name, state}) => name === 'early.graph.ts' && state !== 'live'),
    40_000,
  );
  expect(found).toMatchObject({
    state: 'quarantined',
    error: {message: expect.stringContaining('the module was stopped in Early')},
  });
  expect(await node('Early')).toBeUndefined();
  expect(instance.stderr).not.toContain('engine process ended');
  rmSync(early, {force: true});
  await until(async () => ((await modules()).some(({name}) => name === 'early.graph.ts') ? undefined : true));
}, 60_000);

test('the example of docs/ runs, every collection in the graph with the file and line of its fetches', async () => {
  await until(async () => ((await node('Health'))?.size ? true : undefined));
  expect((await modules()).find(({name}) => name === 'health.graph.ts')).toEqual({
    name: 'health.graph.ts',
    state: 'live',
    collections: own,
  });
  for (const name of own)
    expect(await node(name)).toMatchObject({formula: true, module: 'health.graph.ts', synced: true});
  // Compared with the shipped graph's rows for the same Services.
  const infos = new Map((await rows('ServiceInfos')).map(({key, value}) => [key, value as {ready: number}]));
  const backed = await rows('BackedServices');
  expect(backed.length).toBeGreaterThan(3);
  for (const {key, value} of backed)
    expect([key, value]).toMatchObject([key, {ready: infos.get(key)?.ready}]);
  const [health] = await rows('Health');
  expect(health?.value).toMatchObject({ports: (await rows('ServicePorts')).length});
  const {edges} = await graph();
  expect(edges.filter(({to}) => to === 'Notices').map(({from, kind}) => `${from} ${kind}`)).toEqual([
    'SilentServices join',
    'UnownedNamespaces join',
  ]);
  const text = readFileSync(join(docs, 'health.graph.ts'), 'utf8').split('\n');
  const line = text.findIndex(one => one.includes('filterNamespace(namespace)')) + 1;
  const fields = await instance.json<{fetches: {collection: string; line?: string}[]}>(
    `/api/v1/fields/BackedServices/${encodeURIComponent(backed[0]?.key ?? '')}`,
  );
  expect(fields.fetches.map(({collection, line: at}) => `${collection} ${at}`)).toEqual([
    `ReadyPods health.graph.ts:${line}`,
    `Teams health.graph.ts:${line + 5}`,
  ]);
});

test('a save swaps it at once with the cause formula; what has not changed is equal', async () => {
  const before = (await graph()).sequence;
  edit(text => text.replace("?? 'nobody'}),", "?? 'no one'}),"));
  await until(async () => {
    const teams = (await rows('Teams')).map(({value}) => (value as {team: string}).team);
    return teams.includes('no one') ? true : undefined;
  });
  const {runs} = await instance.json<TraceAnswer>(
    `/api/v1/trace?since=${before}&collection=ReadyPods&limit=1000`,
  );
  expect(new Set(runs.map(({outcome}) => outcome))).toEqual(new Set(['equal', 'empty']));
  expect(new Set(runs.flatMap(({causes}) => causes.map(({kind}) => kind)))).toEqual(new Set(['formula']));
  const others = await instance.json<TraceAnswer>(
    `/api/v1/trace?since=${before}&collection=Teams&limit=1000`,
  );
  // The first runs of long lists go on in later batches (slices by time). The swap is one batch.
  const first = (list: TraceAnswer['runs']) => Math.min(...list.map(({sequence}) => sequence));
  expect(first(others.runs)).toBe(first(runs));
});

test('an error keeps the old one and says so, with its place', async () => {
  edit(text => text.replace('ready: found.length,', 'ready: found.length +,'));
  const broken = await until(async () => (await modules()).find(({state}) => state === 'failing'));
  expect(broken.error).toMatchObject({
    message: expect.stringMatching(/^health\.graph\.ts:\d+: /),
    line: expect.any(Number),
  });
  expect(await node('BackedServices')).toMatchObject({state: 'failing'});
  expect((await rows('BackedServices')).length).toBeGreaterThan(3);
  for (const [wrong, said] of [
    ["import {readFile} from 'node:fs';\n", /"node:fs" is refused/],
    ["import {x} from '../outside.ts';\n", /"\.\.\/outside\.ts" is refused/],
    ["import {x} from './nowhere.ts';\n", /no file nowhere\.ts/],
    ['const stolen = process.env;\n', /process is not available/],
    ['throw new Error("not today");\n', /not today \(health\.graph\.ts:1\)/],
    ['for (;;) {}\n', /ran too long/],
  ] as const) {
    edit(text => wrong + text);
    await until(async () => ((await modules())[0]?.error?.message.match(said) ? true : undefined));
    expect((await rows('BackedServices')).length).toBeGreaterThan(3);
  }
  edit(text => text.replace("{name: 'Teams'}", "{name: 'Pods'}"));
  await until(async () =>
    (await modules())[0]?.error?.message.includes('"Pods" already') ? true : undefined,
  );
  edit(text => text);
  await until(async () => ((await modules())[0]?.state === 'live' ? true : undefined));
  expect((await node('BackedServices'))?.state).toBeUndefined();
});

test('collections come and go with a save, a neighbour counts as the module, formulas read them', async () => {
  writeFileSync(
    join(folder, 'Count.ts'),
    'export default formula({}, ctx => ({n: ctx.fetch(Notices).length}));\n',
  );
  await until(async () => ((await node('Count'))?.size === 1 ? true : undefined));
  edit(text =>
    text.replace(/ {2}const unowned = [\s\S]*?\);\n/, '').replace('[silent, unowned]', '[silent]'),
  );
  await until(async () => ((await node('UnownedNamespaces')) === undefined ? true : undefined));
  await until(async () => {
    const [count] = await rows('Count');
    return (count?.value as {n: number} | undefined)?.n === (await rows('SilentServices')).length
      ? true
      : undefined;
  });
  const lib = join(folder, 'lib', 'pods.ts');
  writeFileSync(lib, readFileSync(lib, 'utf8').replace("=== 'Running'", "=== 'Nowhere'"));
  await until(async () => ((await node('ReadyPods'))?.size === 0 ? true : undefined));
  rmSync(entry);
  await until(async () => ((await node('Health')) === undefined ? true : undefined));
  expect(await node('Count')).toMatchObject({state: 'failing', error: {message: 'waits for Notices'}});
});

test('a hostile save costs no restart: the lab finds out, the old build goes on and says why', async () => {
  const file = join(folder, 'held.graph.ts');
  const text = (inFormula: string, inBuild = '') => `import {newCollection, newSingleton} from 'krtscope/krt';
export function build({engine, collection}: GraphModule) {
  ${inBuild}
  const names = newCollection(collection('Nodes'), (ctx, node) => ({v: ${inFormula}}), {name: 'Held'});
  newSingleton(engine, ctx => ({n: names === undefined ? 0 : 1}), {name: 'HeldOne'});
}
`;
  const regex = "/(x+x+)+y/.test('x'.repeat(40))";
  const module = async () => (await modules()).find(({name}) => name === 'held.graph.ts');
  const values = async () => new Set((await rows('Held')).map(({value}) => (value as {v: unknown}).v));
  writeFileSync(file, text('1'));
  await until(async () => ((await values().catch(() => new Set())).has(1) ? true : undefined));
  for (const [hostile, said] of [
    [text('1', regex), /the module was stopped in build: /],
    [text(regex), /the module was stopped in Held: .*did not end/],
    [text("'x'.repeat(2 ** 28).split('').length"), /the module was stopped in Held: /],
    [text('2', 'for (;;);'), /ran too long/],
    [text('2', 'collection("Nowhere");'), /^waits for Nowhere$/],
  ] as const) {
    writeFileSync(file, hostile);
    const state = await until(async () => {
      const now = await module();
      return now?.error?.message.match(said) ? now : undefined;
    }, 40_000);
    expect(state).toMatchObject({state: 'failing', collections: ['Held', 'HeldOne']});
    expect(await node('Held')).toMatchObject({
      state: 'failing',
      error: {message: expect.stringMatching(said)},
    });
    expect(await values()).toEqual(new Set([1]));
  }
  expect(instance.stderr).not.toContain('engine process ended');
  writeFileSync(file, text('2'));
  await until(async () => ((await values()).has(2) ? true : undefined));
  expect(await module()).toEqual({name: 'held.graph.ts', state: 'live', collections: ['Held', 'HeldOne']});
  expect((await node('Held'))?.state).toBeUndefined();

  // Without an earlier build there is nothing to keep.
  writeFileSync(join(folder, 'bad.graph.ts'), text(regex).replaceAll('Held', 'Bad'));
  await until(async () =>
    (await modules()).some(({name, state}) => name === 'bad.graph.ts' && state === 'quarantined')
      ? true
      : undefined,
  );
  expect(await node('Bad')).toBeUndefined();
  expect(instance.stderr).not.toContain('engine process ended');
  rmSync(join(folder, 'bad.graph.ts'));
  rmSync(file);
  await until(async () => ((await node('Held')) === undefined ? true : undefined));
}, 120_000);

test('one whose rows fail says so, and is live again when they do not', async () => {
  const file = join(folder, 'rows.graph.ts');
  const text = (body: string) => `import {newCollection} from 'krtscope/krt';
export function build({collection}: GraphModule) {
  newCollection(collection('Nodes'), (ctx, n) => { ${body} }, {name: 'RowsOfIt', key: r => r.key});
}
`;
  const stateOf = async () => (await modules()).find(({name}) => name === 'rows.graph.ts');
  writeFileSync(file, text('return null.x;'));
  const found = await until(async () => {
    const now = await stateOf();
    return now?.state === 'failing' ? now : undefined;
  });
  expect(found.error?.message).toMatch(/^RowsOfIt: Cannot read properties of null/);
  writeFileSync(file, text('return {key: n.metadata.name};'));
  await until(async () => ((await stateOf())?.state === 'live' ? true : undefined));
  rmSync(file);
  await until(async () => ((await node('RowsOfIt')) === undefined ? true : undefined));
}, 60_000);

test('one that data makes hostile later costs one restart and is quarantined', async () => {
  const trigger = (on: boolean) =>
    writeFileSync(join(folder, 'Trigger.ts'), `export default formula({}, ctx => ({on: ${on}}));\n`);
  trigger(false);
  await until(async () => ((await node('Trigger'))?.size === 1 ? true : undefined));
  writeFileSync(
    join(folder, 'bad.graph.ts'),
    `import {fetchOne, newSingleton} from 'krtscope/krt';
export function build({engine, collection}: GraphModule) {
  const trigger = collection('Trigger');
  newSingleton(
    engine,
    ctx => ({bad: fetchOne(ctx, trigger).on && /(x+x+)+y/.test('x'.repeat(40))}),
    {name: 'Bad'},
  );
}
`,
  );
  await until(async () => ((await node('Bad'))?.size === 1 ? true : undefined));
  trigger(true);
  await until(async () => ((await modules())[0]?.state === 'quarantined' ? true : undefined), 40_000);
  await until(async () => ((await node('Pods'))?.size ? true : undefined), 40_000);
  // Its collection stays in the graph and says why it has no rows.
  expect(await node('Bad')).toMatchObject({
    state: 'quarantined',
    module: 'bad.graph.ts',
    size: 0,
    error: {message: expect.stringContaining('quarantined until its code is changed')},
  });
  expect(instance.stderr.match(/engine process ended/g)?.length).toBe(1);
}, 90_000);
