// Labels, namespace and selector of one version of an item. Each is read once: the functions of the user may
// throw or change their answer, and a row must leave the bucket where it was filed.

import {type Row, type RowAttributes, settledValue} from '../containers/row.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {ItemAccessors} from '../values/item-accessors.ts';
import {asLabels, NO_LABELS} from '../values/key.ts';
import type {Labels} from '../values/labels.ts';
import type {RunningCode} from '../values/running-code.ts';
import {CALLBACK_CODE} from '../values/running-code.ts';
import {refusePromise} from '../values/thenable.ts';

/** A collection as far as the attributes of its items need it. */
export interface AttributeSource {
  readonly name: string;
  readonly uid: number;
  readonly accessors: ItemAccessors;
  readonly rows: {get(key: string): Row | undefined};
  readonly engine: {
    running: RunningCode | null;
    resumeOuterCode(outer: RunningCode | null): void;
    report(code: 'attribute-failed', collection: AttributeSource, keys: string[], message: string): void;
  };
}

export class ItemAttributes implements RowAttributes {
  readonly #core: AttributeSource;
  readonly #key: string;
  readonly #item: unknown;
  readonly #quiet: boolean;
  #augmented: {view: unknown} | null = null;
  #labels: Labels | null = null;
  #namespace: string | null = null;
  #selector: Labels | null = null;
  /** The error of a broken selector. Every query that reads the selector fails with it. */
  #broken: EngineError | null = null;

  /** `quiet`: the item is not in the collection, so failures are not reported. */
  constructor(core: AttributeSource, key: string, item: unknown, quiet = false) {
    this.#quiet = quiet;
    this.#core = core;
    this.#key = key;
    this.#item = item;
  }

  /** The item, or the result of `augment`. Generic filters get this. */
  get view(): unknown {
    const {augment} = this.#core.accessors;
    if (augment === null) return this.#item;
    this.#augmented ??= {view: this.#read('augment', () => augment(this.#item), this.#item)};
    return this.#augmented.view;
  }

  get labels(): Labels {
    this.#labels ??= this.#read('labels', () => asLabels(this.#core.accessors.labels(this.view)), NO_LABELS);
    return this.#labels;
  }

  get namespace(): string {
    this.#namespace ??= this.#read('namespace', () => this.#core.accessors.namespace(this.view), '');
    return this.#namespace;
  }

  /** Throws if the selector is of a wrong type. */
  get selector(): Labels {
    if (this.#broken !== null) throw this.#broken;
    this.#selector ??= this.#read('selector', () => this.#core.accessors.selector(this.view), NO_LABELS);
    return this.#selector;
  }

  get hasBrokenSelector(): boolean {
    try {
      return this.selector === null;
    } catch {
      return true;
    }
  }

  // Failures of an old version are not reported either.
  #isCurrent(): boolean {
    const row = this.#core.rows.get(this.#key);
    return (
      !this.#quiet && row !== undefined && (row.value === this.#item || settledValue(row) === this.#item)
    );
  }

  // An unreadable attribute counts as empty and is reported: a fetch by it would silently miss the item.
  #read<T>(what: string, read: () => T, empty: T): T {
    const {engine, name} = this.#core;
    const outer = engine.running;
    engine.running = CALLBACK_CODE;
    try {
      return refusePromise(read(), `the function for ${what}`);
    } catch (error) {
      if (error instanceof EngineError && error.code === 'selector-type') {
        this.#broken = error;
        throw error;
      }
      const text = errorText(error);
      const message = `the ${what} of "${this.#key}" in "${name}" cannot be read: ${text}; filters by it take it for empty`;
      if (this.#isCurrent()) engine.report('attribute-failed', this.#core, [this.#key, what], message);
      return empty;
    } finally {
      engine.resumeOuterCode(outer);
    }
  }
}
