// One item in its wire shape, and the moments that a question may name.
import type {Item} from '@krtscope/shared/items.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {type Records, RolledOff, type RowFacts, Unanswerable} from '../../../../explain/records.ts';
import {type SortBy, type SortKey, sortKey} from '../sheet/sorted-list.ts';
import type {FilterCandidate} from './filter-matcher.ts';

/** Refuses a moment that is not retained, and returns undefined for the newest one. */
export function momentOf(records: Records, at: number | undefined): number | undefined {
  if (at === undefined || at === records.newest()) return undefined;
  if (at < records.oldest()) throw new RolledOff(at, records.oldest());
  if (at > records.newest()) {
    throw new Unanswerable(
      'bad-query',
      `sequence ${at} has not happened yet`,
      `the newest one is ${records.newest()}; leave at= out for now`,
    );
  }
  return at;
}

export function itemOf(records: Records, collection: string, key: string, at?: number): Item {
  const facts = records.row(collection, key, at);
  return {
    key,
    value: records.value(collection, key, at),
    inputs: [...records.inputsOf(collection, key, at)],
    outcome: facts?.outcome ?? 'added',
    runs: facts?.runs ?? 0,
    sequence: facts?.sequence ?? 0,
    at: Math.round(facts?.at ?? 0),
    ...(facts?.stale ? {stale: true} : {}),
    ...(facts?.conflict && facts.conflict.length > 0 ? {conflict: [...facts.conflict]} : {}),
  };
}

/** Reads fields on demand: most filters need one label, and there are 100,000 items. */
class ItemCandidate implements FilterCandidate {
  readonly collection: string;
  readonly key: string;
  readonly #records: Records;
  readonly #at: number | undefined;
  #facts: RowFacts | undefined | null = null;

  constructor(records: Records, collection: string, key: string, at: number | undefined) {
    this.#records = records;
    this.collection = collection;
    this.key = key;
    this.#at = at;
  }

  get value(): unknown {
    return this.#records.value(this.collection, this.key, this.#at);
  }

  get outcome(): RunOutcome {
    return this.#row()?.outcome ?? 'added';
  }

  get runs(): number {
    return this.#row()?.runs ?? 0;
  }

  get at(): number {
    return this.#row()?.at ?? 0;
  }

  #row(): RowFacts | undefined {
    if (this.#facts === null) this.#facts = this.#records.row(this.collection, this.key, this.#at);
    return this.#facts;
  }
}

export function candidateOf(records: Records, collection: string, key: string, at?: number): FilterCandidate {
  return new ItemCandidate(records, collection, key, at);
}

/**
 * What an item sorts by: `key`, `state`, `runs` and `changed` are its own facts, anything else is a path in its
 * value.
 */
export function sortKeyOf(item: FilterCandidate, by: SortBy, plain = false): SortKey {
  if (by.path === 'key') return sortKey(item.key, plain);
  if (by.path === 'state') return item.outcome;
  if (by.path === 'runs') return item.runs;
  if (by.path === 'changed') return item.at;
  return sortKey(readPath(item.value, by.path), plain);
}
