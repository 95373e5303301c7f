// Saved formulas on a running demo: every answer of the contract, files, restarts, and hostile formulas.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Preview, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Incident, Incidents} from '@krtscope/shared/incidents.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../../engine/testing-engine.ts';
import {TestInstance} from '../../start/testing-instance.ts';
import {queryInstance} from './testing-queries.ts';

const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
let instance: TestInstance;
const folder = mkdtempSync(join(tmpdir(), 'krtscope-graph-'));
const flags = ['--demo', '--port', '0', '--no-open', '--demo-pace', '1', '--graph', folder];

beforeAll(async () => {
  instance = new TestInstance(flags);
  await instance.ready();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

async function send<T>(method: string, path: string, body?: unknown): Promise<{status: number; body: T}> {
  const answer = await instance.get(`/api/v1${path}`, {
    method,
    headers: {'content-type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await answer.text();
  return {status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as T};
}

async function keep(body: object): Promise<SavedFormula> {
  const {status, body: said} = await send<SavedFormula>('POST', '/formulas', body);
  expect([status, said]).toEqual([201, said]);
  return said;
}

const {graph, node} = queryInstance(() => instance);
const items = (name: string, query = '') => instance.json<Items>(`/api/v1/collections/${name}/items${query}`);

test('a kept formula is a collection like any other', async () => {
  const kept = await keep({
    name: 'PodNodes',
    input: 'Pods',
    code: `(ctx, pod) => ({
  node: pod.spec.nodeName,
  services: ctx.fetch(Services, namespace(pod.metadata.namespace), selectsNonEmpty(pod.metadata.labels)).map(nameOf),
})`,
  });
  const pods = await node('Pods');
  expect(kept).toMatchObject({name: 'PodNodes', kind: 'one', input: 'Pods', state: 'live', failed: 0});
  expect(Math.abs(kept.items - (pods?.size ?? 0))).toBeLessThan(5);
  expect(kept.checks.map(({code}) => code)).toContain('deterministic');
  expect(await node('PodNodes')).toMatchObject({formula: true, kind: 'derived', synced: true});
  const {edges} = await graph();
  expect(edges.filter(({to}) => to === 'PodNodes').map(({from, kind}) => `${from} ${kind}`)).toEqual(
    expect.arrayContaining(['Pods input', 'Services fetch']),
  );
  const {items: rows} = await items('PodNodes', '?limit=3');
  expect(rows[0]?.value).toEqual({node: expect.any(String), services: expect.any(Array)});
  const why = await instance.json<Why>(`/api/v1/why/PodNodes/${encodeURIComponent(rows[0]?.key ?? '')}`);
  expect(why.run?.fetches[0]?.collection).toBe('Services');
  expect((await send<SavedFormula>('GET', '/formulas/PodNodes')).body.code).toBe(kept.code);
  expect(
    (await send<{formulas: SavedFormula[]}>('GET', '/formulas')).body.formulas.map(({name}) => name),
  ).toEqual(['PodNodes']);
});

test('its rows have the keys of their inputs in repeats, too: no finding, and a repeat that counts', async () => {
  const {items: rows} = await items('PodNodes', '?limit=1000');
  expect(rows.length).toBeGreaterThan(20);
  const {checks} = await instance.json<{checks: {collection: string}[]}>('/api/v1/checks');
  expect(checks.filter(({collection}) => collection === 'PodNodes')).toEqual([]);
  const {steps} = await instance.json<Origin>(
    `/api/v1/origin/PodNodes/${encodeURIComponent(rows[0]?.key ?? '')}?field=node`,
  );
  expect(steps[0]?.evidence.repeat).toBe('same');
});

test('others read it, an edit runs what is downstream again with the cause "formula"', async () => {
  const summary = await keep({
    name: 'Busiest',
    code: '(ctx) => countBy(ctx.fetch(PodNodes), p => p.node)',
  });
  expect(summary).toMatchObject({kind: 'singleton', items: 1, state: 'live'});
  const before = (await items('Busiest')).items[0]?.value as Record<string, number>;
  const {revision, code} = (await send<SavedFormula>('GET', '/formulas/PodNodes')).body;
  const changed = await send<SavedFormula>('PUT', '/formulas/PodNodes', {
    code: code.replace('pod.spec.nodeName', "'on ' + pod.spec.nodeName"),
    revision,
  });
  expect(changed.status).toBe(200);
  expect(changed.body.revision).not.toBe(revision);
  const after = (await items('Busiest')).items[0]?.value as Record<string, number>;
  expect(Object.keys(after).sort()).toEqual(
    Object.keys(before)
      .map(name => `on ${name}`)
      .sort(),
  );
  const [row] = (await items('PodNodes', '?limit=1')).items;
  const why = await instance.json<Why>(`/api/v1/why/PodNodes/${encodeURIComponent(row?.key ?? '')}`);
  expect(why.run?.causes.map(({kind}) => kind)).toEqual(['formula']);
  // A client with the older revision does not overwrite the newer one.
  const late = await send<ApiFailure>('PUT', '/formulas/PodNodes', {code, revision});
  expect([late.status, late.body.code]).toEqual([409, 'out-of-date']);
});

test('what cannot be is refused, with its place', async () => {
  const refused = async (body: object, method = 'POST', path = '/formulas') => {
    const {status, body: said} = await send<ApiFailure>(method, path, body);
    return {status, ...said};
  };
  const code = '(ctx, pod) => 1';
  expect(await refused({name: 'podnodes', input: 'Pods', code})).toMatchObject({status: 409, code: 'taken'});
  expect(await refused({name: 'pods', input: 'Pods', code})).toMatchObject({status: 409, code: 'taken'});
  expect(await refused({name: 'key', input: 'Pods', code})).toMatchObject({status: 422, code: 'bad-formula'});
  expect(await refused({name: 'ctx', input: 'Pods', code})).toMatchObject({status: 422, code: 'bad-formula'});
  expect(await refused({name: 'Pods', input: 'Pods', code})).toMatchObject({status: 409, code: 'taken'});
  expect(await refused({name: 'Pods'}, 'PUT', '/formulas/Busiest')).toMatchObject({
    status: 409,
    code: 'taken',
  });
  expect(await refused({name: 'a/b', input: 'Pods', code})).toMatchObject({status: 422});
  expect(await refused({name: 'A', input: 'Pods', code: 'async (ctx, pod) => 1'})).toMatchObject({
    status: 422,
    errors: [{line: 1, column: 1, message: expect.stringContaining('async')}],
  });
  expect(
    await refused({name: 'A', input: 'Pods', code: '(ctx, pod) =>\n  ctx.fetch(Nowhere)'}),
  ).toMatchObject({
    status: 422,
    errors: [{line: 2, column: 13, message: expect.stringContaining('Nowhere')}],
  });
  // The input is a requested collection and not a place in the code, so this is 404, as in a preview.
  const nowhere = {status: 404, code: 'unknown-collection'};
  expect(await refused({name: 'A', input: 'Nowhere', code})).toMatchObject(nowhere);
  expect(await refused({name: 'A', input: 'Nowhere', code: '(ctx, x) => ctx.fetch(Nowhere)'})).toMatchObject(
    nowhere,
  );
  expect(await refused({name: 'A', input: 'Pods', kind: 'singleton', code})).toMatchObject({status: 400});
  expect(await refused({name: 'A', code: '(ctx) => ctx.fetch(A).length'})).toMatchObject({
    status: 422,
    errors: [{line: 1, column: 20, message: 'the formulas form a cycle: A → A'}],
  });
  expect(
    await refused({code: '(ctx, pod) => ctx.fetch(Busiest).length'}, 'PUT', '/formulas/PodNodes'),
  ).toMatchObject({
    status: 422,
    errors: [{message: 'the formulas form a cycle: PodNodes → Busiest → PodNodes'}],
  });
  expect(await refused({name: 'Renamed'}, 'PUT', '/formulas/PodNodes')).toMatchObject({
    status: 409,
    code: 'in-use',
    readers: ['Busiest'],
  });
  const deleted = await send<ApiFailure>('DELETE', '/formulas/PodNodes');
  expect([deleted.status, deleted.body.readers]).toEqual([409, ['Busiest']]);
  expect((await send('GET', '/formulas/Nope')).status).toBe(404);
  expect(
    await refused({
      name: 'A',
      input: 'Pods',
      code: '(ctx, pod) => { for (const a = /(x+x+)+y/; a.test("x".repeat(40)););}',
    }),
  ).toMatchObject({
    status: 422,
    errors: [{message: expect.stringContaining('was stopped')}],
  });
});

test('what was stopped in the preview is refused when it is saved, in the same words', async () => {
  // It hangs at the last Pod, and is too slow to get there by itself.
  const key = (await items('Pods', '?sort=-key&limit=1')).items[0]?.key;
  const code = `(ctx, pod) => /(x+x+)+y/.test("x".repeat(keyOf(pod) === ${JSON.stringify(key)} ? 40 : 23))`;
  const {body: preview} = await send<Preview>('POST', '/formulas/preview', {
    code,
    input: 'Pods',
    keys: [key],
  });
  const message = preview.rows[0]?.error?.message;
  expect(message).toMatch(/^the formula was stopped: /);
  const {status, body} = await send<ApiFailure>('POST', '/formulas', {name: 'Stops', input: 'Pods', code});
  expect([status, body.errors?.[0]?.message]).toEqual([422, message]);
});

test('rows that fail are counted and shown, the rest stands', async () => {
  const kept = await keep({
    name: 'Picky',
    input: 'Pods',
    code: '(ctx, pod) => {\n  if (pod.metadata.namespace === "shop") throw new Error("no shops");\n  return {ok: true};\n}',
  });
  expect(kept).toMatchObject({
    state: 'failing',
    error: {line: 2, message: expect.stringContaining('no shops')},
  });
  expect(kept.failed).toBeGreaterThan(0);
  expect(kept.items).toBeGreaterThan(0);
  expect(await node('Picky')).toMatchObject({state: 'failing', error: {line: 2}});
  expect((await send('DELETE', '/formulas/Picky')).status).toBe(204);
  expect(await node('Picky')).toBeUndefined();
});

test('a formula that fails from its first run on is its own fault, however often its input changes', async () => {
  const failing = await keep({name: 'Keyless', input: 'Pods', kind: 'many', code: '(ctx, pod) => [{a: 1}]'});
  expect(failing).toMatchObject({state: 'failing', items: 0});
  const input = failing.error?.input ?? '';
  const key = encodeURIComponent(input);
  const runs = async () =>
    (await instance.json<TraceAnswer>('/api/v1/trace?collection=Keyless&limit=1000')).runs.length;
  await until(async () => (await runs()) > failing.failed || undefined);
  const origin = await instance.json<Origin>(`/api/v1/origin/Keyless/${key}?input=1`);
  expect([origin.write, origin.sentence]).toEqual([
    null,
    expect.stringMatching(/^Keyless .* failed with .*\. Its formula was set in #\d+\.$/),
  ]);
  // The origin is the later Pod's creation: without it nothing would have failed.
  const holds = (one: Incident) =>
    one.symptoms.some(({collection, keys}) => collection === 'Keyless' && keys.includes(input));
  const opened = await until(async () => {
    const found = (await instance.json<Incidents>('/api/v1/incidents')).incidents.filter(holds);
    return found.length > 0 ? found : undefined;
  });
  expect(opened.map(one => one.origin.write)).toEqual([null]);
  await send('DELETE', '/formulas/Keyless');
});

test('another input, another kind, another name', async () => {
  await keep({name: 'First', input: 'Services', code: '(ctx, s) => ({name: nameOf(s)})'});
  await keep({name: 'Second', code: '(ctx) => ({n: ctx.fetch(First).length})'});
  const {body} = await send<SavedFormula>('PUT', '/formulas/First', {
    input: 'Namespaces',
    kind: 'many',
    code: '(ctx, n) => [{key: nameOf(n)}, {key: nameOf(n) + "/2"}]',
  });
  expect(body).toMatchObject({kind: 'many', input: 'Namespaces', state: 'live'});
  const namespaces = (await node('Namespaces'))?.size ?? 0;
  expect((await items('Second')).items[0]?.value).toEqual({n: 2 * namespaces});
  const sequence = (await graph()).sequence;
  const renamed = await send<SavedFormula>('PUT', '/formulas/Second', {name: 'Zweite'});
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Zweite']);
  expect(await node('Second')).toBeUndefined();
  expect((await items('Zweite')).items[0]?.value).toEqual({n: 2 * namespaces});
  const then = await graph(sequence);
  expect(then.collections.map(({name}) => name)).toEqual(expect.arrayContaining(['First', 'Second']));
  expect(then.collections.map(({name}) => name)).not.toContain('Zweite');
  for (const name of ['Zweite', 'First'])
    expect((await send('DELETE', `/formulas/${name}`)).status).toBe(204);
});

test('a formula reads back as typed, whatever it ends with; a change of one field leaves the others', async () => {
  const code = '(ctx, n) => ({n: nameOf(n)}); // the end';
  expect(await keep({name: 'Ends', input: 'Nodes', kind: 'one', code})).toMatchObject({code, state: 'live'});
  const changed = await send<SavedFormula>('PUT', '/formulas/Ends', {code: '(ctx, n) => ({n: 2});\r\n'});
  expect(changed.body).toMatchObject({code: '(ctx, n) => ({n: 2});\r\n', input: 'Nodes', kind: 'one'});
  const tests = [{input: 'node-1', items: [{n: 2}]}];
  const {body} = await send<SavedFormula>('PUT', '/formulas/Ends', {tests});
  expect(body).toMatchObject({code: changed.body.code, input: 'Nodes', tests, state: 'live'});
});

test('in an opened recording its texts are shown and drafts run; keeping, changing and deleting are 409', async () => {
  const recording = new Uint8Array(await (await instance.get('/api/v1/recording')).arrayBuffer());
  const opened = await instance.get('/api/v1/sessions?name=kept', {method: 'POST', body: recording});
  expect([opened.status, ((await opened.json()) as {name: string}).name]).toEqual([201, 'file:kept']);
  const of = 'session=file%3Akept';
  const {body} = await send<{formulas: SavedFormula[]}>('GET', `/formulas?${of}`);
  const [first] = body.formulas;
  expect(first?.code).toContain('=>');
  const draft = {code: '(ctx, pod) => ({n: ctx.fetch(Services).length})', input: 'Pods', limit: 5};
  const tried = await send<Preview>('POST', `/formulas/preview?${of}`, draft);
  expect([tried.status, tried.body.failed, tried.body.rows.length]).toEqual([200, 0, 5]);
  for (const [method, path, what] of [
    ['POST', '/formulas', {name: 'Mine', input: 'Pods', code: '(ctx, pod) => 1'}],
    ['PUT', `/formulas/${first?.name}`, {code: '(ctx, pod) => 1'}],
    ['DELETE', `/formulas/${first?.name}`, undefined],
  ] as const) {
    const {status, body: said} = await send<ApiFailure>(method, `${path}?${of}`, what);
    expect([method, status, said.code]).toEqual([method, 409, 'not-kept-here']);
  }
  await send('DELETE', `/sessions?${of}`);
});

test('files: written, changed on disk, broken, mended, deleted, and there after a restart', async () => {
  expect(readdirSync(folder).filter(file => !file.endsWith('.d.ts'))).toEqual(
    expect.arrayContaining(['Busiest.ts', 'PodNodes.ts']),
  );
  const path = join(folder, 'OnDisk.ts');
  writeFileSync(
    path,
    "// mine\nexport default formula({input: 'Nodes'}, (ctx, n: {metadata: {name: string}}) => ({n: nameOf(n)}));\n",
  );
  const came = await until(async () => node('OnDisk'));
  expect(came).toMatchObject({formula: true, synced: true});
  const first = (await send<SavedFormula>('GET', '/formulas/OnDisk')).body;
  expect(first.code).toBe('(ctx, n: {metadata: {name: string}}) => ({n: nameOf(n)})');
  // The API leaves the rest of the file as it is.
  await send('PUT', '/formulas/OnDisk', {code: '(ctx, n) => ({n: nameOf(n), v: 2})'});
  expect(readFileSync(path, 'utf8')).toBe(
    "// mine\nexport default formula({input: 'Nodes'}, (ctx, n) => ({n: nameOf(n), v: 2}));\n",
  );
  writeFileSync(path, "export default formula({input: 'Nodes'}, (ctx, n) => ({n: ;\n");
  await until(async () => ((await node('OnDisk'))?.state === 'failing' ? true : undefined));
  // The previous version continues to run.
  expect((await items('OnDisk')).items[0]?.value).toMatchObject({v: 2});
  writeFileSync(
    path,
    "export default formula({input: 'Nodes'}, (ctx, n) => ({v: ctx.fetch(Later).length}));\n",
  );
  await until(async () => ((await node('OnDisk'))?.error?.message === 'waits for Later' ? true : undefined));
  writeFileSync(
    join(folder, 'Later.ts'),
    'export default formula({}, ctx => ({n: ctx.fetch(Pods).length}));\n',
  );
  await until(async () => ((await node('OnDisk'))?.state === undefined ? true : undefined));
  expect((await items('OnDisk')).items[0]?.value).toEqual({v: 1});
  rmSync(join(folder, 'Later.ts'));
  await until(async () => ((await node('OnDisk'))?.state === 'failing' ? true : undefined));

  // A formula that reads one that never worked says so.
  writeFileSync(join(folder, 'Never.ts'), "export default formula({input: 'Nodes'}, (ctx, n) => ({n: ;\n");
  writeFileSync(
    join(folder, 'Reader.ts'),
    'export default formula({}, ctx => ({n: ctx.fetch(Never).length}));\n',
  );
  const reader = await until(async () => {
    const {status, body} = await send<SavedFormula>('GET', '/formulas/Reader');
    return status === 200 && body.error !== undefined ? body : undefined;
  });
  expect(reader).toMatchObject({state: 'failing', error: {message: expect.stringContaining('Never')}});
  for (const name of ['Reader', 'Never']) rmSync(join(folder, `${name}.ts`));

  // Hostile from the start: the lab finds out, the graph continues, and a restart does not try it again.
  const hostile = join(folder, 'Hostile.ts');
  writeFileSync(hostile, "export default formula({}, ctx => /(x+x+)+y/.test('x'.repeat(40)));\n");
  await until(async () => ((await node('Hostile'))?.state === 'quarantined' ? true : undefined));
  expect(instance.stderr).not.toContain('engine process ended');

  const {home} = instance;
  instance.child.kill('SIGTERM');
  await instance.ended;
  writeFileSync(
    path,
    "export default formula({input: 'Busiest', kind: 'many'}, (ctx, b) => Object.keys(b));\n",
  );
  // Written while nothing runs: it is still tried before it goes live.
  const overnight = join(folder, 'Overnight.ts');
  writeFileSync(overnight, "export default formula({}, ctx => /(y+y+)+z/.test('y'.repeat(40)));\n");
  instance = new TestInstance(flags, {home});
  await instance.ready();
  await until(async () => ((await node('OnDisk'))?.size ? true : undefined));
  await until(async () => ((await node('Overnight'))?.state === 'quarantined' ? true : undefined));
  rmSync(overnight);
  expect((await node('PodNodes'))?.size).toBeGreaterThan(10);
  const ends = await send<SavedFormula>('GET', '/formulas/Ends');
  expect(ends.body).toMatchObject({code: '(ctx, n) => ({n: 2});\r\n', input: 'Nodes', state: 'live'});
  expect(await node('Hostile')).toMatchObject({
    state: 'quarantined',
    error: {message: expect.stringMatching(/was stopped/)},
  });
  expect(instance.stderr).not.toContain('engine process ended');
  writeFileSync(hostile, "export default formula({}, ctx => ({ok: /x+y/.test('xy')}));\n");
  await until(async () => ((await node('Hostile'))?.state === undefined ? true : undefined));
  expect((await items('Hostile')).items[0]?.value).toEqual({ok: true});
  rmSync(path);
  await until(async () => ((await node('OnDisk')) === undefined ? true : undefined));
}, 120_000);

test('an editor has the types of this cluster', async () => {
  await until(async () =>
    existsSync(join(folder, 'krtscope.d.ts')) && existsSync(join(folder, 'tsconfig.json')) ? true : undefined,
  );
  const compile = () => spawnSync(process.execPath, [tsc, '-p', folder], {encoding: 'utf8'}).stdout;
  expect(compile()).toBe('');
  writeFileSync(
    join(folder, 'Wrong.ts'),
    "export default formula({input: 'Pods'}, (ctx, pod) => ctx.fetch(Services, key(pod.spec?.nodeNam ?? '')));\n",
  );
  expect(compile()).toMatch(/Wrong\.ts\(1,\d+\): error TS2\d+: .*nodeNam/);
  rmSync(join(folder, 'Wrong.ts'));
}, 90_000);
