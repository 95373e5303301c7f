// Objects of an earlier process of krtscope that the cluster has not listed again yet. Those that a complete list leaves
// out were deleted while krtscope was not running.
import type {SourceChange} from '../../link/engine-link.ts';

export class UnconfirmedObjects {
  readonly #keys: Map<string, Set<string>>;

  constructor(keys: Map<string, Set<string>>) {
    this.#keys = keys;
  }

  confirm(changes: readonly SourceChange[]): void {
    if (this.#keys.size === 0) return;
    for (const {collection, key} of changes) this.#keys.get(collection)?.delete(key);
  }

  /** The first list of a source is complete. Returns the deletions that krtscope missed. */
  complete(collection: string): SourceChange[] {
    const keys = this.#keys.get(collection);
    if (keys === undefined) return [];
    this.#keys.delete(collection);
    const received = Date.now();
    return [...keys].map(key => ({collection, key, event: 'delete', received}));
  }
}
