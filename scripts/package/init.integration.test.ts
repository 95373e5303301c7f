// Uses krtscope init as its user does: install, test, build the image, run it with the rights of its manifests and
// without each of them.
import {chownSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {basename, delimiter, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type ApiServer, startApiServer} from '../../server/src/cluster/api-server.ts';
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {Discovery} from '../../server/src/kube/discovery/discovery.ts';
import type {KubeObject} from '../../server/src/kube/object.ts';
import {realServers, startReal, type TestServer} from '../../server/test/servers.ts';
import {copyInto, nodeFor, Operator, runAs} from './testing-image.ts';
import {
  applyAll,
  boundTo,
  kubeconfigOf,
  manifestsOf,
  withoutRules,
  withoutVerbs,
} from './testing-manifests.ts';
import {
  emptyFolder,
  install,
  nodeCache,
  runForOutput,
  tarball,
  typeProblems,
  userEnvironment,
} from './testing-tarball.ts';

let place: string;
let project: string;
let file: string;
const env = () => userEnvironment({XDG_CACHE_HOME: nodeCache});
const read = (name: string) => readFileSync(join(project, name), 'utf8');
const manifests = () => manifestsOf(read('config/operator.yaml'));

beforeAll(async () => {
  file = await tarball();
  place = emptyFolder('init');
  await install(place, file);
  project = join(place, 'website-operator');
  const {code, err} = await runForOutput('npx', ['krtscope', 'init', 'website-operator'], {
    cwd: place,
    env: env(),
  });
  expect({code, err}).toEqual({code: 0, err: expect.anything()});
  // Nothing else is available without a network. The compiler is the repository's.
  const manifest = JSON.parse(read('package.json'));
  delete manifest.devDependencies;
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  await install(project);
  // An install with a network writes the Nodes of every platform to the lock file, and npm ci needs them.
  const lock = JSON.parse(read('package-lock.json'));
  const nodes = JSON.parse(read('node_modules/krtscope/dist/node/package-lock.json')).packages;
  delete nodes[''];
  Object.assign(lock.packages, nodes);
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
}, 300_000);

afterAll(() => rmSync(place, {recursive: true, force: true}));

const website = (name: string): KubeObject => ({
  ...manifestsOf(read('config/example.yaml'))[0]!,
  metadata: {name, namespace: 'default'},
});

async function phase(client: DynamicClient, name: string): Promise<unknown> {
  const resource = await new Discovery(client.transport).need({kind: 'Website'});
  const {status} = await client.get(resource, {namespace: 'default', name});
  return (status as {phase?: string} | undefined)?.phase;
}

describe('the command', () => {
  test('says what it takes, and refuses what it cannot do', async () => {
    const init = (...args: string[]) =>
      runForOutput('npx', ['krtscope', 'init', ...args], {cwd: place, env: env()});
    expect(await init('--help')).toMatchObject({code: 0, out: expect.stringContaining('--kind NAME')});
    const taken = await init('website-operator');
    expect(taken).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not empty .*name an empty or a new folder/),
    });
    expect(await init('x', '--kind', 'web site')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--kind is'),
    });
    expect(await init('x', '--group', 'local')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--group is'),
    });
  });

  test('another kind and group: no word of the first is left', async () => {
    const {code} = await runForOutput(
      'npx',
      ['krtscope', 'init', 'other', '--kind', 'Database', '--group', 'db.example.org'],
      {
        cwd: place,
        env: env(),
      },
    );
    expect(code).toBe(0);
    const files = readdirSync(join(place, 'other'), {recursive: true, withFileTypes: true}).filter(one =>
      one.isFile(),
    );
    expect(files.map(one => one.name).sort()).toContain('.gitignore');
    for (const {parentPath, name} of files.filter(one => !one.name.endsWith('.tgz'))) {
      expect(name).not.toMatch(/website/i);
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toMatch(
        /website|KRTSCOPE_[A-Z]|[^.\w]example\.com/i,
      );
    }
  });
});

