// What if on 10,000 Pods: the first answer, later ones, the session's lag meanwhile, and the memory afterwards.
import {setTimeout as sleep} from 'node:timers/promises';
import {whatIfRequestSchema} from '@krtscope/shared/what-if/what-if.ts';
import type {EngineHandle, SourceChange} from '../src/engine/link/engine-link.ts';
import {startEngine} from '../src/engine/supervisor/start-engine.ts';
import {makeCluster, makePod, sourceNames} from '../src/graph/testing-cluster.ts';
import {RecordingFeed} from '../src/session/recording-feed.ts';
import {WhatIfService} from '../src/session/what-if/what-if-service.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';

const PODS = 10_000;
const IDLE_MS = 500;
const ROUNDS = 10;
const SIZE = {namespaces: 20, perNamespace: 10, nodes: 100};

const resources: Record<string, {resource: string; kind: string; namespaced: boolean}> = {
  Namespaces: {resource: 'namespaces', kind: 'Namespace', namespaced: false},
  Services: {resource: 'services', kind: 'Service', namespaced: true},
  Pods: {resource: 'pods', kind: 'Pod', namespaced: true},
};

async function startSession(): Promise<EngineHandle> {
  const engine = startEngine({
    name: 'bench',
    memoryMb: 4096,
    historyRuns: 50_000,
    historyMb: 64,
    redacted: true,
    sources: sourceNames.map(collection => {
      const own = resources[collection];
      return own === undefined ? {collection} : {collection, resource: {group: '', version: 'v1', ...own}};
    }),
  });
  const received = Date.now();
  engine.apply(
    makeCluster({pods: PODS}).map(
      ([collection, key, object]): SourceChange => ({
        collection,
        key,
        event: 'add',
        new: {apiVersion: 'v1', kind: resources[collection]?.kind ?? collection, ...object},
        received,
      }),
    ),
  );
  for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
  while (engine.unsettled > 0) await sleep(20);
  await engine.ask({ask: 'graph'});
  return engine;
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] as number;
}

/** Milliseconds from a write to its record, the median of some. */
async function lagOf(engine: EngineHandle, version: number): Promise<number> {
  const lags: number[] = [];
  for (let n = 0; n < 40; n++) {
    const pod = makePod(n, SIZE);
    const {namespace, name} = pod.metadata as {namespace: string; name: string};
    const labels = {...(pod.metadata as {labels: object}).labels, round: `${version}-${n}`};
    const metadata = {...(pod.metadata as object), labels, resourceVersion: `${version}${n}`};
    const start = performance.now();
    engine.apply([
      {
        collection: 'Pods',
        key: `${namespace}/${name}`,
        event: 'update',
        new: {...pod, metadata},
        received: Date.now(),
      },
    ]);
    while (engine.unsettled > 0) await sleep(1);
    lags.push(performance.now() - start);
    await sleep(5);
  }
  return median(lags);
}

const bench: Bench = {
  name: 'what-if',
  async run(): Promise<Row[]> {
    const engine = await startSession();
    const feed = new RecordingFeed({name: 'bench'});
    Object.assign(feed, {cluster: {...feed.cluster, kind: 'live'}});
    const service = new WhatIfService({
      name: 'bench',
      engine,
      feed,
      redact: undefined,
      memoryMb: 4096,
      idleMs: IDLE_MS,
      log: () => {},
    });
    const ask = (edit: object) => service.answer(whatIfRequestSchema.parse({edits: [edit]}));
    const label = (value: string) => ({
      patch: {
        collection: 'Namespaces',
        key: 'ns-1',
        body: {metadata: {labels: {tried: value, 'istio.io/use-waypoint': value}}},
      },
    });
    // The first writes meet cold code.
    for (let n = 1; n <= 5; n++) await lagOf(engine, 10 + n);
    const alone = await lagOf(engine, 1);
    const first = await took(() => ask(label('first')));
    const next: number[] = [];
    for (let n = 0; n < ROUNDS; n++) next.push(await took(() => ask(label(`n${n}`))));
    const deletes: number[] = [];
    for (let n = 0; n < ROUNDS; n++)
      deletes.push(await took(() => ask({delete: {collection: 'Services', key: 'ns-1/app-1'}})));
    let isAsking = true;
    const trials = (async () => {
      while (isAsking) await ask(label(String(Math.random())));
    })();
    const during = await lagOf(engine, 2);
    isAsking = false;
    await trials;
    await sleep(IDLE_MS * 4);
    const isBack = service.copyPid === undefined;
    await service.stop();
    await engine.stop();
    return [
      {name: 'first what-if', value: first, unit: 'ms', goals: [atMost(3000, first, 'ms')]},
      {name: 'next what-if', value: median(next), unit: 'ms', goals: [atMost(200, median(next), 'ms')]},
      {
        name: 'what-if without a Service',
        value: median(deletes),
        unit: 'ms',
        goals: [atMost(100, median(deletes), 'ms')],
      },
      {
        name: 'lag during what-if',
        value: during,
        unit: 'ms',
        others: {alone},
        goals: [atMost(1.2, during / alone, 'of the lag alone')],
      },
      {
        name: 'copies after a pause',
        value: isBack ? 0 : 1,
        unit: '',
        goals: [{text: 'none', holds: isBack}],
      },
    ];
  },
};
export default bench;
