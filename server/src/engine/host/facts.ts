// The collections of a running graph as explain/ knows them. Asked for with every frame.
import type {CollectionFacts} from '../../explain/records.ts';
import {isJournal} from '../../history/journal.ts';
import {type CollectionOutline, type Engine, outline} from '../../krt/index.ts';

/** What the reflector of a source says; undefined for what is no source of main's. */
export type SourceFacts = Pick<
  CollectionFacts,
  'state' | 'reason' | 'hint' | 'listed' | 'total' | 'asOf' | 'current' | 'resource' | 'columns'
>;

export class FactFinder {
  readonly #engine: Engine;
  readonly #sourceFacts: (name: string) => SourceFacts | undefined;

  constructor(engine: Engine, sourceFacts: (name: string) => SourceFacts | undefined) {
    this.#engine = engine;
    this.#sourceFacts = sourceFacts;
  }

  /** In topological order, sources first. */
  all(): CollectionFacts[] {
    return outline(this.#engine)
      .filter(({name}) => !isJournal(name))
      .map(shape => this.#factsOf(shape));
  }

  #factsOf({name, uid, kind, synced, waitingFor, parents, indexes}: CollectionOutline): CollectionFacts {
    const source = this.#sourceFacts(name);
    return {
      name,
      uid,
      kind: source === undefined ? kind : 'source',
      synced,
      ...(waitingFor === undefined ? {} : {waitingFor}),
      parents,
      indexes: [...indexes],
      ...source,
    };
  }
}
