// Recompute triggers, for values that live outside the graph.

import {type Engine, engineCoreOf} from '../graph/engine.ts';
import {asReadContext} from '../query/read-context.ts';
import type {Options} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {refusePromise} from '../values/thenable.ts';
import {StaticSingletonCore} from './singleton.ts';
import {latchOf} from './sync-latch.ts';

export interface RecomputeTrigger {
  readonly name: string;
  readonly uid: number;
  /** The input runs again when the trigger fires. Waits until the trigger is synced. */
  markDependant(ctx: HandlerContext): void;
  /** Runs every input again that marked the trigger in its last run. */
  triggerRecomputation(): void;
  markSynced(): void;
  stop(): void;
}

class TriggerCore implements RecomputeTrigger {
  readonly #counter: StaticSingletonCore;
  #count = 0;

  constructor(counter: StaticSingletonCore) {
    this.#counter = counter;
  }

  get name(): string {
    return this.#counter.name;
  }

  get uid(): number {
    return this.#counter.uid;
  }

  markDependant(ctx: HandlerContext): void {
    asReadContext(ctx, 'markDependant').read(this.#counter, []);
  }

  triggerRecomputation(): void {
    this.#counter.set(++this.#count);
  }

  markSynced(): void {
    this.#counter.markSynced();
  }

  stop(): void {
    this.#counter.stop();
  }
}

export function newRecomputeTrigger(engine: Engine, options: Options<number> = {}): RecomputeTrigger {
  const core = engineCoreOf(engine);
  const own = options as Options<unknown>;
  const counter = new StaticSingletonCore(core, 'RecomputeTrigger', own, latchOf(core, own), 'trigger');
  return new TriggerCore(counter.begin([0]));
}

export interface RecomputeProtected<T> extends RecomputeTrigger {
  /** The value; the input depends on it from now on. */
  get(ctx: HandlerContext): T;
  /** Changes the value in place or returns a new one. Every reader runs again. */
  modify(change: (value: T) => unknown): void;
  accessUnprotected(): T;
}

/** A value outside the graph whose readers run again when it is modified. */
export function newRecomputeProtected<T>(
  engine: Engine,
  initial: T,
  options: Options<number> = {},
): RecomputeProtected<T> {
  const trigger = newRecomputeTrigger(engine, options);
  let value = initial;
  return {
    name: trigger.name,
    uid: trigger.uid,
    get(ctx) {
      trigger.markDependant(ctx);
      return value;
    },
    modify(change) {
      engineCoreOf(engine).write(() => {
        try {
          const next = refusePromise(change(value), 'the function of modify');
          if (next !== undefined) value = next as T;
        } finally {
          // The function may have changed the value before it threw.
          trigger.triggerRecomputation();
        }
      });
    },
    accessUnprotected: () => value,
    markDependant: ctx => trigger.markDependant(ctx),
    triggerRecomputation: () => trigger.triggerRecomputation(),
    markSynced: () => trigger.markSynced(),
    stop: () => trigger.stop(),
  };
}
