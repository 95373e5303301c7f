// Publishes the package to a registry and installs it by name; krtscope init says where a project installs it from.
import {cpSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {startRegistry, type TestRegistry} from './testing-registry.ts';
import {emptyFolder, install, nodeCache, runForOutput, tarball, userEnvironment} from './testing-tarball.ts';

let file: string;
let place: string;
let registry: TestRegistry;

beforeAll(async () => {
  file = await tarball();
  place = emptyFolder('registry');
  registry = await startRegistry();
}, 300_000);

afterAll(async () => {
  await registry.stop();
  rmSync(place, {recursive: true, force: true});
});

const env = () => userEnvironment({XDG_CACHE_HOME: nodeCache});

/** npm with the test's registry, its own cache, and a token without which it refuses to publish. */
function npm(cwd: string, ...args: string[]) {
  const config = join(place, 'npmrc');
  const host = registry.url.replace(/^http:/, '');
  writeFileSync(config, `registry=${registry.url}\n${host}:_authToken=test\naudit=false\nfund=false\n`);
  const own = {...env(), npm_config_userconfig: config, npm_config_cache: join(place, 'cache')};
  return runForOutput('npm', args, {cwd, env: own});
}

/** The compiler and Node's types are not in the test's registry. */
function withoutCompiler(project: string): Record<string, string> {
  const path = join(project, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  delete manifest.devDependencies;
  writeFileSync(path, JSON.stringify(manifest));
  return manifest.dependencies;
}

test('npm publish takes it, and what it publishes names licence, engines and entry points', async () => {
  const published = await npm(place, 'publish', file);
  expect(published).toMatchObject({code: 0});
  const manifest = registry.packages.get('krtscope')?.versions['0.1.0'];
  expect(manifest).toMatchObject({
    name: 'krtscope',
    license: 'Apache-2.0',
    engines: {node: '>=20'},
    bin: {krtscope: 'server/bin/krtscope.mjs'},
    description: expect.stringContaining('Kubernetes'),
  });
  expect(manifest).not.toHaveProperty('private');
  // Everything that a program needs is bundled, apart from Node.
  expect(manifest).not.toHaveProperty('dependencies');
}, 120_000);

test('a project of an install by name installs by name', async () => {
  const folder = join(place, 'by-name');
  mkdirSync(folder);
  expect(await npm(folder, 'install', 'krtscope')).toMatchObject({code: 0});
  const made = await runForOutput('npx', ['krtscope', 'init', 'website'], {cwd: folder, env: env()});
  expect(made).toMatchObject({code: 0, out: expect.stringContaining('from your npm registry, as you did')});
  const project = join(folder, 'website');
  expect(withoutCompiler(project)).toEqual({krtscope: '0.1.0'});
  expect(await npm(project, 'install')).toMatchObject({code: 0});
  const version = await runForOutput('npx', ['krtscope', '--version'], {cwd: project, env: env()});
  expect(version.out).toBe('krtscope 0.1.0\n');
}, 180_000);

test('a project of an install from a tarball has a copy of it, even in a folder that holds it already', async () => {
  const folder = join(place, 'by-file');
  mkdirSync(folder);
  cpSync(file, join(folder, 'krtscope-0.1.0.tgz'));
  await install(folder, './krtscope-0.1.0.tgz');
  for (const project of [join(folder, 'website'), join(folder, 'full')]) {
    if (project.endsWith('full')) {
      mkdirSync(project);
      cpSync(file, join(project, 'krtscope-0.1.0.tgz'));
    }
    const made = await runForOutput('npx', ['krtscope', 'init', project], {cwd: folder, env: env()});
    expect(made).toMatchObject({
      code: 0,
      out: expect.stringContaining('It installs krtscope from the file krtscope-0.1.0.tgz in its folder'),
    });
    expect(withoutCompiler(project)).toEqual({krtscope: 'file:krtscope-0.1.0.tgz'});
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toContain('installed from `krtscope-0.1.0.tgz`');
  }
  await install(join(folder, 'website'));
}, 180_000);
