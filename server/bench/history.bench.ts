// What history on disk costs at 1,000 changes a second, how long an older moment takes at 10,000 Pods, and the size of a
// day of the demo.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {HistoryArchive} from '../src/archive/history-archive.ts';
import type {EngineHandle, SourceChange} from '../src/engine/link/engine-link.ts';
import {cpuTimeOf} from '../src/engine/supervisor/cpu-time.ts';
import {startEngine} from '../src/engine/supervisor/start-engine.ts';
import {makeCluster, makePod, sourceNames} from '../src/graph/testing-cluster.ts';
import {SessionHistory} from '../src/session/session-history.ts';
import {TestInstance} from '../src/start/testing-instance.ts';
import type {Bench, Row} from './support/result-row.ts';

const RATE = 1000;
const PER_MESSAGE = 20;
const SECONDS = 15;
const DEMO_PACE = 20;
const DEMO_SECONDS = 60;

interface BenchSubject {
  engine: EngineHandle;
  history: SessionHistory;
  stop(): Promise<void>;
}

async function start(pods: number, historyRuns: number, archives: boolean): Promise<BenchSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-bench-history-'));
  const archive = archives
    ? new HistoryArchive({
        folder,
        limits: {days: 7, bytes: 2 ** 32},
        memoryMb: 2048,
        ringRuns: historyRuns,
        log: () => {},
      })
    : undefined;
  const engine = startEngine({
    name: 'bench',
    memoryMb: 2048,
    historyRuns,
    historyMb: 64,
    redacted: true,
    sources: [],
    awaitsArchive: true,
    spareMs: 2 ** 31 - 1,
  });
  const history = new SessionHistory(engine, {archive, kind: 'live', redacted: true, log: () => {}});
  await history.identified('bench', {name: 'bench'});
  engine.apply(
    makeCluster({pods}).map(([collection, key, object]) => ({
      collection,
      key,
      event: 'add',
      new: object,
      received: Date.now(),
    })),
  );
  for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
  for (let synced = false; !synced; ) {
    const {collections} = (await engine.ask({ask: 'graph'})) as Graph;
    synced = collections.every(collection => collection.synced);
  }
  return {
    engine,
    history,
    stop: async () => {
      await engine.stop();
      await archive?.stop();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

function updateOf(pods: number, n: number): SourceChange {
  const pod = makePod((n * 7) % pods, {version: n + 1, ready: n % 3 !== 0});
  const {namespace, name} = pod.metadata as {namespace: string; name: string};
  return {collection: 'Pods', key: `${namespace}/${name}`, event: 'update', new: pod, received: Date.now()};
}

const settled = async (engine: EngineHandle) => {
  while (engine.unsettled > 0) await new Promise(resolve => setTimeout(resolve, 5));
};

/** Milliseconds of CPU a second, of main with its threads and of the engine process. */
async function loadOf({engine}: BenchSubject): Promise<{main: number; engine: number}> {
  const {pid} = engine as unknown as {pid: number};
  const main = process.cpuUsage();
  const before = cpuTimeOf(pid) ?? 0;
  const began = performance.now();
  for (let n = 0; n < RATE * SECONDS; n += PER_MESSAGE) {
    for (let i = 0; i < PER_MESSAGE; i++) engine.apply([updateOf(1000, n + i)]);
    const wait = began + ((n + PER_MESSAGE) * 1000) / RATE - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
  }
  await settled(engine);
  const {user, system} = process.cpuUsage(main);
  return {
    main: (user + system) / 1000 / SECONDS,
    engine: ((cpuTimeOf(pid) ?? 0) - before) / SECONDS,
  };
}

async function costs(): Promise<Row[]> {
  const found = {with: {main: 0, engine: 0}, without: {main: 0, engine: 0}};
  for (const kind of ['without', 'with'] as const) {
    const subject = await start(1000, 50_000, kind === 'with');
    found[kind] = await loadOf(subject);
    await subject.stop();
  }
  const percent = (part: 'main' | 'engine') => (found.with[part] - found.without[part]) / 10;
  return [
    costRow('history engine, % of a core', percent('engine'), 1),
    costRow('history main, % of a core', percent('main'), 10),
  ];
}

function costRow(name: string, value: number, limit: number): Row {
  return {name, value, unit: '', goals: [{text: `< ${limit} % at 1,000 changes/s`, holds: value < limit}]};
}

/** A moment that left the memory, asked for the first time. */
async function olderMoment(): Promise<Row> {
  const pods = 10_000;
  const subject = await start(pods, 6000, true);
  const {engine, history} = subject;
  try {
    const at = engine.sequence;
    for (let n = 0; history.kept().hot.oldest.sequence <= at + 1; n++) {
      engine.apply([updateOf(pods, n)]);
      if (n % 50 === 0) await settled(engine);
    }
    const began = performance.now();
    const {total} = (await engine.ask({ask: 'items', collection: 'Workloads', limit: 100, at})) as Items;
    const value = (performance.now() - began) / 1000;
    return {
      name: 'history older moment, 10k Pods',
      value,
      unit: 's',
      goals: [{text: '< 2 s', holds: value < 2}],
      ...(total === pods ? {} : {wrong: `${total} Workloads`}),
    };
  } finally {
    await subject.stop();
  }
}

async function demoDay(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-bench-demo-'));
  const demo = new TestInstance([
    ...['--demo', '--demo-pace', String(DEMO_PACE), '--no-open', '--port', '0', '--data-dir', folder],
  ]);
  try {
    await demo.ready();
    const bytes = async () => (await demo.json<SessionAnswer>('/api/v1/session')).kept.disk.bytes;
    const before = await bytes();
    await new Promise(resolve => setTimeout(resolve, DEMO_SECONDS * 1000));
    const value = (((await bytes()) - before) * 86_400) / (DEMO_SECONDS * DEMO_PACE) / 1e6;
    return {
      name: 'history day of the demo, MB',
      value,
      unit: '',
      goals: [{text: '< 300 MB', holds: value < 300}],
    };
  } finally {
    await demo.stop();
    rmSync(folder, {recursive: true, force: true});
  }
}

export default {
  name: 'history',
  async run() {
    return [...(await costs()), await olderMoment(), await demoDay()];
  },
} satisfies Bench;