describe('the project', () => {
  test('its test passes and can fail, its types hold, its CRD is the schema’s', async () => {
    const passed = await runForOutput('npm', ['test'], {cwd: project, env: env()});
    expect(passed).toMatchObject({code: 0, out: expect.stringMatching(/pass 3\b/)});
    const controller = read('src/controller.ts');
    writeFileSync(
      join(project, 'src/controller.ts'),
      controller.replace("'index.html': spec.html", "'index.html': ''"),
    );
    const failed = await runForOutput('npm', ['test'], {cwd: project, env: env()});
    writeFileSync(join(project, 'src/controller.ts'), controller);
    expect(failed.code).toBe(1);
    expect(await typeProblems(project, ['src/main.ts', 'src/crd.ts', 'test/controller.test.ts'])).toBe('');
    const crd = read('config/crd.yaml');
    writeFileSync(join(project, 'config/crd.yaml'), '');
    expect((await runForOutput('npm', ['run', 'crd'], {cwd: project, env: env()})).code).toBe(0);
    expect(read('config/crd.yaml')).toBe(crd);
  }, 180_000);

  test('with webhooks: its types are right and its tests pass', async () => {
    const folder = join(place, 'hooked');
    const made = await runForOutput('npx', ['krtscope', 'init', 'hooked', '--webhooks'], {
      cwd: place,
      env: env(),
    });
    expect(made).toMatchObject({code: 0, out: expect.stringContaining('src/webhooks.ts')});
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    expect(await typeProblems(folder, ['src/main.ts', 'test/webhooks.test.ts'])).toBe('');
    expect(readFileSync(join(folder, 'src/main.ts'), 'utf8')).toContain(
      'addWebsiteWebhooks(manager, {service',
    );
    expect(readFileSync(join(folder, 'config/operator.yaml'), 'utf8')).toContain('containerPort: 9443');
    const tested = await runForOutput('npm', ['test'], {cwd: folder, env: env()});
    expect({code: tested.code, out: tested.out}).toEqual({code: 0, out: expect.stringContaining('pass 5')});
  }, 180_000);
});

describe('on the embedded server', () => {
  let server: ApiServer;

  beforeAll(async () => {
    server = await startApiServer({definitions: [read('config/crd.yaml')]});
  });
  afterAll(() => server.stop());

  test('the Dockerfile’s steps work for a user without rights, and so does what it runs', async () => {
    const image = emptyFolder('image');
    const as = process.getuid?.() === 0 ? {uid: 1000, gid: 1000} : {};
    if (as.uid !== undefined) chownSync(image, as.uid, as.gid);
    const node = nodeFor(image);
    const kubeconfig = join(image, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf(server.url, server.ca, server.userToken), {mode: 0o644});
    await applyAll(server.client, boundTo('krtscope-user', manifests()));
    let operator: Operator | undefined;
    try {
      const lines = read('Dockerfile').matchAll(/^(COPY|RUN|CMD|WORKDIR) (.*)$/gm);
      for (const [, word, rest = ''] of lines) {
        if (word === 'COPY') copyInto(project, image, rest.split(' '), as);
        else if (word === 'RUN') {
          const path = `${node}${delimiter}${userEnvironment().PATH}`;
          const home = {PATH: path, HOME: image, npm_config_offline: 'true'};
          const ran = await runAs(as, image, rest, home);
          expect(ran).toEqual({code: 0, err: expect.anything()});
        } else if (word === 'CMD')
          operator = new Operator(image, kubeconfig, {as, node, command: JSON.parse(rest)});
      }
      await applyAll(server.client, [website('home')]);
      await expect
        .poll(() => phase(server.client, 'home').catch(String), {timeout: 60_000, interval: 100})
        .toBe('Ready');
      expect(operator?.err).not.toMatch(/forbidden/i);
      expect(await operator?.stop()).toBe(0);
    } finally {
      operator?.child.kill('SIGKILL');
      rmSync(image, {recursive: true, force: true});
    }
  }, 180_000);

  test('each verb that is taken away gives a 403, and all of them together none', async () => {
    const weaker = withoutVerbs(manifests());
    expect(weaker.length).toBeGreaterThan(10);
    writeFileSync(
      join(project, 'weaker.json'),
      JSON.stringify([{without: 'nothing', role: manifests()[2]}, ...weaker]),
    );
    writeFileSync(join(project, 'all.json'), JSON.stringify(boundTo('krtscope-user', manifests())));
    writeFileSync(join(project, 'rights.ts'), rightsProgram);
    const {code, out, err} = await runForOutput('npx', ['krtscope', 'node', 'rights.ts'], {
      cwd: project,
      env: env(),
    });
    expect({code, err}).toEqual({code: 0, err: expect.anything()});
    const found = JSON.parse(out) as Record<string, string>;
    const expected = Object.fromEntries(weaker.map(({without}) => [without, without]));
    expect(found).toEqual({nothing: '', ...expected});
  }, 180_000);
});

