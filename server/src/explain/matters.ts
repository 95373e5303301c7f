// How much a row one step down matters to what was asked about in the first place: what comes out above with another row
// in its place. Without it a Pod that came to run would be put down to its new address, because its row shows that too.
import type {Reader} from './reads.ts';
import type {RecordedChange, RecordedRun} from './records.ts';
import {comparison, type Matters, type Target} from './weigh.ts';
import {viewWith} from './weigh-view.ts';

/** For the row whose change a run answered to. Undefined where the run cannot be repeated. */
export function mattersBelowRun(
  reader: Reader,
  run: RecordedRun,
  target: Target,
  {collection, key}: RecordedChange,
): Matters | undefined {
  if (reader.repeat(run).faith.repeat !== 'same') return undefined;
  const differs = comparison(reader, run, target);
  return value => differs([{collection, key, value}]);
}

/** For a part of a join, an index or a map. */
export function mattersBelowView(
  reader: Reader,
  view: RecordedChange,
  target: Target,
  part: RecordedChange,
): Matters | undefined {
  const matters = target.kind === 'row' || target.kind === 'field' ? target.matters : undefined;
  if (matters === undefined) return undefined;
  return value => {
    const row = viewWith(reader, view, part, value);
    return row === undefined || matters(row.value);
  };
}
