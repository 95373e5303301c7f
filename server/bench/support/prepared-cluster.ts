// A recorded cluster for benchmarks: krtscope reads it from a small server whose events cost little to make.
import {type ChildProcess, fork} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {FromWatchServer, ToWatchServer} from '../processes/watch-server.ts';
import type {EventOrder} from './label-event.ts';

const ENTRY = fileURLToPath(new URL('../processes/watch-server.ts', import.meta.url));

export interface PlayedEvents {
  readonly milliseconds: number;
  /** The number of each Pod's last event. */
  readonly last: ReadonlyMap<string, number>;
}

export class PreparedCluster {
  readonly kubeconfig: string;
  readonly #child: ChildProcess;
  readonly #folder: string;
  /** When each event of a shown Pod was written, in milliseconds since 1970. */
  readonly written = new Map<number, number>();

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#folder = mkdtempSync(join(tmpdir(), 'krtscope-prepared-'));
    this.kubeconfig = join(this.#folder, 'kubeconfig');
    writeFileSync(this.kubeconfig, JSON.stringify(kubeconfigOf(port)));
    child.on('message', (message: FromWatchServer) => {
      if (message.type === 'written') this.written.set(message.n, message.at);
    });
  }

  static async start(pods: number): Promise<PreparedCluster> {
    const execArgv = ['--no-warnings', '--max-old-space-size=6144'];
    const child = fork(ENTRY, [], {execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc']});
    const {port} = await askServer(child, {type: 'record', pods}, 'recorded');
    return new PreparedCluster(child, port);
  }

  /** Resolves when the last event has been written. */
  async play(order: EventOrder): Promise<PlayedEvents> {
    const {milliseconds, last} = await askServer(this.#child, {type: 'play', ...order}, 'played');
    return {milliseconds, last: new Map(Object.entries(last))};
  }

  /** The Pod as a watch event has it. */
  async read<T>(key: string): Promise<T> {
    const {text} = await askServer(this.#child, {type: 'read', key}, 'object');
    return JSON.parse(text) as T;
  }

  stop(): void {
    this.#child.disconnect();
    rmSync(this.#folder, {recursive: true, force: true});
  }
}

function askServer<T extends FromWatchServer['type']>(
  child: ChildProcess,
  message: ToWatchServer,
  type: T,
): Promise<Extract<FromWatchServer, {type: T}>> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the prepared cluster has ended'));
    const listen = (answer: FromWatchServer) => {
      if (answer.type !== type) return;
      child.off('message', listen);
      child.off('exit', ended);
      resolve(answer as Extract<FromWatchServer, {type: T}>);
    };
    child.on('message', listen);
    child.once('exit', ended);
    child.send(message);
  });
}

const kubeconfigOf = (port: number) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'prepared',
  clusters: [{name: 'prepared', cluster: {server: `http://127.0.0.1:${port}`}}],
  users: [{name: 'prepared', user: {}}],
  contexts: [{name: 'prepared', context: {cluster: 'prepared', user: 'prepared'}}],
});