// Runs the project's controller once for each weaker role, and returns the first refused request.
const rightsProgram = `
import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {startApiServer} from 'krtscope/cluster';
import {DynamicClient, Discovery, isApiError} from 'krtscope/kube';
import {createManager, silentLogger} from 'krtscope/runtime';
import {addWebsiteController} from './src/controller.ts';
import {websites} from './src/website.ts';

const json = name => JSON.parse(readFileSync(name, 'utf8'));
const found = {};
for (const {without, role} of json('weaker.json')) {
  const server = await startApiServer({definitions: [websites]});
  const discovery = new Discovery(server.transport);
  const apply = async object => {
    const [version, group = ''] = object.apiVersion.split('/').reverse();
    const resource = await discovery.need({group, version, kind: object.kind});
    return server.client.apply(resource, object, {fieldManager: 'test', force: true});
  };
  for (const object of json('all.json')) await apply(object.kind === role.kind ? role : object);
  const own = server.transportAs(server.userToken);
  let refused;
  const noticing = ask => async options => {
    try {
      return await ask.call(own, options);
    } catch (error) {
      const [, verb, resource] = /cannot (\\w+) resource "([^"]+)"/.exec(error.message) ?? [];
      if (isApiError(error, 403)) refused ??= verb + ' ' + resource;
      throw error;
    }
  };
  const transport = {
    server: own.server,
    readOnly: false,
    clock: own.clock,
    request: noticing(own.request),
    stream: noticing(own.stream),
    close: () => own.close(),
  };
  const manager = await createManager({
    transport,
    metrics: {bindAddress: '0'},
    report: false,
    log: silentLogger,
    gracefulShutdownTimeout: 0,
    // Like servers without streaming lists: a right that only the fallback needs is not superfluous.
    cache: {streaming: false},
    leaderElection: {id: 'website-operator', namespace: 'website-operator'},
  });
  addWebsiteController(manager);
  const end = new AbortController();
  const running = manager.start(end.signal).catch(() => {});
  await apply({apiVersion: 'example.com/v1alpha1', kind: 'Website', metadata: {namespace: 'default', name: 'a'}, spec: {html: 'x'}});
  const ready = async () => {
    const {status} = await server.client.get(await discovery.need({kind: 'Website'}), {namespace: 'default', name: 'a'});
    return status?.phase === 'Ready';
  };
  const renewed = async () => {
    const lease = await server.client.get(await discovery.need({kind: 'Lease'}), {namespace: 'website-operator', name: 'website-operator'});
    return lease.spec.renewTime !== lease.spec.acquireTime;
  };
  const until = Date.now() + 20_000;
  while (!refused && Date.now() < until && !((await ready()) && (await renewed()))) await sleep(20);
  found[without] = refused ?? '';
  end.abort();
  await running;
  await own.close();
  await server.stop();
}
console.log(JSON.stringify(found));
process.exit(0);
`;

describe.runIf(realServers !== undefined)('on a real Kubernetes', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startReal('v1.36');
  }, 150_000);
  afterAll(() => server?.stop());

  test('the manifests are taken, the operator works under its ServiceAccount, and not without any of its rules', async () => {
    const {client} = server;
    const all = manifests();
    await applyAll(client, manifestsOf(read('config/crd.yaml')));
    await applyAll(
      client,
      all.filter(({kind}) => kind === 'Namespace'),
    );
    await applyAll(client, all, {dryRun: true});
    // Its own Deployment would need the image.
    const lasting = all.filter(({kind}) => kind !== 'Deployment');
    await applyAll(client, lasting);
    const account = await new Discovery(client.transport).need({kind: 'ServiceAccount'});
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {namespace: 'website-operator'},
      spec: {},
    };
    const {status} = await client.create(account, request, {name: 'website-operator', subresource: 'token'});
    const kubeconfig = join(place, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf(server.url, server.ca, (status as {token: string}).token), {
      mode: 0o600,
    });

    const operator = new Operator(project, kubeconfig);
    try {
      await applyAll(client, [website('home')]);
      await expect
        .poll(() => phase(client, 'home').catch(String), {timeout: 60_000, interval: 100})
        .toBe('Ready');
      expect(operator.err).not.toMatch(/forbidden/i);
    } finally {
      await operator.stop();
    }

    for (const [at, {without, role}] of withoutRules(all).entries()) {
      await applyAll(client, [role]);
      const weak = new Operator(project, kubeconfig);
      try {
        await applyAll(client, [website(`weak-${at}`)]);
        const plural = basename(without.split('/')[0] ?? '');
        await expect
          .poll(() => weak.err, {timeout: 60_000, interval: 100, message: `without ${without}`})
          .toMatch(new RegExp(`${plural}[^\\n]* is forbidden|forbidden[^\\n]*${plural}`));
      } finally {
        weak.child.kill('SIGKILL');
        await weak.gone;
        await applyAll(
          client,
          lasting.filter(({kind, metadata}) => kind === role.kind && metadata.name === role.metadata.name),
        );
      }
    }
  }, 300_000);
});
