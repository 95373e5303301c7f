// Handles for the engine's collections and filters. Formulas cannot reach the engine through them or change them.
import type {Collection, Filter} from '../../krt/index.ts';

/** A collection, by its name in the code. */
export class CollectionHandle {
  readonly #collection: Collection<unknown> | (() => Collection<unknown>);
  readonly name: string;

  /** A function looks the collection up each time, because another one may have replaced it. */
  constructor(collection: Collection<unknown> | (() => Collection<unknown>), name?: string) {
    this.#collection = collection;
    this.name = name ?? (collection as Collection<unknown>).name;
    Object.freeze(this);
  }

  static open(handle: unknown): Collection<unknown> {
    if (typeof handle === 'object' && handle !== null && #collection in handle) {
      const found = handle.#collection;
      return typeof found === 'function' ? found() : found;
    }
    throw new TypeError('the first argument of a fetch must be a collection: ctx.fetch(Pods, …)');
  }
}

export class FilterHandle {
  readonly #filter: Filter;
  /** A second filter that must match, too. */
  readonly #rest: Filter | undefined;

  constructor(filter: Filter, rest?: Filter) {
    this.#filter = filter;
    this.#rest = rest;
    Object.freeze(this);
  }

  /** Whether `open` alone would lose a part of the handle. */
  static isCompound(handle: unknown): boolean {
    return typeof handle === 'object' && handle !== null && #filter in handle && handle.#rest !== undefined;
  }

  static openAll(handles: readonly unknown[]): Filter[] {
    return handles.flatMap(handle => {
      const filter = FilterHandle.open(handle);
      const rest = (handle as FilterHandle).#rest;
      return rest === undefined ? [filter] : [filter, rest];
    });
  }

  static open(handle: unknown): Filter {
    if (typeof handle === 'object' && handle !== null && #filter in handle) return handle.#filter;
    throw new TypeError(
      'after the collection, a fetch expects filters: key(…), namespace(…), label(…), selects(…) and so on',
    );
  }
}

// Remove the constructors: a formula gets objects and must never reach their classes.
for (const {prototype} of [CollectionHandle, FilterHandle]) {
  Reflect.deleteProperty(prototype, 'constructor');
  Object.freeze(prototype);
}
