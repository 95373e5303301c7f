// What recording costs on the shipped graph over 10,000 Pods: engine time against none, bytes kept, and how long the
// engine process is away when it dies and takes everything in again.
import {serialize} from 'node:v8';
import type {Graph} from '@krtscope/shared/graph.ts';
import {LiveGraph, shippedGraph} from '../src/engine/host/live-graph/live-graph.ts';
import {CollectionHistory} from '../src/engine/host/recording/collection-history.ts';
import type {HostHistory} from '../src/engine/host/recording/host-history.ts';
import {TraceRecorder} from '../src/engine/host/recording/trace-recorder.ts';
import type {SourceChange} from '../src/engine/link/engine-link.ts';
import {startEngine} from '../src/engine/supervisor/start-engine.ts';
import {makeCluster, makePod, sourceNames} from '../src/graph/testing-cluster.ts';
import {PastStates} from '../src/history/past-states.ts';
import {Recording} from '../src/history/recording.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';

const PODS = 10_000;
const SYNCS = 5;
const ROUNDS = 84;
/** Updates of one round; each is a batch of its own. All rounds together are one for each Pod. */
const UPDATES = 120;
/** How many batches come to the engine process in one message, under load. */
const PER_MESSAGE = 8;
/** Writes that come in one message and are one batch, and how often. */
const MANY = 1000;
const MANY_ROUNDS = 12;
const LIMITS = {runs: 50_000, megabytes: 64};

interface Subject {
  readonly live: LiveGraph;
  readonly keeper: TraceRecorder | undefined;
  readonly books: HostHistory | undefined;
}

function subject(records: boolean): Subject {
  const lives = new CollectionHistory();
  const recording = new Recording({runs: LIMITS.runs, bytes: LIMITS.megabytes * 1024 * 1024}, lives);
  const books: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [],
    collections: lives,
    limits: LIMITS,
  };
  const keeper = new TraceRecorder(
    books,
    // What the channel to main does with every message.
    said => void serialize(said),
    () => ({...recording.kept, oldest: recording.oldest, newest: recording.newest, limits: LIMITS}),
  );
  const live = new LiveGraph({
    firstSequence: 0,
    sources: [],
    graph: shippedGraph,
    recorder: () => ({share: 0, heap: 0}),
    onGraph: facts => lives.update(facts, recording.newest),
    ...(records ? {onTrace: (trace, origin) => void keeper.record(trace, origin)} : {}),
  });
  return {live, keeper: records ? keeper : undefined, books: records ? books : undefined};
}

/** As after a restart: all objects in one text. */
function sync({live, keeper}: Subject, text: string): number {
  globalThis.gc?.();
  const start = performance.now();
  live.replay(JSON.parse(text) as [string, string, unknown][]);
  live.replayReports(sourceNames.map(name => [name, {state: 'synced', synced: true}]));
  while (live.runFirstSlice());
  keeper?.flush();
  return performance.now() - start;
}

/** One message of main's, from the text that comes to the answer that goes: all that the process does for it. */
function message({live, keeper}: Subject, texts: readonly string[]): number {
  const start = performance.now();
  for (const text of texts) live.apply([JSON.parse(text) as SourceChange]);
  keeper?.flush();
  return (performance.now() - start) / texts.length;
}

/** All writes of one message in one batch. */
function atOnce({live, keeper}: Subject, text: string): number {
  const start = performance.now();
  live.apply(JSON.parse(text) as SourceChange[]);
  keeper?.flush();
  return (performance.now() - start) / MANY;
}

/** Message by message in turn, so that both meet the same moments of a busy machine. */
function update(subjects: readonly Subject[], texts: readonly string[], times: readonly number[][]): void {
  for (let i = 0; i < texts.length; i += PER_MESSAGE) {
    const some = texts.slice(i, i + PER_MESSAGE);
    subjects.forEach((subject, s) => {
      times[s]?.push(message(subject, some));
    });
  }
}

function manyOf(round: number): string[] {
  const rounds = Math.ceil(MANY / UPDATES);
  const texts = Array.from({length: rounds}, (_, i) => updatesOf(ROUNDS + round * rounds + i));
  return texts.flat().slice(0, MANY);
}

function updatesOf(round: number): string[] {
  return Array.from({length: UPDATES}, (_, i) => {
    const p = (round * UPDATES + i * 7) % PODS;
    const pod = makePod(p, {version: 1 + round * UPDATES + i, ready: (i + round) % 3 !== 0});
    const {namespace, name} = pod.metadata as {namespace: string; name: string};
    const change: SourceChange = {
      collection: 'Pods',
      key: `${namespace}/${name}`,
      event: 'update',
      new: pod,
      received: Date.now(),
    };
    return JSON.stringify(change);
  });
}

