// Tests whether a row further down matters to the originally asked value: it repeats the run above with another row.
// Without this test a Pod that began to run would be explained by its new address, which its row shows, too.
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedChange, RecordedRun} from '../records.ts';
import {counterfactualTest} from './decisive-causes.ts';
import type {ExplainTarget, RelevanceTest} from './explain-target.ts';
import {viewRowWith} from './view-row.ts';

/** For the row whose change started a run. Undefined where the run cannot be repeated. */
export function relevanceBelowRun(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
  {collection, key}: RecordedChange,
): RelevanceTest | undefined {
  if (reader.rerun(run).faith.repeat !== 'same') return undefined;
  const differs = counterfactualTest(reader, run, target);
  return value => differs([{collection, key, value}]);
}

/** For a part of a join, an index or a map. */
export function relevanceBelowView(
  reader: RerunReader,
  view: RecordedChange,
  target: ExplainTarget,
  part: RecordedChange,
): RelevanceTest | undefined {
  const matters = target.kind === 'row' || target.kind === 'field' ? target.matters : undefined;
  if (matters === undefined) return undefined;
  return value => {
    const row = viewRowWith(reader, view, part, value);
    return row === undefined || matters(row.value);
  };
}
