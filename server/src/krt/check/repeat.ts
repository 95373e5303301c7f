// Formulas, merges and maps once more over rows that the caller gives, with nothing recorded and nothing of the engine's
// own state read: for a debugger that asks what would have come out if one thing had been otherwise.

import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf} from '../graph/core-of.ts';
import {GroupView} from '../kinds/group-by.ts';
import {MapView} from '../kinds/map.ts';
import {MergingView} from '../kinds/merge-join.ts';
import {type ClauseResult, testClauses} from '../query/clause-test.ts';
import {type Filter, querySpecFor} from '../query/filter.ts';
import {QueryNode} from '../query/query-node.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import {itemsOf, statusOf} from '../run/formula-result.ts';
import {FormulaRunContext} from '../run/run-context.ts';
import type {Clause} from '../values/clause.ts';
import type {Collection} from '../values/collection.ts';
import {errorText} from '../values/error-text.ts';
import {refusePromise, silenceRejections} from '../values/thenable.ts';
import {UncommittedRun} from './uncommitted-run.ts';

/** A fetch that a repeated formula makes; whoever repeats it finds the answer. */
export interface AskedFetch {
  collection: string;
  uid: number;
  /** Its place among the fetches of this repeat. */
  at: number;
  filter: string;
  clauses: readonly Clause[];
  /** A function decides: two such fetches with the same words may select different things. */
  opaque: boolean;
  /** Throws what a filter throws. */
  matches(key: string, item: unknown): boolean;
  /** The same, part by part, with what the item has there. */
  test(item: unknown, key?: string): ClauseResult[];
}

export interface Repeated {
  items: {key: string; item: unknown}[];
  /** What a status collection's formula says beside them. */
  status?: unknown;
  discarded: boolean;
  error?: string;
}

type AnswerFetch = (asked: AskedFetch) => readonly unknown[];

class RepeatContext extends UncommittedRun {
  readonly #derived: DerivedCore;
  readonly #answer: AnswerFetch;
  readonly #formula: FormulaFunction;
  readonly #input: string;
  #fetches = 0;

  constructor(derived: DerivedCore, answer: AnswerFetch, formula: FormulaFunction, input: string) {
    super();
    this.#derived = derived;
    this.#answer = answer;
    this.#formula = formula;
    this.#input = input;
  }

  run(item: unknown): Repeated {
    const {engine} = this.#derived;
    const formula = this.#formula;
    let value: unknown;
    this.enter(engine);
    try {
      value = formula(new FormulaRunContext(this.#derived, this), item);
      const items = itemsOf(this.#derived, value).map(one => ({key: this.#derived.keyOf(one), item: one}));
      const status = statusOf(this.#derived, value);
      return {items, discarded: this.discarded, ...(status === undefined ? {} : {status})};
    } catch (error) {
      silenceRejections(value);
      const text = errorText(error);
      return {items: [], discarded: this.discarded, error: text};
    } finally {
      this.leave(engine);
    }
  }

  override read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[] {
    const node = new QueryNode(core, querySpecFor(core, filters).copyValues());
    const found = this.#answer({
      collection: core.name,
      uid: core.uid,
      at: this.#fetches++,
      filter: node.text,
      clauses: node.clauses,
      opaque: node.spec.generic !== null,
      matches: (key, item) => node.selects(key, item),
      test: (item, key) => testClauses(node, item, key),
    });
    return Object.isFrozen(found) ? found : Object.freeze([...found]);
  }

  override toString(): string {
    return `${this.#derived.name}{${this.#input}}`;
  }
}

/**
 * Runs a formula for this input, the collection's own unless another is given; `answer` finds what each fetch gets. A
 * formula may ask its context which input it runs for: it hears `key`.
 * Undefined where there is no formula.
 */
export function repeat(
  collection: Collection<unknown>,
  item: unknown,
  answer: (asked: AskedFetch) => readonly unknown[],
  {formula, key = 'repeated'}: {formula?: FormulaFunction | undefined; key?: string} = {},
): Repeated | undefined {
  const core = coreOf(collection);
  if (!(core instanceof DerivedCore)) return undefined;
  return new RepeatContext(core, answer, formula ?? core.formula, key).run(core.parent.hidden ? null : item);
}

/**
 * What a merge makes of these items, or a map of the one, by its own function unless another is given; undefined for
 * what is neither.
 */
export function repeatView(
  collection: Collection<unknown>,
  items: readonly unknown[],
  view?: (given: never) => unknown,
): {item?: unknown; error?: string} | undefined {
  const core = coreOf(collection);
  if (!(core instanceof MergingView) && !(core instanceof MapView)) return undefined;
  if (items.length === 0) return {};
  try {
    const item = core.engine.callUserFunction(() =>
      core instanceof MapView
        ? ((view as MapView['project'] | undefined) ?? core.project)(items[0])
        : ((view as MergingView['merge'] | undefined) ?? core.merge)([...items]),
    );
    return item === undefined || item === null ? {} : {item: refusePromise(item, core.name)};
  } catch (error) {
    return {error: errorText(error)};
  }
}

/** The rows of an index as a collection that an item belongs to; undefined for what is no index. */
export function groupsOf(collection: Collection<unknown>, item: unknown): readonly string[] | undefined {
  const core = coreOf(collection);
  return core instanceof GroupView ? core.index.keysOf(item) : undefined;
}

/** The text of a collection's formula, merge, map or index function; undefined for sources and plain joins. */
export function formulaText(collection: Collection<unknown>): string | undefined {
  const core = coreOf(collection);
  if (core instanceof DerivedCore) return String(core.formula);
  if (core instanceof MergingView) return String(core.merge);
  if (core instanceof MapView) return String(core.project);
  return core instanceof GroupView ? String(core.index.extract) : undefined;
}
