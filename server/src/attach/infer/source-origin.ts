// Follows rows to the row of a source that they go back to.
import type {DocumentLookup} from './document-lookup.ts';
import type {InferredRun} from './inferred-run.ts';
import {baseName, type RowRef} from './krtz-structure.ts';

const MAX_DEPTH = 32;

/** The rows that a row was made of, and the last run that changed it, as of a line. */
export interface RowAncestry {
  above(ref: RowRef, line: number): RowRef[];
  runBefore(ref: RowRef, line: number): InferredRun | undefined;
}

export class SourceOrigin {
  readonly #lookup: DocumentLookup;
  readonly #rows: RowAncestry;

  constructor(lookup: DocumentLookup, rows: RowAncestry) {
    this.#lookup = lookup;
    this.#rows = rows;
  }

  isSource({collection}: RowRef): boolean {
    return this.#lookup.kindOf(collection) === 'source';
  }

  /** By their ids: several informers hold the same object. */
  originsOf(refs: readonly RowRef[], line: number, depth: number): Map<string, RowRef> {
    return new Map(
      refs.map(one => {
        const origin = this.originRow(one, line, depth);
        return [this.originId(origin), origin];
      }),
    );
  }

  originId(origin: RowRef): string {
    return this.isSource(origin) ? sourceId(origin) : idOf(origin);
  }

  /** The row of a source that this row, as of a line, goes back to; the row itself where that is not known. */
  originRow(ref: RowRef, line: number, depth: number): RowRef {
    if (this.isSource(ref) || depth > MAX_DEPTH) return ref;
    // A run was caused by what stood before it. Without a line the newest runs count, as in the engine's batch.
    const before = Number.isFinite(line) ? (this.#rows.runBefore(ref, line)?.first ?? line) : line;
    const origins = this.originsOf(this.#rows.above(ref, line), before, depth + 1);
    const [only] = origins.values();
    return origins.size === 1 && only !== undefined ? only : ref;
  }
}

function idOf({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}

/** Several informers hold the same object: `informer/Services` and `gateway/informer/Services`. */
function sourceId({collection, key}: RowRef): string {
  const resource = baseName(collection).slice(collection.lastIndexOf('/') + 1);
  return `${resource.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')}\n${key}`;
}
