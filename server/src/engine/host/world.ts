// What records.ts needs beside the recording: the collections as they stand, and what only a living engine can do.
// A running graph (live.ts) and an opened file (opened.ts) both are one.
import type {Gap} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts, EdgeFacts, Formulas} from '../../explain/records.ts';
import type {Past} from '../../history/past.ts';
import type {Recording} from '../../history/recording.ts';
import type {Lives} from './lives.ts';

export interface World {
  /** In topological order, sources first. */
  collections(): readonly CollectionFacts[];
  fact(name: string): CollectionFacts | undefined;
  /** The keys that these items have in a collection. */
  keysOf?(collection: string, items: readonly unknown[]): string[] | undefined;
  /** What can be run again over any state. */
  readonly formulas?: Formulas;
  /** Milliseconds since 1970; in an opened file its last moment. */
  now(): number;
  recorder(): {share: number; cost?: number; heap: number; frame?: number};
}

/** The recording that is read at the moment: a restore puts another in its place. */
export interface Books {
  recording: Recording;
  past: Past;
  readonly gaps: Gap[];
  /** Which collections there were when, and since when they were synced. */
  readonly lives: Lives;
  readonly limits: {runs: number; megabytes: number};
}

/** Which edges say that a collection is built on another. */
export function builtEdges(facts: readonly CollectionFacts[]): EdgeFacts[] {
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
