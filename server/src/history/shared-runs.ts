// Lets a run share with the run before it what is the same in both: most runs make the same fetches with the same
// result and yield the same keys, and a ring of fifty thousand must not hold fifty thousand copies.
import type {FetchRecord, Run} from '../krt/index.ts';

/** Keys of a fetch by which two results are taken to be the same; `matched` counts the rest. */
export const RECORDED_KEYS = 24;

const NONE: Run['gained'] = Object.freeze([]);

/** Changes `run`, which nobody else holds any more. */
export function shareWithPriorRun(run: Run, prior: Run | undefined): void {
  if (prior === undefined) {
    // What a first run gained are its fetches: no need to hold them twice.
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

/** A record that says the same as the one before it becomes that one. */
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
      // Runs share the records of the engine: they are not ours to change.
      fetches[i] = {...fetch, keys: twin.keys};
      identical = false;
    }
  }
  if (identical) run.fetches = before;
}

/** The same question with the same answer; how much it had to look at may differ. */
export function isSameFetch(a: FetchRecord, b: FetchRecord): boolean {
  if (a === b) return true;
  if (a.uid !== b.uid || a.matched !== b.matched || a.filter !== b.filter) return false;
  return a.keys === b.keys || hasSameKeys(a.keys, b.keys);
}

/** The same question, and an answer so long that its end, where it differs, is not told. */
export function hasSameBeginning(a: FetchRecord, b: FetchRecord): boolean {
  if (a.uid !== b.uid || a.filter !== b.filter) return false;
  return a.keys.length >= RECORDED_KEYS && b.keys.length >= RECORDED_KEYS && hasSameKeys(a.keys, b.keys);
}

function hasSameKeys(a: readonly string[], b: readonly string[]): boolean {
  const count = Math.min(RECORDED_KEYS, a.length);
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}
