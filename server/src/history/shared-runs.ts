// Lets a run share equal parts with the previous run of its input. Most runs make the same fetches with the same result,
// and a ring of fifty thousand runs must not keep fifty thousand copies.
import type {FetchRecord, Run} from '../krt/index.ts';

/** Keys of a fetch that decide whether two results are the same; `matched` counts the others. */
export const RECORDED_KEYS = 24;

const NONE: Run['gained'] = Object.freeze([]);

/** Changes `run`, which no other code uses any more. */
export function shareWithPriorRun(run: Run, prior: Run | undefined): void {
  if (prior === undefined) {
    // A first run gained all its fetches: keep them once.
    run.gained = NONE;
    return;
  }
  if (isAllEqual(run) && isAllEqual(prior) && run.outputs.length === prior.outputs.length) {
    run.outputs = prior.outputs;
  }
  shareFetches(run, prior);
}

function isAllEqual({counts, outputs}: Run): boolean {
  return counts.equal === outputs.length;
}

/** Replaces a record by an equal earlier one. */
function shareFetches(run: Run, prior: Run): void {
  const {fetches} = run;
  const before = prior.fetches;
  let identical = fetches.length === before.length;
  for (let i = 0; i < fetches.length; i++) {
    const fetch = fetches[i] as FetchRecord;
    const twin = before[i];
    if (fetch === twin) continue;
    if (twin === undefined || !isSameFetch(fetch, twin)) {
      identical = false;
      continue;
    }
    if (fetch.scanned === twin.scanned) fetches[i] = twin;
    else {
      // Runs share the records of the engine, so copy before changing.
      fetches[i] = {...fetch, keys: twin.keys};
      identical = false;
    }
  }
  if (identical) run.fetches = before;
}

/** The same question with the same answer; the cost may differ. */
export function isSameFetch(a: FetchRecord, b: FetchRecord): boolean {
  if (a === b) return true;
  if (a.uid !== b.uid || a.matched !== b.matched || a.filter !== b.filter) return false;
  return a.keys === b.keys || hasSameKeys(a.keys, b.keys);
}

/** The same question with a long answer whose recorded beginning is the same. */
export function hasSameBeginning(a: FetchRecord, b: FetchRecord): boolean {
  if (a.uid !== b.uid || a.filter !== b.filter) return false;
  return a.keys.length >= RECORDED_KEYS && b.keys.length >= RECORDED_KEYS && hasSameKeys(a.keys, b.keys);
}

function hasSameKeys(a: readonly string[], b: readonly string[]): boolean {
  const count = Math.min(RECORDED_KEYS, a.length);
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}
