// What rows remember of the traces that tell of them, so that the next one needs no search and no second copy.

import type {RunOutput} from '../values/trace.ts';

/** Where the trace of one batch tells of a row. */
export class TracePosition {
  /** The number of the batch: of another one nothing here holds. */
  batch = 0;
  /** Its place among `published`, once it is announced. */
  published = -1;
  /** The run that touched it last. */
  run = -1;
  /** That a run found it equal, said once for all of them: of many outputs mostly one is not. */
  equal: RunOutput | null = null;
}

/** A row as far as a trace names it. */
export interface TracedRow {
  readonly key: string;
  tracePosition: TracePosition | null;
}

/** That a run found this row equal. */
export function equalOutputOf(row: TracedRow): RunOutput {
  row.tracePosition ??= new TracePosition();
  row.tracePosition.equal ??= Object.freeze({key: row.key, change: 'equal'});
  return row.tracePosition.equal;
}

/** The same of the lists of rows that inputs yield again and again. */
export class EqualOutputLists {
  readonly #lists = new WeakMap<readonly TracedRow[], RunOutput[]>();

  /** A list of its own for every run: its reader may do with it what he likes. */
  copyFor(rows: readonly TracedRow[]): RunOutput[] {
    let list = this.#lists.get(rows);
    if (list === undefined) {
      list = rows.map(equalOutputOf);
      this.#lists.set(rows, list);
    }
    return list.slice();
  }
}
