// Runs a formula over the current rows without a collection, for drafts. It commits, records and traces
// nothing. It caches answers, so use it only until the next batch.

import {AnswerTrie} from '../containers/answer-trie.ts';
import {type Row, settledValue} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {type Engine, type EngineCore, engineCoreOf} from '../graph/engine.ts';
import {CandidateIndex, candidateRows} from '../query/candidate-index.ts';
import {clausesOf, type Filter, type QuerySpec, querySpecFor, textOfClauses} from '../query/filter.ts';
import {viaOf} from '../query/query-index.ts';
import {QueryNode, readsAttributes} from '../query/query-node.ts';
import {foreignCollectionError, outsideRunError, Suspension} from '../run/run-context.ts';
import type {HandlerContext} from '../values/context.ts';
import {type FetchRecord, KEYS_SHOWN, type Via} from '../values/trace.ts';
import {UncommittedRun} from './uncommitted-run.ts';

/** A distinct fetch, shared by all runs that make it. */
export interface RehearsedFetch {
  /** Its position among the distinct fetches, in the order of their first use. */
  readonly at: number;
  readonly collection: string;
  readonly via: Via;
  /** Keys of the items, as many as a trace would show. */
  readonly keys: readonly string[];
  /** The trace entry, created on demand. */
  readonly record: FetchRecord;
}

export interface RehearsedRun {
  readonly value: unknown;
  /** What it threw. */
  readonly error: unknown;
  /** The collection that a fetch has to wait for. */
  readonly waitingFor: string | undefined;
  readonly discarded: boolean;
  /** In order. */
  readonly fetches: readonly RehearsedFetch[];
}

const NO_FETCHES: readonly never[] = Object.freeze([]) as readonly never[];

class DistinctFetch implements RehearsedFetch {
  readonly at: number;
  readonly core: CollectionCore;
  readonly spec: QuerySpec;
  readonly items: readonly unknown[];
  readonly keys: readonly string[];
  /** Shared by all runs with only this fetch. */
  readonly alone: readonly DistinctFetch[] = [this];
  readonly #scanned: number;
  #record: FetchRecord | null = null;

  constructor(at: number, core: CollectionCore, spec: QuerySpec, rows: Iterable<Row>) {
    this.at = at;
    this.core = core;
    this.spec = spec;
    const test = new QueryNode(core, spec);
    const reads = readsAttributes(spec);
    const items: unknown[] = [];
    const keys: string[] = [];
    let scanned = 0;
    for (const row of rows) {
      scanned++;
      const item = settledValue(row);
      if (item === undefined || !test.test(row.key, reads ? core.attributesOf(row) : null)) continue;
      items.push(item);
      if (items.length <= KEYS_SHOWN) keys.push(row.key);
    }
    this.items = Object.freeze(items);
    this.keys = keys;
    this.#scanned = scanned;
  }

  get collection(): string {
    return this.core.name;
  }

  get via(): Via {
    return viaOf(this.spec);
  }

  get record(): FetchRecord {
    if (this.#record !== null) return this.#record;
    const {name: collection, uid} = this.core;
    const clauses = clausesOf(this.spec);
    this.#record = {
      collection,
      uid,
      filter: textOfClauses(clauses),
      clauses,
      matched: this.items.length,
      scanned: this.#scanned,
      via: this.via,
      keys: this.keys,
    };
    return this.#record;
  }
}

/** The answers of one collection. */
class CollectionAnswers {
  readonly #core: CollectionCore;
  readonly #forward: CandidateIndex;
  readonly #known = new AnswerTrie<DistinctFetch>();

  constructor(core: CollectionCore) {
    this.#core = core;
    this.#forward = new CandidateIndex(core);
  }

  /** `next`: the position of a new fetch. */
  find(filters: readonly Filter[], next: number): DistinctFetch {
    const place = this.#known.of(filters);
    if (place !== null && place.answer !== null) return place.answer;
    const spec = querySpecFor(this.#core, filters).copyValues();
    const asked = new DistinctFetch(next, this.#core, spec, candidateRows(this.#core, this.#forward, spec));
    if (place !== null) place.answer = asked;
    return asked;
  }
}

export class Rehearsal extends UncommittedRun {
  readonly #engine: EngineCore;
  readonly #name: string;
  readonly #answers = new Map<CollectionCore, CollectionAnswers>();
  #input: string | null = null;
  #fetches: readonly DistinctFetch[] | null = null;
  /** The list of the run, after its second fetch. */
  #several: DistinctFetch[] | null = null;
  #suspendedOn: CollectionCore | null = null;
  #distinct = 0;

  /** `name`: the name that the collection would have. */
  constructor(engine: Engine, name: string) {
    super();
    this.#engine = engineCoreOf(engine);
    this.#name = name;
  }

  /** Runs once; does not throw the errors of the formula. */
  run(
    input: string,
    formula: (ctx: HandlerContext, item: unknown, input: string) => unknown,
    item?: unknown,
  ): RehearsedRun {
    this.#input = input;
    this.#fetches = null;
    this.#several = null;
    this.#suspendedOn = null;
    this.enter(this.#engine);
    try {
      return this.#answer(formula(this, item, input), undefined);
    } catch (error) {
      return this.#answer(undefined, error ?? new Error('the formula threw nothing'));
    } finally {
      this.leave(this.#engine);
      this.#input = null;
    }
  }

  #answer(value: unknown, error: unknown): RehearsedRun {
    const fetches = this.#fetches ?? NO_FETCHES;
    const {discarded} = this;
    const waitingFor = this.#suspendedOn?.name;
    if (waitingFor === undefined) return {value, error, waitingFor, discarded, fetches};
    // As in a real run, a caught suspension still suspends.
    return {value: undefined, error: undefined, waitingFor, discarded, fetches};
  }

  override read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[] {
    if (this.#input === null) throw outsideRunError(this.#name);
    if (core.engine !== this.#engine) throw foreignCollectionError(core, this.#name);
    if (!core.synced) {
      this.#suspendedOn ??= core;
      throw new Suspension(core.name);
    }
    let answers = this.#answers.get(core);
    if (answers === undefined) {
      answers = new CollectionAnswers(core);
      this.#answers.set(core, answers);
    }
    const asked = answers.find(filters, this.#distinct);
    if (asked.at === this.#distinct) this.#distinct += 1;
    if (this.#several !== null) this.#several.push(asked);
    else if (this.#fetches === null) this.#fetches = asked.alone;
    else {
      this.#several = [...this.#fetches, asked];
      this.#fetches = this.#several;
    }
    return asked.items;
  }

  override toString(): string {
    return `${this.#name}{${this.#input ?? ''}}`;
  }
}
