// 10,000 Pods of the embedded cluster, listed, cached and watched in one process: our informer next to
// @kubernetes/client-node's own, each in fresh processes that take turns.
import {type ChildProcess, fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import type {FromCluster} from '../src/cluster/main.ts';
import {DynamicClient, type ObjectRef} from '../src/kube/client/dynamic-client.ts';
import {tokenCredentials} from '../src/kube/credentials/credentials.ts';
import {resources} from '../src/kube/resource.ts';
import {Transport} from '../src/kube/transport/transport.ts';
import type {FromContender, ToContender} from './processes/kube-contender.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';

const PODS = 10_000;
const UPDATES = 1000;
const ROUNDS = 3;
const contenders = ['krtscope', 'client-node'] as const;
type Name = (typeof contenders)[number];

interface Figures {
  listMs: number;
  heapMB: number;
  watchCpuMs: number;
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The next message that fits; a process that ends before says so. */
function heard<T extends {type: string}, K extends T['type']>(
  child: ChildProcess,
  type: K,
): Promise<T & {type: K}> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: T) => {
      if (message.type !== type) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(message as T & {type: K});
    };
    const onExit = (code: number | null) =>
      reject(new Error(`a process ended with ${code} before it said ${type}`));
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}

async function podNames(client: DynamicClient): Promise<ObjectRef[]> {
  const names: ObjectRef[] = [];
  let next: string | undefined;
  do {
    const page = await client.list(resources.Pods, {limit: 500, continue: next});
    for (const {metadata} of page.items)
      names.push({namespace: metadata.namespace, name: metadata.name ?? ''});
    next = page.metadata.continue;
  } while (next);
  if (names.length < PODS) throw new Error(`the cluster has ${names.length} Pods, not ${PODS}`);
  return names;
}

async function inParallel(count: number, each: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({length: 16}, worker));
}

async function measure(
  name: Name,
  cluster: FromCluster & {type: 'ready'},
  client: DynamicClient,
  names: readonly ObjectRef[],
  round: number,
): Promise<Figures> {
  const flags = ['--expose-gc', '--no-warnings'];
  const child = fork(path('./processes/kube-contender.ts'), [name], {
    execArgv: flags,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const tell = (message: ToContender) => child.send(message);
  try {
    await heard<FromContender, 'loaded'>(child, 'loaded');
    tell({type: 'start', kubeconfig: cluster.kubeconfig, pods: names.length, updates: UPDATES});
    const listed = await heard<FromContender, 'listed'>(child, 'listed');
    const watched = heard<FromContender, 'watched'>(child, 'watched');
    await inParallel(UPDATES, at => {
      const body = {metadata: {annotations: {note: `round ${round} of ${name}`}}};
      return client.patch(resources.Pods, names[at]!, body, {type: 'merge'});
    });
    const {cpuMs} = await watched;
    return {listMs: listed.ms, heapMB: listed.heapMB, watchCpuMs: cpuMs};
  } finally {
    child.kill();
  }
}

function rowsOf(best: Record<Name, Figures>): Row[] {
  const row = (name: string, figure: keyof Figures, unit: string, limit: number): Row => {
    const ours = best.krtscope[figure];
    const theirs = best['client-node'][figure];
    return {
      name,
      value: ours,
      unit,
      others: {'client-node': theirs},
      goals: [atMost(limit, ours / theirs, 'of client-node’s')],
    };
  };
  return [
    row('kube list 10k', 'listMs', 'ms', 1),
    row('kube cache 10k', 'heapMB', 'MB', 0.6),
    row('kube watch 1k', 'watchCpuMs', 'ms', 1.2),
  ];
}

async function run(): Promise<Row[]> {
  const host = fork(path('../src/cluster/main.ts'), [], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let client: DynamicClient | undefined;
  try {
    const ready = heard<FromCluster, 'ready'>(host, 'ready');
    host.send({type: 'start', options: {pods: PODS, pace: 0}});
    const cluster = await ready;
    const made = new DynamicClient(
      new Transport(tokenCredentials(cluster.url, cluster.token, cluster.ca), {readOnly: false}),
    );
    client = made;
    const names = await podNames(made);
    const best: Partial<Record<Name, Figures>> = {};
    for (let round = 0; round < ROUNDS; round++)
      for (const name of contenders) {
        const now = await measure(name, cluster, made, names, round);
        const old = best[name] ?? now;
        best[name] = {
          listMs: Math.min(old.listMs, now.listMs),
          heapMB: Math.min(old.heapMB, now.heapMB),
          watchCpuMs: Math.min(old.watchCpuMs, now.watchCpuMs),
        };
      }
    return rowsOf(best as Record<Name, Figures>);
  } finally {
    await client?.transport.close();
    host.kill('SIGKILL');
  }
}

const bench: Bench = {name: 'kube', run};
export default bench;
