// Uses the package as a new user does: one tarball, an empty folder, no network.
import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {
  codeBlocks,
  emptyFolder,
  install,
  runForOutput,
  type ServedPackage,
  serve,
  tarball,
  typeProblems,
  userEnvironment,
} from './testing-tarball.ts';

let file: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  file = await tarball();
  folder = emptyFolder('installed');
  await install(folder, file);
  const manifest = join(folder, 'package.json');
  writeFileSync(manifest, JSON.stringify({...JSON.parse(readFileSync(manifest, 'utf8')), type: 'module'}));
  // The Node that the command downloads for itself goes here, too.
  env = userEnvironment({XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache')});
}, 300_000);

afterAll(() => rmSync(folder, {recursive: true, force: true}));

async function ready(served: ServedPackage): Promise<void> {
  await expect
    .poll(async () => (await served.get('/readyz')).status, {timeout: 60_000, interval: 200})
    .toBe(200);
}

test('holds what runs and what explains it, and neither tests nor sources', () => {
  const names = execFileSync('tar', ['tzf', file], {encoding: 'utf8'}).trim().split('\n');
  const all = names.map(name => name.replace(/^package\//, ''));
  // init copies these as a user's sources and tests.
  const rest = all.filter(name => !name.startsWith('dist/server/templates/'));
  expect(rest.filter(name => /\.test\.|\/testing-|(?<!\.d)\.[cm]?tsx?$|\.map$|e2e|bench/.test(name))).toEqual(
    [],
  );
  const loose = rest.filter(name => !/^(dist|docs)\//.test(name)).sort();
  expect(loose).toEqual(['LICENSE', 'README.md', 'package.json', 'server/bin/krtscope.mjs']);
  for (const wanted of [
    'dist/server/src/main.js',
    'dist/server/src/cluster/schemas/NOTICE',
    'dist/libraries/LICENCES.txt',
    'dist/web/dist/licences.md',
    'dist/web/dist/index.html',
    'docs/krt.md',
  ])
    expect(rest).toContain(wanted);
  expect(statSync(file).size).toBeLessThan(6e6);
});

describe('npx krtscope', () => {
  test('shows the demo: page, graph and answers', async () => {
    const served = await serve('npx', ['krtscope', '--demo', '--port', '0', '--no-open'], folder, env);
    try {
      await ready(served);
      const page = await (await served.get('/')).text();
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
      expect((await served.get(script ?? '/nothing')).headers.get('content-type')).toContain('javascript');
      const answer = await served.get('/api/v1/collections/Workloads/items?limit=1');
      expect(((await answer.json()) as {total: number}).total).toBeGreaterThan(30);
      const kept = async () => ((await (await served.get('/api/v1/session')).json()) as SessionAnswer).kept;
      await expect.poll(kept, {timeout: 30_000}).toMatchObject({disk: {state: 'writing'}});
    } finally {
      await served.stop();
    }
    const alive = () =>
      served.get('/healthz').then(
        () => true,
        () => false,
      );
    await expect.poll(alive, {timeout: 10_000}).toBe(false);
  }, 180_000);

  test('says its version and what is wrong with its words', async () => {
    expect((await runForOutput('npx', ['krtscope', '--version'], {cwd: folder, env})).out).toMatch(
      /^krtscope \d/,
    );
    const wrong = await runForOutput('npx', ['krtscope', '--prot', '1'], {cwd: folder, env});
    expect([wrong.code, wrong.err.trim().split('\n').at(-1)]).toEqual([2, expect.stringContaining('--prot')]);
  });

  test('runs from a store that node_modules only links to, under a path with a space', async () => {
    const linked = emptyFolder('linked place');
    try {
      const store = join(linked, 'node_modules', '.store', 'krtscope@0.1.0', 'node_modules', 'krtscope');
      mkdirSync(dirname(store), {recursive: true});
      cpSync(join(folder, 'node_modules', 'krtscope'), store, {recursive: true});
      symlinkSync(store, join(linked, 'node_modules', 'krtscope'), 'dir');
      const bin = join(linked, 'node_modules', 'krtscope', 'server', 'bin', 'krtscope.mjs');
      const own = {...env, XDG_STATE_HOME: join(linked, 'state')};
      const served = await serve('node', [bin, '--demo', '--port', '0', '--no-open'], linked, own);
      try {
        await ready(served);
      } finally {
        await served.stop();
      }
    } finally {
      rmSync(linked, {recursive: true, force: true});
    }
  }, 180_000);
});

const pages = ['README.md', 'server/src/cluster/README.md', 'docs/testing.md', 'docs/kube.md'];
/** Code blocks with a name are files. */
const examples = pages.map(page => ({
  page,
  blocks: [...codeBlocks(page, 'js'), ...codeBlocks(page, 'ts')].filter(({name}) => name !== ''),
}));

describe('as a library', () => {
  test('every face and every example is typed without anything beside the package', async () => {
    const blocks = examples.flatMap(example => example.blocks).filter(({name}) => name.endsWith('.ts'));
    for (const {name, code} of blocks) writeFileSync(join(folder, name), code);
    const faces = ['krt', 'kube', 'cluster', 'runtime', 'program'];
    const all = faces.map(face => `export * as ${face} from 'krtscope/${face}';\n`).join('');
    writeFileSync(join(folder, 'faces.ts'), all);
    expect(await typeProblems(folder, ['faces.ts', ...blocks.map(({name}) => name)])).toBe('');
  }, 120_000);

  test.each(examples)(
    'the examples of $page run and say what they promise',
    async ({blocks}) => {
      expect(blocks.length).toBeGreaterThan(0);
      for (const {name, code} of blocks) {
        writeFileSync(join(folder, name), code);
        const {
          code: exit,
          out,
          err,
        } = await runForOutput('npx', ['krtscope', 'node', name], {cwd: folder, env});
        expect({exit, err}).toEqual({exit: 0, err: expect.not.stringContaining('Error')});
        const promised = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text);
        expect(promised.length).toBeGreaterThan(0);
        expect(out.trim().split('\n')).toEqual(promised);
      }
    },
    120_000,
  );
});
