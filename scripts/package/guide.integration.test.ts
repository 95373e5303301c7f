// Follows the operator guide to the letter, with nothing but the page and the tarball.
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {realServers, startReal, type TestServer} from '../../server/test/servers.ts';
import {
  codeBlocks,
  emptyFolder,
  nodeCache,
  root,
  runForOutput,
  type ServedPackage,
  serve,
  tarball,
  typeProblems,
  userEnvironment,
} from './testing-tarball.ts';

const page = 'docs/runtime.md';
const reference = 'docs/runtime-reference.md';
let folder: string;
let env: Record<string, string>;
const files = [...codeBlocks(page, 'ts'), ...codeBlocks(reference, 'ts')].filter(({name}) => name !== '');
/** Each program in the reference runs on its own. */
const programs = files.filter(({name}) => !name.includes('/'));

beforeAll(async () => {
  const file = await tarball();
  folder = emptyFolder('guide');
  env = userEnvironment({
    npm_config_offline: 'true',
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: nodeCache,
  });
  cpSync(file, join(folder, 'krtscope-0.1.0.tgz'));
  const [setup] = codeBlocks(page, 'sh');
  for (const line of setup?.code.trim().split('\n') ?? []) {
    const {code, err} = await runForOutput('/bin/sh', ['-c', line], {cwd: folder, env});
    expect({line, code, err}).toEqual({line, code: 0, err: expect.anything()});
  }
  for (const {name, code} of files) {
    mkdirSync(dirname(join(folder, name)), {recursive: true});
    writeFileSync(join(folder, name), code);
  }
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

test('its files are typed', async () => {
  expect(files.map(({name}) => name)).toContain('src/main.ts');
  expect(
    await typeProblems(
      folder,
      files.map(({name}) => name),
    ),
  ).toBe('');
}, 120_000);

/** The results of the Database's runs, as krtscope's Controllers view gets them, until `over`. */
async function watchResults(served: ServedPackage, over: () => boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  const path = '/api/v1/controllers/database/requests/default%2Forders?session=program%3Adatabase-operator';
  while (!over()) {
    const answer = await served.get(path);
    const {attempts = []} = (await answer.json()) as {attempts?: {result?: string}[]};
    for (const {result} of attempts) if (result) seen.add(result);
    await sleep(50);
  }
  return seen;
}

test('its test passes on the embedded server, and krtscope shows every way in which a run can end', async () => {
  const served = await serve('npx', ['krtscope', '--demo', '--port', '0', '--no-open'], folder, env);
  try {
    let over = false;
    const results = watchResults(served, () => over);
    const tested = await runForOutput('npx', ['krtscope', 'node', '--test'], {
      cwd: folder,
      env: {...env, KRTSCOPE_URL: served.address.href},
    });
    over = true;
    expect(tested).toMatchObject({code: 0, out: expect.stringMatching(/pass 6\b/)});
    expect([...(await results)].sort()).toEqual([
      'done',
      'error',
      'panic',
      'requeue-after',
      'terminal',
      'timeout',
    ]);
  } finally {
    await served.stop();
  }
}, 300_000);

test('the programs of its reference say what they promise', async () => {
  expect(programs.length).toBeGreaterThan(0);
  for (const {name, code} of programs) {
    const {code: exit, out, err} = await runForOutput('npx', ['krtscope', 'node', name], {cwd: folder, env});
    expect({exit, err}).toEqual({exit: 0, err: expect.not.stringContaining('Error')});
    expect(out.trim().split('\n')).toEqual([...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text));
  }
}, 120_000);

test('every option, error and metric of the runtime is in the reference', async () => {
  const text = readFileSync(join(root, reference), 'utf8');
  const faces = join(folder, 'node_modules', 'krtscope', 'dist', 'server', 'src', 'runtime');
  const fieldsOf = (file: string, face: string) => {
    const declared = readFileSync(join(faces, file), 'utf8');
    const body = new RegExp(`interface ${face}[^{]*\\{(.*?)^\\}`, 'ms').exec(declared)?.[1] ?? '';
    return [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??:/gm)].map(([, name]) => name as string);
  };
  const names = [
    ...fieldsOf('manager/manager-options.d.ts', 'ManagerOptions'),
    ...fieldsOf('manager/manager-options.d.ts', 'MetricsOptions'),
    ...fieldsOf('cache/informer-cache.d.ts', 'CacheOptions'),
    ...fieldsOf('client/client.d.ts', 'ClientDefaults'),
    ...fieldsOf('events/event-recorder.d.ts', 'RecorderOptions'),
    ...fieldsOf('controller/controller-options.d.ts', 'ControllerOptions'),
    ...fieldsOf('leader/leader-election.d.ts', 'LeaderElectionOptions'),
    ...fieldsOf('webhook/webhook-server.d.ts', 'WebhookServerOptions'),
  ];
  expect(names.length).toBeGreaterThan(35);
  const {Metrics} = await import('../../server/src/runtime/metrics/metrics.ts');
  names.push(...new Metrics().registry.getMetricsAsArray().map(({name}) => name));
  const index = readFileSync(join(faces, 'index.d.ts'), 'utf8');
  names.push(...[...index.matchAll(/\b(\w+Error)\b/g)].map(([, name]) => name as string));
  expect([...new Set(names)].filter(name => !text.includes(name))).toEqual([]);
});

describe.runIf(realServers !== undefined)('on a real Kubernetes', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startReal('v1.36');
  }, 150_000);
  afterAll(() => server?.stop());

  test('its test passes there, too', async () => {
    const tested = await runForOutput('npx', ['krtscope', 'node', '--test'], {
      cwd: folder,
      env: {...env, EXISTING: server.kubeconfig},
    });
    expect(tested).toMatchObject({code: 0, out: expect.stringMatching(/pass 6\b/)});
  }, 300_000);
});
