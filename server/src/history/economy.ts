// Lets a run share with the run before it what is the same in both: most runs make the same fetches with the same
// result and yield the same keys, and a ring of fifty thousand must not hold fifty thousand copies.
import type {FetchRecord, Run} from '../krt/index.ts';

/** Keys of a fetch by which two results are taken to be the same; `matched` counts the rest. */
export const KEYS = 24;

/** Changes `run`, which nobody else holds any more. Values of outputs are kept with the changes, not here. */
export function economize(run: Run, prior: Run | undefined): void {
  if (prior !== undefined) {
    if (isAllEqual(run) && isAllEqual(prior) && run.outputs.length === prior.outputs.length) {
      run.outputs = prior.outputs;
    }
    if (sameFetches(run.fetches, prior.fetches)) shareFetches(run, prior);
    if (run.outputs === prior.outputs) return;
  }
  for (const output of run.outputs) {
    output.old = undefined;
    output.new = undefined;
  }
}

function isAllEqual({counts, outputs}: Run): boolean {
  return counts.equal === outputs.length;
}

function shareFetches(run: Run, prior: Run): void {
  let identical = true;
  for (let i = 0; i < run.fetches.length; i++) {
    const fetch = run.fetches[i] as FetchRecord;
    const before = prior.fetches[i] as FetchRecord;
    fetch.keys = before.keys;
    if (fetch.scanned !== before.scanned) identical = false;
  }
  if (identical) run.fetches = prior.fetches;
}

export function sameFetches(fetches: readonly FetchRecord[], before: readonly FetchRecord[]): boolean {
  if (fetches === before) return true;
  if (fetches.length !== before.length) return false;
  for (let i = 0; i < fetches.length; i++) {
    const a = fetches[i] as FetchRecord;
    const b = before[i] as FetchRecord;
    if (a.uid !== b.uid || a.matched !== b.matched || a.filter !== b.filter) return false;
    if (a.keys !== b.keys && !sameKeys(a.keys, b.keys)) return false;
  }
  return true;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  const count = Math.min(KEYS, a.length);
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}
