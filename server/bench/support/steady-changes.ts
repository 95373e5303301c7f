// A thousand writes a second to an engine over 10,000 Pods, and the CPU that they take.
import {setTimeout as sleep} from 'node:timers/promises';
import type {EngineHandle, SourceChange} from '../../src/engine/link/engine-link.ts';
import {cpuTimeOf} from '../../src/engine/supervisor/cpu-time.ts';
import {makeCluster, makePod, sourceNames} from '../../src/graph/testing-cluster.ts';

export const PODS = 10_000;
const PER_TICK = 10;
const TICK_MS = 10;

/** The pid is for measurements only. */
export type MeasuredEngine = EngineHandle & {readonly pid: number};

/** Percent of a core at that rate, also where a busy machine is slower. */
export interface CpuShares {
  engine: number;
  /** This process with all its threads. */
  main: number;
}

export async function fillEngine(engine: EngineHandle): Promise<void> {
  const received = Date.now();
  engine.apply(
    makeCluster({pods: PODS}).map(
      ([collection, key, object]): SourceChange => ({collection, key, event: 'add', new: object, received}),
    ),
  );
  for (const name of sourceNames) engine.sourceState(name, {state: 'synced', synced: true});
  while (engine.unsettled > 0) await sleep(20);
}

let version = 1;
function nextChange(): SourceChange {
  version += 1;
  const pod = makePod((version * 7) % PODS, {version, ready: version % 3 !== 0});
  const {namespace, name} = pod.metadata as {namespace: string; name: string};
  return {collection: 'Pods', key: `${namespace}/${name}`, event: 'update', new: pod, received: Date.now()};
}

/** Each write is a batch of its own. */
export async function measureSteadyChanges(
  engine: MeasuredEngine,
  {perSecond = 1000, milliseconds}: {perSecond?: number; milliseconds: number},
): Promise<CpuShares> {
  const ticks = (milliseconds / TICK_MS) | 0;
  const perTick = (PER_TICK * perSecond) / 1000;
  const before = {engine: cpuTimeOf(engine.pid) ?? 0, main: process.cpuUsage()};
  const began = performance.now();
  for (let tick = 1; tick <= ticks; tick++) {
    for (let n = 0; n < perTick; n++) engine.apply([nextChange()]);
    await sleep(Math.max(0, began + tick * TICK_MS - performance.now()));
  }
  while (engine.unsettled > 0) await sleep(5);
  const {user, system} = process.cpuUsage(before.main);
  return {
    engine: (((cpuTimeOf(engine.pid) ?? 0) - before.engine) * 100) / milliseconds,
    main: ((user + system) / 1000 / milliseconds) * 100,
  };
}

/** The middle of several phases, for both processes. */
export function middleOf(phases: readonly CpuShares[]): CpuShares {
  const middle = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] as number;
  return {
    engine: middle(phases.map(({engine}) => engine)),
    main: middle(phases.map(({main}) => main)),
  };
}
