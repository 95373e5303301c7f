// What records.ts needs beside the recording: the collections as they stand, and what only a living engine can do.
// A running graph (live-graph.ts) and an opened file (recorded-graph.ts) both are one.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts, EdgeFacts, RerunFormulas} from '../../../explain/records.ts';
import type {JournalName} from '../../../history/journal.ts';
import type {PastStates} from '../../../history/past-states.ts';
import type {Recording} from '../../../history/recording.ts';
import type {SourceFresh, SourceReport} from '../../link/engine-link.ts';
import type {ReplayRows} from '../../link/host-messages.ts';
import type {ProgramBatchReport, ProgramChangeReport} from '../../link/program-batch.ts';
import type {CollectionHistory} from '../recording/collection-history.ts';

export interface ReadableGraph {
  /** In topological order, sources first. */
  collections(): readonly CollectionFacts[];
  fact(name: string): CollectionFacts | undefined;
  /** The keys that these items have in a collection. */
  keysOf?(collection: string, items: readonly unknown[]): string[] | undefined;
  /** What can be run again over any state. */
  readonly formulas?: RerunFormulas;
  /** Milliseconds since 1970; in an opened file its last moment. */
  now(): number;
  recorder(): {share: number; cost?: number; heap: number; frame?: number};
}

/** A world that main feeds: a running graph, or what a program tells. */
export interface WritableGraph extends ReadableGraph {
  /** One batch; `told` is what a program said of it. */
  apply(changes: readonly ProgramChangeReport[], told?: ProgramBatchReport): void;
  report(name: string, report: SourceReport): void;
  freshen(sources: readonly SourceFresh[]): void;
  /** After batches: what else there is to record. */
  settle(): void;
  /** What the process before this one had, in pieces: what main kept of its journals, objects, reports. */
  replayJournal(kept: readonly ReplayRows[]): void;
  replay(objects: readonly [string, string, unknown][]): void;
  replayReports(reports: readonly [string, SourceReport][]): void;
  /** The debug document as JSON text, in pieces. */
  dump(indent: number): Iterable<string>;
  readonly journal: {
    write(name: JournalName, rows: Iterable<readonly [key: string, value: unknown]>): void;
  };
}

/** The recording that is read at the moment: a restore puts another in its place. */
export interface HostHistory {
  recording: Recording;
  past: PastStates;
  readonly gaps: TimelineGap[];
  /** Which collections there were when, and since when they were synced. */
  readonly collections: CollectionHistory;
  readonly limits: {runs: number; megabytes: number};
}

/** Which edges say that a collection is built on another. */
export function parentEdgesOf(facts: readonly CollectionFacts[]): EdgeFacts[] {
  return facts.flatMap(({name, kind, parents}) =>
    parents.map(
      (from): EdgeFacts => ({
        from,
        to: name,
        kind: kind === 'join' ? 'join' : kind === 'index' ? 'index' : 'input',
      }),
    ),
  );
}
