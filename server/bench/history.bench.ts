// History on disk: what writing costs the engine process and main at 1,000 changes a second over 10,000 Pods, how long the
// first answer about an old moment takes, and how much a day of the demo takes.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {HistoryArchive} from '../src/archive/history-archive.ts';
import {startEngine} from '../src/engine/supervisor/start-engine.ts';
import {sourceNames} from '../src/graph/testing-cluster.ts';
import {SessionHistory} from '../src/session/session-history.ts';
import {TestInstance} from '../src/start/testing-instance.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';
import {
  type CpuShares,
  fillEngine,
  type MeasuredEngine,
  measureSteadyChanges,
  middleOf,
} from './support/steady-changes.ts';

/** Of one phase. The phases with and without history take turns. */
const PHASE_MS = 6000;
const PHASES = 3;
const RUNS_IN_MEMORY = 5000;
/** The most of the engine's time that snapshots may take (archive/archived-recording.ts). */
const SNAPSHOT_PERCENT = 0.5;
/** Changes between two snapshots: about 20,000 runs, after which the next one is due. */
const SEGMENT_MS = 5000;
const DEMO_PACE = 20;
const DEMO_MS = 30_000;
const DAY_MS = 86_400_000;

interface Subject {
  engine: MeasuredEngine;
  history: SessionHistory;
  stop(): Promise<void>;
}

async function startSubject(folder: string | undefined): Promise<Subject> {
  const archive =
    folder === undefined
      ? undefined
      : new HistoryArchive({
          folder,
          limits: {days: 7, bytes: 2 ** 32},
          memoryMb: 2048,
          ringRuns: RUNS_IN_MEMORY,
          log: () => {},
        });
  const engine = startEngine({
    name: 'bench',
    memoryMb: 2048,
    historyRuns: RUNS_IN_MEMORY,
    historyMb: 64,
    redacted: true,
    awaitsArchive: archive !== undefined,
    sources: sourceNames.map(collection => ({collection})),
    spareMs: 2 ** 31 - 1,
  }) as Subject['engine'];
  const history = new SessionHistory(engine, {archive, kind: 'live', redacted: true, log: () => {}});
  await history.identified('bench', {name: 'bench'});
  await fillEngine(engine);
  return {
    engine,
    history,
    stop: async () => {
      await engine.stop();
      await archive?.stop();
    },
  };
}

/** Seconds until rows of a moment are there that only the disk has. A process is started for each. */
async function measureOldMoments({engine, history}: Subject): Promise<number> {
  const moments: number[] = [];
  for (let segment = 0; segment < 3; segment++) {
    moments.push(engine.sequence + 1);
    await measureSteadyChanges(engine, {milliseconds: SEGMENT_MS});
    await history.recording?.takeSnapshot?.();
  }
  const seconds: number[] = [];
  // The newest segment may be in memory.
  for (const at of moments.slice(0, 2)) {
    const began = performance.now();
    await engine.ask({ask: 'items', collection: 'Pods', limit: 50, at});
    seconds.push((performance.now() - began) / 1000);
  }
  return Math.max(...seconds);
}

/** Megabytes of a day at pace 1, from some minutes at a higher pace. */
async function demoDay(): Promise<number> {
  const args = ['--demo', '--demo-pace', String(DEMO_PACE), '--port', '0', '--no-open'];
  const instance = new TestInstance(args);
  try {
    await instance.ready();
    const bytes = async () => {
      // An export writes a snapshot, after which the small frames are merged.
      await (await instance.get('/api/v1/recording?from=1')).arrayBuffer();
      return (await instance.json<SessionAnswer>('/api/v1/session')).kept.disk.bytes;
    };
    const first = await bytes();
    const began = performance.now();
    await sleep(DEMO_MS);
    const simulated = (performance.now() - began) * DEMO_PACE;
    return (((await bytes()) - first) * (DAY_MS / simulated)) / 1e6;
  } finally {
    await instance.stop();
  }
}

async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-bench-history-'));
  const without = await startSubject(undefined);
  const withHistory = await startSubject(folder);
  const none: CpuShares[] = [];
  const kept: CpuShares[] = [];
  let old = 0;
  try {
    // The first snapshot comes soon. It would count as if it came every few seconds.
    await withHistory.history.recording?.takeSnapshot?.();
    for (let phase = 0; phase < PHASES; phase++) {
      none.push(await measureSteadyChanges(without.engine, {milliseconds: PHASE_MS}));
      kept.push(await measureSteadyChanges(withHistory.engine, {milliseconds: PHASE_MS}));
    }
    await without.stop();
    old = await measureOldMoments(withHistory);
  } finally {
    await Promise.all([without.stop(), withHistory.stop()]);
    rmSync(folder, {recursive: true, force: true});
  }
  const [memory, disk] = [middleOf(none), middleOf(kept)];
  const day = await demoDay();
  return [
    {
      name: 'history on disk: the engine process at 1,000 changes/s',
      value: disk.engine,
      unit: '% of a core',
      others: {'in memory': memory.engine},
      goals: [atMost(1, disk.engine - memory.engine + SNAPSHOT_PERCENT, '% more, with snapshots')],
    },
    {
      name: 'history on disk: main at 1,000 changes/s',
      value: disk.main,
      unit: '% of a core',
      others: {'in memory': memory.main},
      goals: [atMost(10, disk.main - memory.main, '% more')],
    },
    {
      name: 'rows of an old moment at 10,000 Pods, the slower of two',
      value: old,
      unit: 's',
      goals: [atMost(2, old, 's')],
    },
    {
      name: 'history on disk: a day of the demo',
      value: day,
      unit: 'MB',
      goals: [atMost(300, day, 'MB')],
    },
  ];
}

/** Channels to child processes do not keep this process alive, so a timer does. */
async function runAlive(): Promise<Row[]> {
  const timer = setInterval(() => {}, 1000);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

const bench: Bench = {name: 'history', run: runAlive};
export default bench;
