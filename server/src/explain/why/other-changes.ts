// Lists the other changes of a batch, with the reason why each is not a cause.
import type {Why} from '@krtscope/shared/why.ts';
import {evaluateFilter} from '../evidence/filter-evaluation.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';

const MOST = 12;
/** Outside writes that are compared: the first batch of a cluster has tens of thousands. */
const LOOKED = 400;

/** Why a change did not start this run, by its earlier dependencies and its fetches. */
function reasonNotCause(run: RecordedRun, before: RecordedRun | undefined, change: RecordedChange): string {
  const had = (before?.fetches ?? []).filter(f => f.collection === change.collection);
  const has = run.fetches.filter(f => f.collection === change.collection);
  if (had.length === 0 && has.length === 0) return 'no dependency recorded';
  if (had.length === 0) return 'not a dependency until this run';
  const version = (value: unknown) => (value === undefined ? undefined : {key: change.key, value});
  for (const fetch of had) {
    const complete = fetch.matched <= fetch.keys.length;
    const tried = evaluateFilter(
      fetch.clauses,
      version(change.old),
      version(change.new),
      new Set(fetch.keys),
      complete,
    );
    const failing = tried.rows.find(
      r => r.matchesNew === false || (r.matchesNew === undefined && r.matchesOld === false),
    );
    if (failing) return `filter miss, ${failing.clause} differs`;
  }
  return 'filter miss';
}

export function otherChangesOf(
  records: Records,
  run: RecordedRun,
  chain: ReadonlySet<string>,
): Why['together'] {
  const batch = records.batch(run.sequence);
  if (!batch || batch.rootPlaces.length < 2) return [];
  const marks = records.runsOf(run.collection, run.input);
  const place = marks.findIndex(m => m.id === run.id);
  const earlier = place > 0 ? records.runById(marks[place - 1]!.id) : undefined;
  const reads = new Set([...run.fetches, ...(earlier?.fetches ?? [])].map(f => f.collection));
  const causes = new Set(run.causes.map(c => `${c.collection}\n${c.key}`));
  const found: (Why['together'][number] & {near: number})[] = [];
  batch.rootPlaces.slice(0, LOOKED).forEach((at, i) => {
    const root = batch.roots[i];
    if (!root) return;
    const id = `${root.collection}\n${root.key}`;
    if (causes.has(id) || chain.has(id)) return;
    const near = reads.has(root.collection) ? 0 : 1;
    if (found.length >= MOST && near === 1) return;
    const change = batch.change(at);
    found.push({
      collection: root.collection,
      key: root.key,
      event: root.event,
      reason: reasonNotCause(run, earlier, change),
      near,
    });
  });
  return found
    .sort((a, b) => a.near - b.near)
    .slice(0, MOST)
    .map(({near: _near, ...rest}) => rest);
}
