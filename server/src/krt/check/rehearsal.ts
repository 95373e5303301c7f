// A formula over the rows that stand, without a collection for what comes out: nothing is committed, nobody comes to
// depend on anything, no trace is written. For drafts. It is of use until the next batch: it keeps what it found.

import type {Labels} from '../api/collection.ts';
import type {HandlerContext} from '../api/context.ts';
import type {Core} from '../graph/core.ts';
import {type Engine, type EngineCore, engineCore} from '../graph/engine.ts';
import {type Row, settled} from '../graph/row.ts';
import {clausesOf, type Filter, GENERIC, KEYS, type Spec, specFor, textOf} from '../query/filter.ts';
import {candidates, Forward} from '../query/forward.ts';
import {QueryNode, readsAttributes} from '../query/query-node.ts';
import {viaOf} from '../query/reverse.ts';
import {ofAnother, outsideRun, Suspension} from '../run/run.ts';
import {type FetchRecord, KEYS_SHOWN, type Via} from '../trace/trace.ts';
import {Uncommitted} from './uncommitted.ts';

/** One distinct fetch: all runs that make it share it. */
export interface RehearsedFetch {
  readonly collection: string;
  readonly via: Via;
  /** Of the items it found, as far as a trace would name them. */
  readonly keys: readonly string[];
  /** What a trace would say of it; made for whoever asks. */
  readonly record: FetchRecord;
}

export interface Rehearsed {
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

class Asked implements RehearsedFetch {
  readonly core: Core;
  readonly spec: Spec;
  readonly items: readonly unknown[];
  readonly keys: readonly string[];
  /** For all runs that make it and no other. */
  readonly alone: readonly Asked[] = Object.freeze([this]);
  readonly #scanned: number;
  #record: FetchRecord | null = null;

  constructor(core: Core, spec: Spec, rows: Iterable<Row>) {
    this.core = core;
    this.spec = spec;
    const test = new QueryNode(core, spec);
    const reads = readsAttributes(spec);
    const items: unknown[] = [];
    const keys: string[] = [];
    let scanned = 0;
    for (const row of rows) {
      scanned++;
      const item = settled(row);
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
      filter: textOf(clauses),
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
class Answers {
  readonly #core: Core;
  readonly #forward: Forward;
  readonly #known = new Place();

  constructor(core: Core) {
    this.#core = core;
    this.#forward = new Forward(core);
  }

  find(filters: readonly Filter[]): Asked {
    const place = placeOf(this.#known, filters);
    if (place?.asked != null) return place.asked;
    const spec = specFor(this.#core, filters).keep();
    const asked = new Asked(this.#core, spec, candidates(this.#core, this.#forward, spec));
    if (place !== null) place.asked = asked;
    return asked;
  }
}

/** Where an answer is kept: the parts of a query lead to it step by step, because to write a text each time is slower. */
class Place {
  asked: Asked | null = null;
  readonly #next = new Map<unknown, Place>();

  step(part: unknown): Place {
    let next = this.#next.get(part);
    if (next === undefined) {
      next = new Place();
      this.#next.set(part, next);
    }
    return next;
  }
}

// Kinds are numbers, and all else is text: no query leads to the place of another. The same one in another order has two.
function placeOf(root: Place, filters: readonly Filter[]): Place | null {
  let place = root;
  for (let i = 0; i < filters.length; i++) {
    const {kind, value, index} = filters[i] as Filter;
    if (kind === GENERIC) return null;
    place = place.step(kind);
    if (index !== null) place = place.step(index);
    if (typeof value === 'string') place = place.step(value);
    else if (kind === KEYS) place = place.step(JSON.stringify(value));
    else {
      const labels = value as Labels;
      for (const name in labels) {
        const own = labels[name];
        // What is no text is told by whoever makes a query of it.
        if (typeof own !== 'string') return null;
        place = place.step(name).step(own);
      }
    }
  }
  return place;
}

export class Rehearsal extends Uncommitted {
  readonly #engine: EngineCore;
  readonly #name: string;
  readonly #answers = new Map<Core, Answers>();
  #input: string | null = null;
  #fetches: readonly Asked[] | null = null;
  /** The run's own list, once it has made two. */
  #several: Asked[] | null = null;
  #suspendedOn: Core | null = null;

  /** `name`: what the formula's collection would be called. */
  constructor(engine: Engine, name: string) {
    super();
    this.#engine = engineCore(engine);
    this.#name = name;
  }

  /** One run; never throws what the formula throws. */
  run(input: string, formula: (ctx: HandlerContext) => unknown): Rehearsed {
    this.#input = input;
    this.#fetches = null;
    this.#several = null;
    this.#suspendedOn = null;
    this.enter(this.#engine);
    try {
      return this.#answer(formula(this), undefined);
    } catch (error) {
      return this.#answer(undefined, error ?? new Error('the formula threw nothing'));
    } finally {
      this.leave(this.#engine);
      this.#input = null;
    }
  }

  #answer(value: unknown, error: unknown): Rehearsed {
    const fetches = this.#fetches ?? NO_FETCHES;
    const {discarded} = this;
    const waitingFor = this.#suspendedOn?.name;
    if (waitingFor === undefined) return {value, error, waitingFor, discarded, fetches};
    // As in a real run: one that swallows the wait waits all the same.
    return {value: undefined, error: undefined, waitingFor, discarded, fetches};
  }

  override read(core: Core, filters: readonly Filter[]): readonly unknown[] {
    if (this.#input === null) throw outsideRun(this.#name);
    if (core.engine !== this.#engine) throw ofAnother(core, this.#name);
    if (!core.synced) {
      this.#suspendedOn ??= core;
      throw new Suspension(core.name);
    }
    let answers = this.#answers.get(core);
    if (answers === undefined) {
      answers = new Answers(core);
      this.#answers.set(core, answers);
    }
    const asked = answers.find(filters);
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
