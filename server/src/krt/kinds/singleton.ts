// Collections of at most one value: derived ones, and static ones that are set from outside.

import {Row} from '../containers/row.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import {type Engine, type EngineCore, engineCoreOf} from '../graph/engine.ts';
import {DerivedCore, type FormulaFunction} from '../run/derived-core.ts';
import type {CollectionKind, Options, RowState, StaticSingleton} from '../values/collection.ts';
import {ownKey} from '../values/key.ts';
import {SourceCore} from './source.ts';
import {latchOf, type SyncLatchCore} from './sync-latch.ts';

/** The private input of collections without an input. Its only key is ''. */
export class EmptyInput extends CollectionCore {
  readonly kind: CollectionKind = 'source';

  constructor(engine: EngineCore, name: string) {
    super(engine, name, {}, undefined, 0);
    this.hidden = true;
    this.synced = true;
    const row = new Row('');
    row.value = null;
    this.rows.set('', row);
  }

  turn(): void {}

  upstreams(): Iterable<CollectionCore> {
    return [];
  }

  rowState(): RowState | undefined {
    return undefined;
  }

  protected withdraw(): void {}
}

const STATIC_KEY = 'static';

function withStaticKey(options: Options<unknown>, name: string): Options<unknown> {
  return {...options, key: options.key ?? (value => ownKey(value, options.name ?? name) ?? STATIC_KEY)};
}

export class DerivedSingletonCore extends DerivedCore {
  constructor(
    engine: EngineCore,
    parent: CollectionCore,
    formula: FormulaFunction,
    options: Options<unknown>,
    name: string,
  ) {
    super(engine, parent, formula, 'singleton', false, name, withStaticKey(options, name));
  }

  get(): unknown {
    return this.list()[0];
  }

  asCollection(): this {
    return this;
  }
}

export class StaticSingletonCore extends SourceCore {
  readonly kind: CollectionKind;
  readonly #own: SyncLatchCore | null;

  constructor(
    engine: EngineCore,
    name: string,
    options: Options<unknown>,
    latch: SyncLatchCore | null,
    kind: CollectionKind = 'static',
  ) {
    super(engine, name, withStaticKey(options, name), latch);
    this.kind = kind;
    this.#own = latch;
  }

  get(): unknown {
    return this.list()[0];
  }

  asCollection(): this {
    return this;
  }

  /** Ignores the identical value. Another key is a delete and an add in one batch. */
  set(value: unknown): void {
    if (this.stopped) return;
    this.engine.write(() => {
      const next = value === undefined || value === null ? undefined : this.keyOf(value);
      for (const row of [...this.rows.values()]) if (row.key !== next) this.remove(row);
      if (next !== undefined) this.put(next, value);
    });
  }

  markSynced(): void {
    this.#own?.markSynced();
  }
}

/** A single value that is set from outside. */
export function newStatic<T>(
  engine: Engine,
  initial?: T | null,
  options: Options<T> = {},
): StaticSingleton<T> {
  const core = engineCoreOf(engine);
  const own = options as Options<unknown>;
  const single = new StaticSingletonCore(core, 'Static[T]', own, latchOf(core, own));
  return single.begin(initial === undefined || initial === null ? [] : [initial]) as never;
}
