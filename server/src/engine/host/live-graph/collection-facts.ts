// The collections of a running graph as explain/ knows them. Asked for with every frame.
import type {CollectionFacts} from '../../../explain/records.ts';
import {isJournal} from '../../../history/journal.ts';
import {type CollectionOutline, type Engine, outline} from '../../../krt/index.ts';
import type {UserCollectionFacts} from '../formulas/user-collections.ts';
import {SyncProgress} from './sync-progress.ts';

/** What the reflector of a source says; undefined for what is no source of main's. */
export type SourceFacts = Pick<
  CollectionFacts,
  'state' | 'reason' | 'hint' | 'listed' | 'total' | 'asOf' | 'current' | 'resource' | 'columns'
>;

/** Who knows more of a collection than the engine does. */
export interface FactProviders {
  source(name: string): SourceFacts | undefined;
  formula(name: string): UserCollectionFacts | undefined;
}

export class CollectionFactsReader {
  readonly #engine: Engine;
  readonly #informants: FactProviders;
  readonly #progresses = new SyncProgress(() => performance.now());

  constructor(engine: Engine, informants: FactProviders) {
    this.#engine = engine;
    this.#informants = informants;
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
    const source = this.#informants.source(name);
    const progress = this.#progresses.of(name, owes ?? listProgressOf(source));
    return {
      name,
      uid,
      kind: source === undefined ? kind : 'source',
      synced,
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...(progress === undefined ? {} : {progress}),
      parents,
      indexes: [...indexes],
      ...source,
      ...this.#informants.formula(name),
    };
  }
}

/** A first list that is under way, where the server says how long it is. */
function listProgressOf(source: SourceFacts | undefined): {runs: number; of: number} | undefined {
  if (source?.state !== 'listing' || source.listed === undefined || source.total === undefined)
    return undefined;
  return {runs: Math.max(0, source.total - source.listed), of: source.total};
}
