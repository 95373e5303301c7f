import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {chooseCluster, inClusterContext, listContexts} from './contexts.ts';
import {KubeconfigError, parseKubeconfig, readKubeconfig} from './kubeconfig.ts';

const good = `
apiVersion: v1
kind: Config
current-context: a
clusters:
- name: one
  cluster: {server: "https://127.0.0.1:1/", certificate-authority: ca.crt}
users:
- name: me
  user: {token: t, tokenFile: ./token}
- name: plugin
  user: {exec: {command: ./bin/login, apiVersion: client.authentication.k8s.io/v1}}
contexts:
- name: a
  context: {cluster: one, user: me, namespace: shop}
- name: b
  context: {cluster: one, user: plugin}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function failure(run: () => unknown): KubeconfigError {
  try {
    run();
  } catch (error) {
    if (error instanceof KubeconfigError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('a kubeconfig file', () => {
  test('takes relative paths from its own folder', () => {
    const config = parseKubeconfig(good, '/etc/kube/config');
    expect(config.clusters.get('one')?.['certificate-authority']).toBe('/etc/kube/ca.crt');
    expect(config.users.get('me')?.tokenFile).toBe('/etc/kube/token');
    expect(config.users.get('plugin')?.exec?.command).toBe('/etc/kube/bin/login');
    expect(listContexts(config)).toEqual([
      {
        name: 'a',
        cluster: 'one',
        user: 'me',
        namespace: 'shop',
        server: 'https://127.0.0.1:1/',
        current: true,
      },
      {name: 'b', cluster: 'one', user: 'plugin', server: 'https://127.0.0.1:1/', current: false},
    ]);
  });

  test.each([
    ['a: [1', 1, /not valid YAML/],
    [
      'kind: Config\nclusters:\n- name: x\n  cluster: {server: not a url}\n',
      4,
      /needs a server that is a URL/,
    ],
    ['clusters: 3\n', 1, /clusters must be a list/],
    ['kind: Config\nusers:\n- user: {}\n', 3, /has no name/],
    ['contexts:\n- name: x\n  context: {user: u}\n', 3, /names no cluster/],
    ['- a\n- b\n', 1, /is a mapping/],
    ['\nkind: Pod\n', 2, /kind is Pod/],
  ])('that is wrong is named with its line: %j', (text, line, reason) => {
    const error = failure(() => parseKubeconfig(text, 'k.yaml'));
    expect(error.reason).toMatch(reason);
    expect(error.line).toBe(line);
    expect(error.message).toBe(`k.yaml:${line}: ${error.reason}`);
  });

  test('that is missing or a folder says so', () => {
    expect(failure(() => readKubeconfig([join(folder, 'none')])).reason).toBe('the file does not exist');
    expect(failure(() => readKubeconfig([folder])).reason).toBe('it is a folder, not a file');
  });

  test('is merged with others, the first definition of a name wins', () => {
    const first = write('1', good);
    const second = write('2', good.replace('token: t', 'token: other').replaceAll('name: b', 'name: c'));
    const config = readKubeconfig([first, second]);
    expect(config.users.get('me')?.token).toBe('t');
    expect([...config.contexts.keys()]).toEqual(['a', 'b', 'c']);
  });
});

describe('the cluster is chosen', () => {
  test('by --kubeconfig, then KUBECONFIG unless empty, then ~/.kube/config, then in-cluster, else none', () => {
    mkdirSync(join(folder, '.kube'));
    const file = write('flag', good);
    const env = {KUBECONFIG: write('env', good)};
    expect(chooseCluster({kubeconfig: file, env, home: folder})?.config.files).toEqual([file]);
    expect(chooseCluster({env, home: folder})?.config.files).toEqual([env.KUBECONFIG]);
    const home = write('.kube/config', good);
    expect(chooseCluster({env: {KUBECONFIG: ''}, home: folder})?.config.files).toEqual([home]);
    const inside = {KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443'};
    write('token', 'secret');
    write('namespace', 'mine\n');
    const choice = chooseCluster({env: inside, home: '/nowhere', accountFolder: folder});
    expect(choice?.context).toBe(inClusterContext);
    expect(choice?.config.clusters.get(inClusterContext)?.server).toBe('https://[fd00::1]:443');
    expect(choice?.config.contexts.get(inClusterContext)?.namespace).toBe('mine');
    expect(chooseCluster({env: {}, home: '/nowhere', accountFolder: folder})).toBeUndefined();
  });

  test('skips missing files of KUBECONFIG but not all of them', () => {
    const file = write('here', good);
    const some = {KUBECONFIG: `${join(folder, 'gone')}:${file}`};
    expect(chooseCluster({env: some, home: '/nowhere'})?.config.files).toEqual([file]);
    const none = {KUBECONFIG: join(folder, 'gone')};
    expect(failure(() => chooseCluster({env: none, home: '/nowhere'})).reason).toBe(
      'the file does not exist',
    );
  });

  test('with an unknown context as an error that lists the known ones', () => {
    const kubeconfig = write('flag', good);
    expect(failure(() => chooseCluster({kubeconfig, context: 'x'})).reason).toBe(
      'unknown context "x"; known: a, b',
    );
    const unset = write('unset', good.replace('current-context: a', ''));
    expect(failure(() => chooseCluster({kubeconfig: unset})).reason).toMatch(
      /no current-context is set.*a, b/,
    );
    const dangling = write('dangling', good.replaceAll('cluster: one', 'cluster: two'));
    expect(failure(() => chooseCluster({kubeconfig: dangling})).reason).toMatch(/names cluster "two"/);
    expect(failure(() => chooseCluster({env: {}, home: '/nowhere', context: 'x'})).reason).toMatch(
      /no kubeconfig/,
    );
  });
});
