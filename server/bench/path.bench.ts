// The CPU time of one changed Pod from the API server to the screen, at 10,000 Pods with one open Sheet and with 20.
// The floor parses the watch event once, runs the formulas by hand and writes the frame once.
import {readFileSync} from 'node:fs';
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {WebSocket} from 'ws';
import {cpuTimeOf} from '../src/engine/supervisor/cpu-time.ts';
import type {KubernetesObject, PodObject, ServiceObject} from '../src/graph/kubernetes-objects.ts';
import {connect} from '../src/kube/client/connect.ts';
import {readKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {resources} from '../src/kube/resource.ts';
import {descendants, TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {worked} from './support/measure.ts';
import {type FloorInput, formulasByHand} from './support/path-floor.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';

const PODS = 10_000;
const CHANGES = 150;
/** Longer than a frame, so that each change has a frame of its own. */
const PAUSE_MS = 80;
const ROWS = 50;

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

/** Milliseconds that main and the engine process have worked. */
interface ProcessTimes {
  readonly main: number;
  readonly engine: number;
}

function timesOf(main: number): ProcessTimes {
  const engines = descendants(main).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine/host/main'),
  );
  // The standby process does nothing, so the sum is the engine at work.
  const engine = engines.reduce((sum, pid) => sum + (cpuTimeOf(pid) ?? 0), 0);
  return {main: cpuTimeOf(main) ?? 0, engine};
}

/** A page with the Sheet of Pods open. */
class SheetReader {
  /** The last frame with an update of the Sheet, and how many there were. */
  frame = '';
  shown = 0;
  readonly #socket: WebSocket;

  constructor(url: string, token: string) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
      headers: {authorization: `Bearer ${token}`},
    });
    this.#socket.on('open', () => {
      this.#socket.send(JSON.stringify({type: 'hello', protocol: PROTOCOL}));
      const question = {ask: 'sheet', root: 'Pods', offset: 0, count: ROWS};
      this.#socket.send(JSON.stringify({type: 'subscribe', id: 's', question}));
    });
    this.#socket.on('message', bytes => {
      const text = bytes.toString();
      if (!text.includes('"delta"')) return;
      this.frame = text;
      this.shown++;
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const instance = new TestInstance([
    ...['--demo', '--demo-pods', String(PODS), '--demo-pace', '0', '--port', '0', '--no-open'],
  ]);
  try {
    await instance.ready();
    const {url, token} = await instance.address();
    const {cluster} = await instance.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
    const config = readKubeconfig([cluster.kubeconfig]);
    const client = connect({config, context: config.currentContext ?? '', readOnly: false});
    const main = instance.child.pid as number;
    const {items} = await instance.json<{items: {key: string}[]}>(
      `/api/v1/collections/Pods/items?limit=${ROWS}`,
    );
    const [namespace = '', name = ''] = items[0]?.key.split('/') ?? [];
    const readers: SheetReader[] = [];
    let n = 0;

    const timesOfOneChange = async (sheets: number): Promise<ProcessTimes> => {
      while (readers.length < sheets) readers.push(new SheetReader(url, token));
      await wait(3000);
      const start = timesOf(main);
      await wait(CHANGES * PAUSE_MS);
      const idle = timesOf(main);
      const began = performance.now();
      for (let i = 0; i < CHANGES; i++) {
        const labels = {bench: `tick-${n++}`};
        await client.patch(resources.Pods, {namespace, name}, {metadata: {labels}}, {type: 'merge'});
        await wait(began + (i + 1) * PAUSE_MS - performance.now());
      }
      await wait(500);
      const end = timesOf(main);
      const each = (role: keyof ProcessTimes) =>
        (end[role] - idle[role] - (idle[role] - start[role])) / CHANGES;
      return {main: each('main'), engine: each('engine')};
    };

    const one = await timesOfOneChange(1);
    const shown = readers[0]?.shown ?? 0;
    const twenty = await timesOfOneChange(20);
    const floor = await floorOf(client, {namespace, name}, readers[0]?.frame ?? '{}');
    for (const reader of readers) reader.close();
    await client.transport.close();
    const wrong =
      shown < CHANGES / 2 ? `only ${shown} of ${CHANGES} changes were in a frame of the Sheet` : undefined;
    const both = (times: ProcessTimes) => times.main + times.engine;
    const row = (sheets: string, times: ProcessTimes, goals: Row['goals']): Row => ({
      name: `path 10k: CPU time of one change, ${sheets}`,
      value: both(times) * 1000,
      unit: 'us',
      others: {floor: floor * 1000, main: times.main * 1000, engine: times.engine * 1000},
      goals: goals ?? [],
      ...(wrong === undefined ? {} : {wrong}),
    });
    return [
      row('one Sheet', one, [atMost(3, both(one) / floor, 'floor')]),
      row('20 Sheets', twenty, [atMost(1.3, both(twenty) / both(one), 'one Sheet')]),
    ];
  } finally {
    await instance.stop();
  }
}

/** Milliseconds of the floor for one change. */
async function floorOf(
  client: ReturnType<typeof connect>,
  pod: {namespace: string; name: string},
  frame: string,
): Promise<number> {
  const list = async <T>(resource: Parameters<typeof client.list>[0]): Promise<T[]> =>
    (await client.list(resource, {namespace: pod.namespace})).items as T[];
  const input: FloorInput = {
    services: await list<ServiceObject>(resources.Services),
    replicaSets: await list<KubernetesObject>(resources.ReplicaSets),
    namespace: (await client.get(resources.Namespaces, {name: pod.namespace})) as KubernetesObject,
  };
  const object = (await client.get(resources.Pods, pod)) as PodObject;
  const events = [0, 1].map(n =>
    JSON.stringify({
      type: 'MODIFIED',
      object: {
        ...object,
        metadata: {...object.metadata, labels: {...object.metadata.labels, bench: `tick-${n}`}},
      },
    }),
  );
  const written = JSON.parse(frame) as unknown;
  const rounds = 20;
  const perRound = 500;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = worked();
    for (let i = 0; i < perRound; i++) {
      const {object: changed} = JSON.parse(events[i & 1] as string) as {object: PodObject};
      if (formulasByHand(changed, input) === 0) throw new Error('the floor made no row');
      JSON.stringify(written);
    }
    best = Math.min(best, (worked() - start) / perRound);
  }
  return best;
}

export default {name: 'path', run} satisfies Bench;
