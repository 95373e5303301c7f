// The latch that tells when sources have their first full list.

import {type Engine, type EngineCore, engineCoreOf} from '../graph/engine.ts';
import type {Options, SyncLatch} from '../values/collection.ts';
import {EngineError} from '../values/error.ts';

/** A source that waits for a latch. */
interface LatchedSource {
  latchMarked(): void;
}

export class SyncLatchCore implements SyncLatch {
  readonly engine: EngineCore;
  readonly #sources = new Set<LatchedSource>();
  #synced = false;

  constructor(engine: EngineCore) {
    this.engine = engine;
  }

  add(source: LatchedSource): void {
    if (!this.#synced) this.#sources.add(source);
  }

  remove(source: LatchedSource): void {
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
  return new SyncLatchCore(engineCoreOf(engine));
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
