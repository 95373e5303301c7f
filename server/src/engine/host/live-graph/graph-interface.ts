// The current graph as other parts of the host see it. Implemented by a running graph (live-graph.ts), a program's
// graph (program-graph.ts) and an opened file (recorded-graph.ts).
import type {CollectionFacts, EdgeFacts, RerunFormulas} from '../../../explain/records.ts';
import type {JournalName} from '../../../history/journal.ts';
import type {SourceFresh, SourceReport} from '../../link/engine-link.ts';
import type {ReplayRows} from '../../link/host-messages.ts';
import type {ProgramBatchReport, ProgramChangeReport} from '../../link/program-batch.ts';

export interface ReadableGraph {
  /** In topological order, sources first. */
  collections(): readonly CollectionFacts[];
  fact(name: string): CollectionFacts | undefined;
  /** The keys that these items have in a collection. */
  keysOf?(collection: string, items: readonly unknown[]): string[] | undefined;
  /** Formulas that can run again over any state. */
  readonly formulas?: RerunFormulas;
  /** Milliseconds since 1970; in an opened file its last moment. */
  now(): number;
  recorder(): {share: number; cost?: number; heap: number; frame?: number};
}

/** A graph that main writes to: a running graph, or the graph that a program reports. */
export interface WritableGraph extends ReadableGraph {
  /** Applies one batch. `told` is a program's own report of it. */
  apply(changes: readonly ProgramChangeReport[], report?: ProgramBatchReport): void;
  report(name: string, report: SourceReport): void;
  freshen(sources: readonly SourceFresh[]): void;
  /** A command about collections of these names comes next. */
  prepare?(names: readonly string[]): void;
  /** Records the effects that follow from batches. */
  settle(): void;
  /** Replays the state of the previous process in pieces: main's journals, objects and source reports. */
  replayJournal(rows: readonly ReplayRows[]): void;
  replay(objects: readonly [string, string, unknown][]): void;
  replayReports(reports: readonly [string, SourceReport][]): void;
  /** The debug document as JSON text, in pieces. */
  dump(indent: number): Iterable<string>;
  readonly journal: {
    write(name: JournalName, rows: Iterable<readonly [key: string, value: unknown]>): void;
  };
}

/** The edges from each collection to those that it is built on. */
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
