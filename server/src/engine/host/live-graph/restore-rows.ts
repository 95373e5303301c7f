// Gives inputs back the rows that they had before a restart, if their runs no longer yield them. During the replay a
// substitute formula yields those rows. Then the true formula fails or discards again and leaves the rows in place.
// Readers of the collection never see another state.
import {isJournal} from '../../../history/journal.ts';
import {canHoldRows, collectionByName, type Engine, holdRows, outline} from '../../../krt/index.ts';
import type {ReplayRows} from '../../link/host-messages.ts';

/** Call it before the first input arrives, and the function that it returns after the last. */
export function restoreRows(
  engine: Engine,
  kept: readonly ReplayRows[],
  adopt: (collection: string, input: string, row: unknown) => void,
): () => void {
  const byCollection = new Map<string, Map<string, unknown[]>>();
  for (const [collection, input, text] of kept) {
    if (isJournal(collection)) continue;
    const inputs = byCollection.get(collection) ?? new Map<string, unknown[]>();
    if (text !== null) {
      const rows = JSON.parse(text) as unknown[];
      for (const row of rows) adopt(collection, input, row);
      inputs.set(input, rows);
    }
    byCollection.set(collection, inputs);
  }
  const releases: (() => void)[] = [];
  // In topological order: a formula that runs again finds its inputs released already.
  for (const {name} of outline(engine)) {
    const rows = byCollection.get(name);
    const collection = rows === undefined ? undefined : collectionByName(engine, name);
    // A status collection's formula gives two results at once, so its rows do not come back.
    if (rows !== undefined && collection !== undefined && canHoldRows(collection))
      releases.push(holdRows(collection, rows));
  }
  return () => {
    for (const release of releases) release();
  };
}
