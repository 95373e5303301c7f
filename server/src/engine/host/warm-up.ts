// Warms up a spare process: runs some of the session's objects through the shipped graph, records it, and forgets
// them. V8 compiles code that has run often, and a takeover must be fast.
import {PastStates} from '../../history/past-states.ts';
import {Recording} from '../../history/recording.ts';
import {LiveGraph, shippedGraph} from './live-graph/live-graph.ts';
import {CollectionHistory} from './recording/collection-history.ts';
import type {HostHistory} from './recording/host-history.ts';
import {TraceRecorder} from './recording/trace-recorder.ts';

const LIMITS = {runs: 1000, megabytes: 1};

export class WarmUp {
  readonly #objects: [string, string, unknown][] = [];

  /** Adds sample objects as JSON. The warm-up starts with the last of them. */
  take(objects: string, last: boolean): void {
    for (const object of JSON.parse(objects) as [string, string, unknown][]) this.#objects.push(object);
    if (last) runWarmUp(this.#objects.splice(0));
  }
}

function runWarmUp(objects: readonly [string, string, unknown][]): void {
  const collections = new CollectionHistory();
  const recording = new Recording({runs: LIMITS.runs, bytes: LIMITS.megabytes * 1024 * 1024}, collections);
  const history: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [],
    collections,
    limits: LIMITS,
  };
  const recorder = new TraceRecorder(
    history,
    () => {},
    () => ({...recording.kept, oldest: recording.oldest, newest: recording.newest, limits: LIMITS}),
  );
  const live = new LiveGraph({
    firstSequence: 0,
    sources: [],
    graph: shippedGraph,
    onGraph: facts => collections.update(facts, recording.newest),
    onTrace: (trace, origin) => void recorder.record(trace, origin),
    recorder: () => ({share: recorder.share, heap: 0}),
  });
  const known = new Set(shippedGraph.sources);
  live.replay(objects.filter(([collection]) => known.has(collection)));
  live.replayReports(shippedGraph.sources.map(name => [name, {state: 'synced', synced: true}]));
  while (live.runFirstSlice());
  recorder.flush();
}
