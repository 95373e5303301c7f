// Gives inputs back the rows that they had before a restart although their runs no longer yield them. While the objects
// come in again, a formula in place of the true one yields those rows; then the true one fails or discards again, and
// leaves them as it did before. What is computed from them never sees anything else.
import {isJournal} from '../../../history/journal.ts';
import {canHoldRows, collectionByName, type Engine, holdRows, outline} from '../../../krt/index.ts';
import type {ReplayRows} from '../../link/host-messages.ts';

/** Call it before any input has come in, and what it gives once they all have. */
export function restoreRows(engine: Engine, kept: readonly ReplayRows[]): () => void {
  const byCollection = new Map<string, Map<string, unknown[]>>();
  for (const [collection, input, text] of kept) {
    if (isJournal(collection)) continue;
    const inputs = byCollection.get(collection) ?? new Map<string, unknown[]>();
    if (text !== null) inputs.set(input, JSON.parse(text) as unknown[]);
    byCollection.set(collection, inputs);
  }
  const releases: (() => void)[] = [];
  // In topological order: a formula that runs again finds what it reads released already.
  for (const {name} of outline(engine)) {
    const rows = byCollection.get(name);
    const collection = rows === undefined ? undefined : collectionByName(engine, name);
    // A status collection's formula gives two things at once; its rows do not come back.
    if (rows !== undefined && collection !== undefined && canHoldRows(collection))
      releases.push(holdRows(collection, rows));
  }
  return () => {
    for (const release of releases) release();
  };
}
