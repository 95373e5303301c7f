// The latch that says from outside when sources have their first full list.

import type {Options, SyncLatch} from '../api/collection.ts';
import {EngineError} from '../api/error.ts';
import {type Engine, type EngineCore, engineCore} from '../graph/engine.ts';
import type {Source} from './source.ts';

export class SyncLatchCore implements SyncLatch {
  readonly engine: EngineCore;
  readonly #sources = new Set<Source>();
  #synced = false;

  constructor(engine: EngineCore) {
    this.engine = engine;
  }

  add(source: Source): void {
    if (!this.#synced) this.#sources.add(source);
  }

  remove(source: Source): void {
    this.#sources.delete(source);
  }

  hasSynced(): boolean {
    return this.#synced;
  }

  markSynced(): void {
    if (this.#synced) return;
    this.engine.write(() => {
      this.#synced = true;
      for (const source of this.#sources) source.latchMarked();
      this.#sources.clear();
    });
  }
}

export function newSyncLatch(engine: Engine): SyncLatch {
  return new SyncLatchCore(engineCore(engine));
}

/** The latch that the options ask for; null if the source is synced from the start. */
export function latchOf(engine: EngineCore, options: Options<never>): SyncLatchCore | null {
  const {synced} = options;
  if (synced === undefined || synced === true) return null;
  if (synced === false) return new SyncLatchCore(engine);
  if (synced instanceof SyncLatchCore && synced.engine === engine) return synced;
  throw new EngineError(
    'wiring',
    'the option "synced" takes a latch made by newSyncLatch(engine), of the same engine',
  );
}
