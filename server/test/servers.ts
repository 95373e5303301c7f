// The servers of the suites: the embedded cluster, and real control planes where they are present.

import {execFile} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import type {EmbeddedCluster} from '../src/cluster/start.ts';
import {connect} from '../src/kube/client/connect.ts';
import type {DynamicClient} from '../src/kube/client/dynamic-client.ts';
import {chooseCluster} from '../src/kube/credentials/contexts.ts';
import {readKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {Discovery} from '../src/kube/discovery/discovery.ts';

const run = promisify(execFile);
const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const shared = process.env.KRTSCOPE_SHARED ?? resolve(repository, '../shared');

/** The folder of the real control planes; undefined, with a note on stderr, if it is missing. */
export const realServers = existsSync(join(shared, 'kube', 'up.sh')) ? join(shared, 'kube') : undefined;
if (!realServers)
  console.warn(`no real control planes in ${join(shared, 'kube')}: suites run on the embedded cluster only`);

export interface TestServer {
  /** The name in titles and logs: `embedded`, `Kubernetes v1.36`. */
  name: string;
  version: string;
  kubeconfig: string;
  url: string;
  token: string;
  ca: string;
  /** A client that may write. */
  client: DynamicClient;
  /** The token of a user without rights, if the server has one. */
  userToken: string | undefined;
  userName: string;
  /** Expires all earlier watches. */
  compact: (() => Promise<void>) | undefined;
  /** The folder of a real server's processes, logs and certificates. */
  state?: string;
  stop(): Promise<void>;
}

async function describeServer(name: string, kubeconfig: string): Promise<TestServer> {
  const choice = chooseCluster({kubeconfig});
  if (!choice) throw new Error(`${kubeconfig} has no context`);
  const client = connect({...choice, readOnly: false});
  const version = await new Discovery(client.transport).version();
  const context = choice.config.contexts.get(choice.context);
  const cluster = choice.config.clusters.get(context?.cluster ?? '');
  const user = choice.config.users.get(context?.user ?? '');
  console.info(`suites run on ${name} (${version}) at ${client.transport.server}`);
  return {
    name,
    version,
    kubeconfig,
    url: client.transport.server,
    token: user?.token ?? '',
    ca: Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString(),
    client,
    userToken: undefined,
    userName: '',
    compact: undefined,
    stop: () => client.transport.close(),
  };
}

/** The embedded cluster without the shop, in this process. */
export async function startEmbedded(
  options: {shop?: boolean; seed?: number} = {},
): Promise<TestServer & {cluster: EmbeddedCluster}> {
  const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-embedded-'));
  const {startCluster} = await import('../src/cluster/start.ts');
  const cluster = await startCluster({
    shop: options.shop ?? false,
    seed: options.seed ?? 1,
    dataDir,
    pace: 1,
  });
  if (!cluster.kubeconfigFile) throw new Error('the embedded cluster wrote no kubeconfig');
  const server = await describeServer('embedded', cluster.kubeconfigFile);
  return {
    ...server,
    cluster,
    userToken: cluster.userToken,
    userName: 'krtscope-user',
    compact: async () => cluster.api.storage.compact(),
    async stop() {
      await server.client.transport.close();
      await cluster.stop();
      rmSync(dataDir, {recursive: true, force: true});
    },
  };
}

/** A real control plane for this run. `bare` has no controllers and no nodes. */
export async function startReal(
  version: 'v1.36' | 'v1.20',
  {bare = false}: {bare?: boolean} = {},
): Promise<TestServer & {state: string}> {
  if (!realServers) throw new Error('there are no real control planes here');
  const state = mkdtempSync(join(tmpdir(), 'krtscope-kube-'));
  const NODES = version === 'v1.36' && !bare ? '3' : '0';
  const env = {...process.env, KUBE_STATE: state, KUBE_VERSION: version, NODES, KCM: bare ? '0' : '1'};
  const stop = async () => {
    await run(join(realServers, 'down.sh'), {env});
    rmSync(state, {recursive: true, force: true});
  };
  try {
    await run(join(realServers, 'up.sh'), {env, timeout: 110_000});
    const server = await describeServer(`Kubernetes ${version}`, join(state, 'kubeconfig'));
    const user = [...readKubeconfig([join(state, 'kubeconfig-user')]).users.values()][0];
    return {
      ...server,
      state,
      userToken: user?.token,
      userName: 'test-user',
      compact: () => compactEtcd(readFileSync(join(state, 'etcd-url'), 'utf8').trim()),
      async stop() {
        await server.client.transport.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Any other server: KRTSCOPE_TEST_KUBECONFIG=path npx vitest run --project integration server/test. */
export const namedKubeconfig = process.env.KRTSCOPE_TEST_KUBECONFIG;

export function startNamed(): Promise<TestServer> {
  if (!namedKubeconfig) throw new Error('KRTSCOPE_TEST_KUBECONFIG is not set');
  return describeServer(namedKubeconfig, namedKubeconfig);
}

async function compactEtcd(url: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, {method: 'POST', body: JSON.stringify(body)});
    if (!answer.ok) throw new Error(`etcd answered ${answer.status} to ${path}`);
    return (await answer.json()) as {header?: {revision?: string}};
  };
  const {header} = await post('/v3/kv/range', {key: Buffer.from('none').toString('base64')});
  await post('/v3/kv/compaction', {revision: header?.revision, physical: true});
}
