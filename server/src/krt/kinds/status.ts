// Status rows: what a formula returns about its input beside the items. They are committed together with the
// items.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf} from '../graph/core-of.ts';
import {ViewCore} from '../graph/view-core.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import type {Collection, CollectionKind, DerivedCollection, Options, RowState} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';

export interface StatusRow<I, S> {
  obj: I;
  status: S;
}

export class StatusRows extends ViewCore {
  readonly kind: CollectionKind = 'status';
  readonly #outputs: DerivedCore;

  constructor(outputs: DerivedCore) {
    const metadata = outputs.metadata();
    super(outputs.engine, '', {name: `${outputs.name}/status`, ...(metadata && {metadata})});
    this.#outputs = outputs;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      this.watch(outputs);
    });
  }

  /** Sets the row of an input after a run; without a status the row is removed. */
  put(input: Row, status: unknown): void {
    if (this.stopped) return;
    if (status === undefined || status === null) {
      this.drop(input.key);
      return;
    }
    const current = this.rows.get(input.key)?.value;
    const next = {obj: input.value, status};
    if (current !== undefined && this.safelyEqual(current, next)) return;
    this.assign(input.key, next);
    this.engine.recorder?.leadsTo(this, input.key, input);
    this.engine.enqueue(this);
  }

  drop(key: string): void {
    if (this.stopped || this.rows.get(key)?.value === undefined) return;
    this.assign(key, undefined);
    this.engine.enqueue(this);
  }

  upstreamChanged(): void {}

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  turn(): void {
    this.flush();
    if (!this.synced && this.#outputs.synced) this.becomeSynced();
  }

  upstreams(): Iterable<CollectionCore> {
    return [this.#outputs];
  }

  get watched(): DerivedCore {
    return this.#outputs;
  }

  override rowState(key: string): RowState | undefined {
    const state = this.#outputs.rowState(key);
    return state === undefined || !this.rows.has(key) ? undefined : {...state, key};
  }

  protected withdraw(): void {
    // The outputs keep the status collection, because their formula still returns a pair.
    this.unwatch(this.#outputs);
  }
}

type OptionalStatus<T> = T | null | undefined;
type StatusPair<I, S, O> = [Collection<StatusRow<I, S>>, DerivedCollection<I, O>];

/** A status and one output or none for each input: `[statuses, outputs]`. */
export function newStatusCollection<I, S, O>(
  input: Collection<I>,
  formula: (ctx: HandlerContext, item: I) => OptionalStatus<readonly [OptionalStatus<S>, OptionalStatus<O>]>,
  options: Options<O> = {},
): StatusPair<I, S, O> {
  return createWithStatus(
    coreOf(input),
    formula as FormulaFunction,
    false,
    options as Options<unknown>,
  ) as never;
}

/** A status and any number of outputs for each input: `[statuses, outputs]`. */
export function newStatusManyCollection<I, S, O>(
  input: Collection<I>,
  formula: (
    ctx: HandlerContext,
    item: I,
  ) => OptionalStatus<readonly [OptionalStatus<S>, OptionalStatus<Iterable<O>>]>,
  options: Options<O> = {},
): StatusPair<I, S, O> {
  return createWithStatus(
    coreOf(input),
    formula as FormulaFunction,
    true,
    options as Options<unknown>,
  ) as never;
}

function createWithStatus(
  parent: CollectionCore,
  formula: FormulaFunction,
  many: boolean,
  options: Options<unknown>,
): unknown[] {
  const name = 'NewStatusManyCollection[I,S,O]';
  const outputs = new DerivedCore(
    parent.engine,
    parent,
    formula,
    many ? 'many' : 'derived',
    many,
    name,
    options,
  );
  outputs.status = new StatusRows(outputs);
  return [outputs.status, outputs.begin()];
}
