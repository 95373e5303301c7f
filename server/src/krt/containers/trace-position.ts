// What a row remembers of the last trace that named it, so that the next trace needs no search and no copy.

import type {RunOutput} from '../values/trace.ts';

/** The place of a row in the trace of one batch. */
export class TracePosition {
  /** The batch that these fields belong to. */
  batch = 0;
  /** Index in `published`; -1 before the row is announced. */
  published = -1;
  /** The run that changed the row last. */
  run = -1;
  /** Shared by all runs that find the row equal. */
  equal: RunOutput | null = null;
}

/** A row as far as a trace names it. */
export interface TracedRow {
  readonly key: string;
  tracePosition: TracePosition | null;
}

/** The trace entry of an equal row. */
export function equalOutputOf(row: TracedRow): RunOutput {
  row.tracePosition ??= new TracePosition();
  row.tracePosition.equal ??= Object.freeze({key: row.key, change: 'equal'});
  return row.tracePosition.equal;
}

/** The same for whole lists of outputs. */
export class EqualOutputLists {
  readonly #lists = new WeakMap<readonly TracedRow[], RunOutput[]>();

  /** Every run gets a copy, because listeners may change it. */
  copyFor(rows: readonly TracedRow[]): RunOutput[] {
    let list = this.#lists.get(rows);
    if (list === undefined) {
      list = rows.map(equalOutputOf);
      this.#lists.set(rows, list);
    }
    return list.slice();
  }
}