/** The real process: killed, started, fed again. */
async function replay(): Promise<number> {
  const engine = startEngine({
    name: 'bench',
    memoryMb: 2048,
    historyRuns: LIMITS.runs,
    historyMb: LIMITS.megabytes,
    redacted: true,
    sources: [],
    spareMs: 0,
  });
  try {
    const changes = makeCluster({pods: PODS}).map(([collection, key, object]): SourceChange => {
      return {collection, key, event: 'add', new: object, received: Date.now()};
    });
    engine.apply(changes);
    for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
    // Until everything is in: what is still under way would go in after the replay.
    for (let synced = false; !synced; ) {
      const {collections} = (await engine.ask({ask: 'graph'})) as Graph;
      synced = collections.every(collection => collection.synced);
    }
    // As after ten seconds of health: a process that has loaded its program and practised waits beside it.
    await new Promise(resolve => setTimeout(resolve, 5000));
    const back = new Promise<number>(resolve => {
      let died = 0;
      engine.onState(state => {
        if (state === 'restarting') died = performance.now();
        if (state === 'ready') resolve(performance.now() - died);
      });
    });
    process.kill((engine as unknown as {pid: number}).pid, 'SIGKILL');
    return await back;
  } finally {
    await engine.stop();
  }
}

/** The lower quartile: a busy machine makes the upper half its own. */
function usual(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 2] as number;
}

/** Alternately with and without: the best sync of each counts, and what its messages usually take. */
function race(text: string): {syncs: Pair; updates: Pair; many: Pair; recorded: Subject; firstRuns: number} {
  const syncs: Pair = {none: Infinity, recorded: Infinity};
  let none = subject(false);
  let recorded = subject(true);
  // The product has one graph in a process. Here they come and go, and V8 would forget with each what it is made of.
  const kept = [none, recorded];
  const few = JSON.stringify(makeCluster({pods: 100}));
  for (const one of kept) sync(one, few);
  for (let round = 0; round < SYNCS; round++) {
    none = subject(false);
    syncs.none = Math.min(syncs.none, sync(none, text));
    recorded = subject(true);
    syncs.recorded = Math.min(syncs.recorded, sync(recorded, text));
  }
  const firstRuns = (recorded.books as HostHistory).recording.kept.runs;
  globalThis.gc?.();
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) update([none, recorded], updatesOf(round), times);
  const pairOf = (both: [number[], number[]]): Pair => ({none: usual(both[0]), recorded: usual(both[1])});
  const several: [number[], number[]] = [[], []];
  for (let round = 0; round < MANY_ROUNDS; round++) {
    const texts = manyOf(round);
    const one = `[${texts.join(',')}]`;
    [none, recorded].forEach((subject, s) => {
      several[s as 0 | 1].push(atOnce(subject, one));
    });
  }
  if (kept.some(({live}) => live.engine.collections().length === 0)) throw new Error('nothing was kept');
  return {syncs, updates: pairOf(times), many: pairOf(several), recorded, firstRuns};
}

interface Pair {
  none: number;
  recorded: number;
}

function row(name: string, {none, recorded}: Pair): Row {
  const share = recorded / none;
  return {
    name,
    value: recorded,
    unit: 'ms',
    others: {'no recording': none},
    goals: [atMost(1.25, share, 'of no recording')],
  };
}

async function run(): Promise<Row[]> {
  const {syncs, updates, many, recorded, firstRuns} = race(JSON.stringify(makeCluster({pods: PODS})));
  const {recording} = recorded.books as HostHistory;
  // What a full ring would hold at this rate; filling it would take longer than all the rest.
  const {bytes, runs} = recording.kept;
  const megabytes = ((bytes / 1024 / 1024) * LIMITS.runs) / Math.max(1, runs - firstRuns);
  const away = (await replay()) / 1000;
  // One session: the first list, and then as many updates as there are Pods.
  const session = {
    none: syncs.none + PODS * updates.none,
    recorded: syncs.recorded + PODS * updates.recorded,
  };
  return [
    row('recording: sync and an update of each of 10,000 Pods', session),
    {
      name: 'recording: the first sync of it',
      value: syncs.recorded,
      unit: 'ms',
      others: {'no recording': syncs.none},
    },
    row('LiveGraph.apply: one write', updates),
    row('LiveGraph.apply: 1,000 writes at once, each of them', many),
    {
      name: 'recording: 50,000 runs',
      value: megabytes,
      unit: 'MB',
      goals: [atMost(LIMITS.megabytes, megabytes, 'MB')],
    },
    {name: 'engine restart with 10,000 Pods', value: away, unit: 's', goals: [atMost(2, away, 's')]},
  ];
}

const bench: Bench = {name: 'recording', run};
export default bench;
