// What a formula holds instead of the engine's own collections and filters: nothing of the engine can be reached from
// them, changed on them, or kept in them.
import type {Collection, Filter} from '../../krt/index.ts';

/** A collection, by its name in the code. */
export class CollectionHandle {
  readonly #collection: Collection<unknown> | (() => Collection<unknown>);
  readonly name: string;

  /** As a function: found anew each time, because another may have taken its place. */
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
    throw new TypeError('the first argument of a fetch is a collection, by its name: ctx.fetch(Pods, …)');
  }
}

export class FilterHandle {
  readonly #filter: Filter;

  constructor(filter: Filter) {
    this.#filter = filter;
    Object.freeze(this);
  }

  static open(handle: unknown): Filter {
    if (typeof handle === 'object' && handle !== null && #filter in handle) return handle.#filter;
    throw new TypeError(
      'after the collection a fetch takes filters: key(…), namespace(…), label(…), selects(…) and so on',
    );
  }
}

// Their classes would be doors: a formula gets at objects, never at what makes them.
for (const {prototype} of [CollectionHandle, FilterHandle]) {
  Reflect.deleteProperty(prototype, 'constructor');
  Object.freeze(prototype);
}
