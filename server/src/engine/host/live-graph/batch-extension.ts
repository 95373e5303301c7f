// Adds what our formulas did for a program's batch to the trace of that batch, so that their causes are the program's
// own changes.
import {isJournal} from '../../../history/journal.ts';
import type {BatchTrace, Cause, Published, Run} from '../../../krt/index.ts';

/** The collections of the program that our engine has copies of. */
export interface CopiedCollections {
  has(name: string): boolean;
  /** The program's own uid of the collection. */
  uidOf(name: string): number;
}

/** The trace of a program's batch followed by what our engine did for it. Writes to copies are the program's changes. */
export function extendBatch(batch: BatchTrace, own: BatchTrace, copies: CopiedCollections): BatchTrace {
  const published: Published[] = [...batch.published];
  const runs: Run[] = [...batch.runs];
  const places = placesOf(batch.published);
  const placeOf = own.published.map(({collection, key}) =>
    copies.has(collection) ? places.get(`${collection}\n${key}`) : undefined,
  );
  const firstRun = runs.length;
  const kept: Published[] = [];
  for (const [at, change] of own.published.entries()) {
    if (copies.has(change.collection)) continue;
    placeOf[at] = published.length + kept.length;
    kept.push(change);
  }
  const changeOf = (at: number | undefined) => (at === undefined ? undefined : placeOf[at]);
  for (const change of kept) {
    const {from, run, ...rest} = change;
    const places = from?.flatMap(at => changeOf(at) ?? []) ?? [];
    published.push({
      ...rest,
      run: run === null ? null : firstRun + run,
      ...(places.length > 0 ? {from: places} : {}),
    });
  }
  const uidOf = <T extends {collection?: string; uid?: number}>(one: T): T =>
    one.collection !== undefined && copies.has(one.collection)
      ? {...one, uid: copies.uidOf(one.collection)}
      : one;
  const causeOf = ({published: at, run, ...cause}: Cause): Cause => {
    const place = changeOf(at);
    const maker = place === undefined ? undefined : published[place]?.run;
    const ownRun = run === undefined ? undefined : firstRun + run;
    const made = maker ?? ownRun;
    return {
      ...uidOf(cause),
      ...(place === undefined ? {} : {published: place}),
      ...(made === undefined ? {} : {run: made}),
    };
  };
  for (const run of own.runs)
    runs.push({
      ...run,
      causes: run.causes.map(causeOf),
      fetches: run.fetches.map(uidOf),
      gained: run.gained.map(uidOf),
      lost: run.lost.map(uidOf),
    });
  return {
    ...batch,
    changes: [...batch.changes, ...own.changes.filter(({collection}) => !copies.has(collection))],
    runs,
    published,
    synced: [...batch.synced, ...own.synced.filter(name => !copies.has(name) && !isJournal(name))],
  };
}

/** The last change of each row. */
function placesOf(published: readonly Published[]): Map<string, number> {
  return new Map(published.map(({collection, key}, at) => [`${collection}\n${key}`, at]));
}
