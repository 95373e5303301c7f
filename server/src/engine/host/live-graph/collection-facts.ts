// Describes the collections of a running graph for explain/. Called for every frame.

import type {Progress} from '@krtscope/shared/graph.ts';
import type {CollectionFacts} from '../../../explain/records.ts';
import {isJournal} from '../../../history/journal.ts';
import {type CollectionOutline, type Engine, outline} from '../../../krt/index.ts';
import type {UserCollectionFacts} from '../formulas/user-collections.ts';
import {SyncProgress} from './sync-progress.ts';
import {wallClockNow} from './wall-clock.ts';

/** A reflector's report about its source; undefined for collections that main does not feed. */
export type SourceFacts = Pick<
  CollectionFacts,
  'state' | 'reason' | 'hint' | 'listed' | 'total' | 'asOf' | 'current' | 'resource' | 'columns'
>;

/** The parts that know more about a collection than the engine does. */
export interface FactProviders {
  source(name: string): SourceFacts | undefined;
  formula(name: string): UserCollectionFacts | undefined;
}

export class CollectionFactsReader {
  readonly #engine: Engine;
  readonly #providers: FactProviders;
  readonly #progress = new SyncProgress(() => performance.now());

  constructor(engine: Engine, providers: FactProviders) {
    this.#engine = engine;
    this.#providers = providers;
  }

  /** In topological order, sources first. */
  all(): CollectionFacts[] {
    return outline(this.#engine)
      .filter(({name}) => !isJournal(name))
      .map(shape => this.#factsOf(shape));
  }

  #factsOf({
    name,
    uid,
    kind,
    synced,
    waitingFor,
    parents,
    indexes,
    owes,
  }: CollectionOutline): CollectionFacts {
    const source = this.#providers.source(name);
    const progress = this.#progress.of(name, owes ?? listProgressOf(source));
    // A new text of the formula has not run for all inputs yet.
    const outdated = synced && owes !== undefined && progress !== undefined ? recomputingFacts(progress) : {};
    return {
      name,
      uid,
      kind: source === undefined ? kind : 'source',
      synced,
      waitingFor,
      progress,
      parents,
      indexes: [...indexes],
      ...source,
      ...outdated,
      ...this.#providers.formula(name),
    };
  }
}

function recomputingFacts({done, total}: Progress): Partial<CollectionFacts> {
  return {current: false, asOf: Math.round(wallClockNow()), reason: `recomputing, ${done} of ${total}`};
}

/** The progress of a first list, if the server says how long it is. */
function listProgressOf(source: SourceFacts | undefined): {runs: number; of: number} | undefined {
  if (source?.state !== 'listing' || source.listed === undefined || source.total === undefined)
    return undefined;
  return {runs: Math.max(0, source.total - source.listed), of: source.total};
}
