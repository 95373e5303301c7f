// How much a row one step down matters to what was asked about in the first place: what comes out above with another row
// in its place. Without it a Pod that came to run would be put down to its new address, because its row shows that too.
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedChange, RecordedRun} from '../records.ts';
import {counterfactualTest, type ExplainTarget, type RelevanceTest} from './decisive-causes.ts';
import {viewRowWith} from './decisive-parts.ts';

/** For the row whose change a run answered to. Undefined where the run cannot be repeated. */
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
