// The embedded API server for tests of controllers. One call starts it, in this process or in one of its own,
// and serves the kinds that the test needs.
import {fork} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {extname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {connect} from '../kube/client/connect.ts';
import {DynamicClient} from '../kube/client/dynamic-client.ts';
import {chooseCluster} from '../kube/credentials/contexts.ts';
import {credentialsOf, tokenCredentials} from '../kube/credentials/credentials.ts';
import {Transport, type Wire} from '../kube/transport/transport.ts';
import type {MessageDelays} from './deterministic/delayed-wire.ts';
import {startMemoryServer} from './deterministic/memory-server.ts';
import type {VirtualClock} from './deterministic/virtual-clock.ts';
import {type Definition, installDefinitions} from './install-definitions.ts';
import type {FromCluster, ToCluster} from './main.ts';
import {type EmbeddedClusterOptions, startCluster} from './start.ts';

export interface ApiServerOptions extends Pick<EmbeddedClusterOptions, 'seed' | 'port' | 'controllers'> {
  /** CRDs to install. They are served when the promise resolves. */
  definitions?: readonly Definition[];
  /**
   * A kubeconfig: runs the test on that real cluster instead of a new server. Installs the CRDs there; `stop`
   * leaves them.
   */
  existing?: string | undefined;
  /**
   * Runs the server in a child process, so that a busy test and a busy server do not slow each other down.
   * Default: false.
   */
  child?: boolean;
  /**
   * Fills the cluster with the demo's shop. Default: false, which leaves the namespaces and nodes of an empty
   * cluster.
   */
  shop?: boolean;
  /**
   * Runs server and connection in this process and in virtual time, without sockets. The same seed gives the same
   * events in the same order.
   */
  clock?: VirtualClock | undefined;
  /** How long messages take in virtual time. Default: 1 to 10 ms. */
  delays?: MessageDelays | undefined;
}

export interface ApiServer {
  readonly url: string;
  /** An administrator's token. */
  readonly token: string;
  /** The token of a user who has only the rights that RBAC objects give to the User `krtscope-user`. */
  readonly userToken: string;
  /** The certificate to trust. */
  readonly ca: string;
  /** The text of a kubeconfig, for kubectl and programs that want a file. */
  readonly kubeconfig: string;
  /** An administrator's connection that may write, for `createManager({transport})`. */
  readonly transport: Wire;
  readonly client: DynamicClient;
  /** A connection with another bearer token. Close it when done. */
  transportAs(token: string): Wire;
  /** Every request and every stored change in virtual time. Empty without a `clock`. */
  readonly eventLog: readonly string[];
  /** Installs CRDs and waits until they are served. */
  install(...definitions: Definition[]): Promise<void>;
  stop(): Promise<void>;
}

type RunningApiServer = Pick<ApiServer, 'url' | 'token' | 'userToken' | 'ca' | 'kubeconfig' | 'stop'>;

/** Starts an empty cluster that answers as Kubernetes 1.36 does. Stop it at the end, or the process stays. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const {definitions = [], child = false, existing, clock, delays, ...rest} = options;
  if (existing) return useExisting(existing, definitions);
  if (clock) return startVirtual({...options, clock});
  // Without controllers, no node renews its Lease either.
  const how: EmbeddedClusterOptions = {shop: false, pace: rest.controllers === false ? 0 : 1, ...rest};
  const running: RunningApiServer = child ? await startChild(how) : await startCluster(how);
  const {url, token, userToken, ca, kubeconfig} = running;
  const transportAs = (as: string) => new Transport(tokenCredentials(url, as, ca), {readOnly: false});
  const transport = transportAs(token);
  const client = new DynamicClient(transport);
  const stop = async () => {
    await transport.close();
    await running.stop();
  };
  const install = (...more: Definition[]) => installDefinitions(client, more);
  try {
    await install(...definitions);
  } catch (error) {
    await stop();
    throw error;
  }
  return {url, token, userToken, ca, kubeconfig, transport, client, transportAs, install, stop, eventLog: []};
}

async function startVirtual(options: ApiServerOptions & {clock: VirtualClock}): Promise<ApiServer> {
  const {definitions = [], child, shop, port, ...rest} = options;
  const wrong = Object.entries({child, shop, port}).find(([, value]) => value);
  if (wrong) throw new TypeError(`${wrong[0]} does not work together with clock; leave one of them out`);
  const server = await startMemoryServer(rest);
  const install = (...more: Definition[]) => installDefinitions(server.client, more);
  await install(...definitions);
  return {...server, url: server.transport.server, ca: '', kubeconfig: '', install};
}

async function useExisting(file: string, definitions: readonly Definition[]): Promise<ApiServer> {
  const choice = chooseCluster({kubeconfig: file});
  if (!choice) throw new Error(`${file} names no cluster`);
  const client = connect({...choice, readOnly: false});
  const {transport} = client;
  const {tls, server: url} = credentialsOf(choice.config, choice.context).endpoint;
  const ca = String(tls.ca ?? '');
  const install = (...more: Definition[]) => installDefinitions(client, more);
  await install(...definitions);
  return {
    url,
    token: choice.config.users.get(choice.config.contexts.get(choice.context)?.user ?? '')?.token ?? '',
    userToken: '',
    ca,
    kubeconfig: readFileSync(file, 'utf8'),
    transport,
    client,
    transportAs: token => new Transport(tokenCredentials(url, token, ca), {readOnly: false}),
    install,
    eventLog: [],
    stop: () => transport.close(),
  };
}

async function startChild(options: EmbeddedClusterOptions): Promise<RunningApiServer> {
  const entry = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
  // Do not pass on the flags of the test runner.
  const child = fork(entry, [], {stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: []});
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const ready = Promise.withResolvers<Extract<FromCluster, {type: 'ready'}>>();
  child.on('message', (message: FromCluster) => {
    if (message.type === 'ready') ready.resolve(message);
    else if (message.type === 'failed')
      ready.reject(new Error(`the API server did not start: ${message.message}`));
  });
  child.once('error', ready.reject);
  child.once('exit', code => ready.reject(new Error(`the API server ended at its start with code ${code}`)));
  child.send({type: 'start', options} satisfies ToCluster);
  const running = await ready.promise;
  return {
    ...running,
    async stop() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
