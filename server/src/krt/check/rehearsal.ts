// A formula over the rows that stand, without a collection for what comes out: nothing is committed, nobody comes to
// depend on anything, no trace is written. For drafts. It is of use until the next batch: it keeps what it found.

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

/** One distinct fetch: all runs that make it share it. */
export interface RehearsedFetch {
  /** Its place among the distinct fetches of the rehearsal, in the order in which they were first made. */
  readonly at: number;
  readonly collection: string;
  readonly via: Via;
  /** Of the items it found, as far as a trace would name them. */
  readonly keys: readonly string[];
  /** What a trace would say of it; made for whoever asks. */
  readonly record: FetchRecord;
}

export interface RehearsedRun {
  readonly value: unknown;
  /** What it threw. */
  readonly error: unknown;
  /** Its fetch has to wait for this one. */
  readonly waitingFor: string | undefined;
  readonly discarded: boolean;
  /** In the order in which it made them. */
  readonly fetches: readonly RehearsedFetch[];
}

const NO_FETCHES: readonly never[] = Object.freeze([]) as readonly never[];

class DistinctFetch implements RehearsedFetch {
  readonly at: number;
  readonly core: CollectionCore;
  readonly spec: QuerySpec;
  readonly items: readonly unknown[];
  readonly keys: readonly string[];
  /** For all runs that make it and no other. */
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

  /** `next`: the place of one that was not made before. */
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
  /** The run's own list, once it has made two. */
  #several: DistinctFetch[] | null = null;
  #suspendedOn: CollectionCore | null = null;
  #distinct = 0;

  /** `name`: what the formula's collection would be called. */
  constructor(engine: Engine, name: string) {
    super();
    this.#engine = engineCoreOf(engine);
    this.#name = name;
  }

  /** One run; never throws what the formula throws. */
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
    // As in a real run: one that swallows the wait waits all the same.
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
