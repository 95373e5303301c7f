// Helpers for tests of formulas and graphs: a context outside a run, mock inputs, a tracker of changes.

import type {CollectionCore} from '../graph/collection-core.ts';
import type {Engine} from '../graph/engine.ts';
import {newStaticCollection} from '../kinds/static-collection.ts';
import type {Filter} from '../query/filter.ts';
import {projectPart} from '../query/query-node.ts';
import type {ReadContext} from '../query/read-context.ts';
import {scanRows} from '../query/scan.ts';
import type {Change} from '../values/change.ts';
import type {Collection, Options, StaticCollection} from '../values/collection.ts';
import type {HandlerContext} from '../values/context.ts';
import {EngineError} from '../values/error.ts';
import {typeName} from '../values/key.ts';

class DummyContext implements ReadContext {
  read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[] {
    return Object.freeze(scanRows(core, filters));
  }

  readPartial(
    core: CollectionCore,
    project: (item: unknown) => unknown,
    _same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    return this.read(core, filters).map(item => projectPart(project, item));
  }

  discardResult(): void {
    throw new EngineError('discard', 'a dummy context has no run whose result could be discarded');
  }
}

/** A context for calling a formula by hand. Its fetches work and record nothing. */
export function dummyContext(): HandlerContext {
  return new DummyContext();
}

export interface MockInputs {
  /** A synced collection of the inputs of one type. Each type can be taken once. */
  collection<T>(type: MockType<T>, options?: Options<T>): StaticCollection<T>;
  /** Throws if inputs of some type were never taken, because such a test feeds data that nothing reads. */
  done(): void;
}

/** A class, a test, or the `kind` of Kubernetes objects. */
export type MockType<T> = string | (abstract new (...args: never[]) => T);

/** Takes mixed objects and returns typed collections. */
export function mockInputs(engine: Engine, inputs: readonly unknown[]): MockInputs {
  let left = [...inputs];
  return {
    collection<T>(type: MockType<T>, options: Options<T> = {}) {
      const isOne = (item: unknown) =>
        typeof type === 'string' ? typeName(item) === type : item instanceof type;
      const taken = left.filter(isOne) as T[];
      left = left.filter(item => !isOne(item));
      const name = typeof type === 'string' ? type : type.name;
      return newStaticCollection(engine, taken, {name, ...options});
    },
    done() {
      if (left.length === 0) return;
      const types = [...new Set(left.map(typeName))].sort().join(', ');
      throw new EngineError('unused-input', `nobody took the inputs of type ${types}; take or remove them`);
    },
  };
}

export interface EventTracker<T> {
  /** For `register`: records one `event/key`. */
  track(change: Change<T>): void;
  /** For `registerBatch`: records one batch, its changes joined by commas. */
  trackBatch(changes: readonly Change<T>[]): void;
  /** The entries since the last call, oldest first. */
  taken(): string[];
}

export function eventTracker<T>(): EventTracker<T> {
  let seen: string[] = [];
  const text = (change: Change<T>) => `${change.event}/${change.key}`;
  return {
    track: change => {
      seen.push(text(change));
    },
    trackBatch: changes => {
      seen.push(changes.map(text).sort().join(','));
    },
    taken: () => {
      const result = seen;
      seen = [];
      return result;
    },
  };
}

/** Tracks a collection from now on. Leaves out existing rows. */
export function tracked<T>(collection: Collection<T>): EventTracker<T> {
  const tracker = eventTracker<T>();
  collection.registerBatch(changes => changes.forEach(tracker.track), false);
  return tracker;
}
