// Repeats formulas, merges and maps over given rows, for a debugger that asks what would have happened. It
// records nothing and reads no state of the engine.

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

/** A fetch of a repeated formula. The caller gives the answer. */
export interface AskedFetch {
  collection: string;
  uid: number;
  /** Its position among the fetches of this repeat. */
  at: number;
  filter: string;
  clauses: readonly Clause[];
  /** A function decides: two such fetches with one text may select different items. */
  opaque: boolean;
  /** Throws what a filter throws. */
  matches(key: string, item: unknown): boolean;
  /** The same part by part, with the values of the item. */
  test(item: unknown, key?: string): ClauseResult[];
}

export interface Repeated {
  items: {key: string; item: unknown}[];
  /** The status that the formula of a status collection returns. */
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
 * Runs a formula for one item: the formula of the collection unless another is given. `answer` gives the
 * result of each fetch. `key` names the input for the context. Undefined if the collection has no formula.
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
 * The result of a merge or map over these items, by its own function unless another is given. Undefined for
 * other collections.
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

/** The rows that an item belongs to in an index as a collection. Undefined for other collections. */
export function groupsOf(collection: Collection<unknown>, item: unknown): readonly string[] | undefined {
  const core = coreOf(collection);
  return core instanceof GroupView ? core.index.keysOf(item) : undefined;
}

/** The source text of a formula, merge, map or index function. Undefined for sources and plain joins. */
export function formulaText(collection: Collection<unknown>): string | undefined {
  const core = coreOf(collection);
  if (core instanceof DerivedCore) return String(core.formula);
  if (core instanceof MergingView) return String(core.merge);
  if (core instanceof MapView) return String(core.project);
  return core instanceof GroupView ? String(core.index.extract) : undefined;
}
