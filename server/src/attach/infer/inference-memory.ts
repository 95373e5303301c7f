// What the inference remembers from one interval to the next: publications, fetches, and rows that changed.
import type {DocumentChange} from './document-change.ts';
import type {RowRef} from './krtz-structure.ts';
import type {AttributedRun} from './output-inputs.ts';

/** A collection announced changed rows. */
export interface Publication {
  collection: string;
  keys: readonly string[];
  line: number;
}

/** The rows that changed between two documents. Times are milliseconds since 1970. */
interface DocumentInterval {
  changes: readonly DocumentChange[];
  ids: ReadonlySet<string>;
  from: number;
  to: number;
}

/** Publications of earlier intervals that still count. */
const MAX_PUBLICATIONS = 2000;
/** Inputs whose last fetches are remembered. */
const MAX_INPUTS = 100_000;
/** Lines of a log may arrive this much later than the document that shows their rows. */
const MAX_LATE_MS = 30_000;
const MAX_INTERVALS = 30;
/** A program runs a collection this much before or after its informer shows the change. */
const CLOCK_TOLERANCE_MS = 500;

export class InferenceMemory {
  readonly publications: Publication[] = [];
  readonly lastFetches = new Map<string, AttributedRun['fetches']>();
  /** Collections that write lines. */
  readonly speaking = new Set<string>();
  #intervals: DocumentInterval[] = [];

  keepFetches(id: string, fetches: AttributedRun['fetches']): void {
    this.lastFetches.delete(id);
    this.lastFetches.set(id, fetches);
  }

  /** Keeps the changes of an interval for lines that come later. */
  keepChanges(changes: readonly DocumentChange[], from: number, to: number): void {
    if (changes.length > 0) this.#intervals.push({changes, ids: new Set(changes.map(rowId)), from, to});
    this.#intervals = this.#intervals.filter(one => one.to > to - MAX_LATE_MS).slice(-MAX_INTERVALS);
  }

  /** Whether the row changed in one of the last intervals. */
  hasChanged(ref: RowRef): boolean {
    return this.#intervals.some(({ids}) => ids.has(rowId(ref)));
  }

  /** The rows that changed in the earlier interval of this time. */
  changesAt(time: number): readonly DocumentChange[] {
    return this.#intervals.flatMap(({changes, from, to}) =>
      time > from - CLOCK_TOLERANCE_MS && time < to + CLOCK_TOLERANCE_MS ? changes : [],
    );
  }

  trim(): void {
    const excess = this.publications.length - MAX_PUBLICATIONS;
    if (excess > 0) this.publications.splice(0, excess);
    for (const id of this.lastFetches.keys()) {
      if (this.lastFetches.size <= MAX_INPUTS) break;
      this.lastFetches.delete(id);
    }
  }
}

function rowId({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}
