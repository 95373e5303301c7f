// The object that comes nearest to a lookup: the fewest failing clauses, then the fewest letters.
import type {EvidenceClause} from '@krtscope/shared/why.ts';
import {editDistance} from '../evidence/edit-distance.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {tryFetch} from '../evidence/filter-try.ts';
import {labelSidesOf, withoutEquals} from '../evidence/label-sides.ts';
import type {RecordedFetch, RecordedRun} from '../records.ts';

/** Objects that one search compares. */
const MAX_OBJECTS = 5000;

export interface NearestMatch {
  readonly collection: string;
  readonly key: string;
  /** How the object answers the fetch, clause by clause. */
  readonly rows: readonly EvidenceClause[];
  readonly failing: EvidenceClause | undefined;
}

/** Of candidates at the same distance the first by key. A candidate without a distance is left out. */
export function nearestOf<T extends {readonly key: string}>(
  candidates: Iterable<T>,
  distanceOf: (candidate: T) => number | undefined,
): T | undefined {
  let best: {readonly candidate: T; readonly distance: number} | undefined;
  for (const candidate of candidates) {
    const distance = distanceOf(candidate);
    if (distance === undefined) continue;
    const isNearer =
      best === undefined ||
      distance < best.distance ||
      (distance === best.distance && candidate.key < best.candidate.key);
    if (isNearer) best = {candidate, distance};
  }
  return best?.candidate;
}

/** A label that is missing is further away than any other value of it. */
export function labelDistance(wanted: string, has: string | undefined): number {
  return has === undefined ? wanted.length + 3 : editDistance(wanted, has);
}

export function clauseDistance(failing: EvidenceClause): number {
  const sides = labelSidesOf(failing);
  if (sides === undefined) return editDistance(withoutEquals(failing.wants), failing.new ?? '');
  return labelDistance(sides.wanted ?? '', sides.has);
}

/** Whether one may be a typo of the other: at most a third of the letters differ, or two. */
export function isLikelyTypo(wanted: string, has: string): boolean {
  return editDistance(wanted, has) <= Math.max(2, Math.floor(Math.max(wanted.length, has.length) / 3));
}

/** A clause over one value that differs by a few letters. */
export function isTypoClause(failing: EvidenceClause): boolean {
  const sides = labelSidesOf(failing);
  if (sides)
    return sides.wanted !== undefined && sides.has !== undefined && isLikelyTypo(sides.wanted, sides.has);
  return failing.wants.startsWith('= ') && isLikelyTypo(withoutEquals(failing.wants), failing.new ?? '');
}

/** Searches the objects of a fetch's collection for the one that fails a single clause by the fewest letters. */
export function findNearestMatch(
  reader: RerunReader,
  {run, at}: {readonly run: RecordedRun | undefined; readonly at: number | undefined},
  fetch: RecordedFetch,
  accepts: (failing: EvidenceClause) => boolean = () => true,
): NearestMatch | undefined {
  const {collection} = fetch;
  function* candidates(): Generator<NearestMatch & {failing: EvidenceClause}> {
    let compared = 0;
    for (const key of reader.records.keys(collection, at)) {
      if (++compared > MAX_OBJECTS) return;
      const value = reader.records.value(collection, key, at);
      const {rows, failing: count} = tryFetch(reader, {run}, fetch, key, undefined, value);
      const failing = count === 1 ? rows.find(row => row.matchesNew === false) : undefined;
      if (failing && accepts(failing)) yield {collection, key, rows, failing};
    }
  }
  return nearestOf(candidates(), ({failing}) => clauseDistance(failing));
}
