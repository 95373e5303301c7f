// Batches of a program whose document is polled.
import type {ProgramBatchReport} from '../../engine/link/program-batch.ts';

/** Changes and inputs in one piece of a large report. */
const PIECE_SIZE = 2000;

export function reportOf(at: number): ProgramBatchReport {
  return {isPolled: true, received: at, settled: at, synced: [], runs: []};
}

export function* piecesOf<T>(all: readonly T[]): Iterable<T[]> {
  for (let at = 0; at < all.length; at += PIECE_SIZE) yield all.slice(at, at + PIECE_SIZE);
}
