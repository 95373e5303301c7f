// Compares a draft with an existing collection: rows that are equal, that differ, and that only one of them has.
import type {Shadow} from '@krtscope/shared/formulas.ts';
import {equal} from '../../krt/index.ts';
import type {DraftRun} from './draft-run.ts';

const MAX_ROWS = 200;

export function compareWithShadow(ran: readonly DraftRun[], other: ReadonlyMap<string, unknown>): Shadow {
  const rows: Shadow['rows'] = [];
  const counts = {same: 0, different: 0, onlyDraft: 0, onlyOther: 0};
  const mine = new Set<string>();
  for (const {input, items, keys} of ran) {
    for (const [i, draft] of items.entries()) {
      const key = keys[i] ?? input;
      mine.add(key);
      if (!other.has(key)) {
        counts.onlyDraft += 1;
        rows.push({key, state: 'onlyDraft', input, draft});
      } else if (equal(draft, other.get(key))) {
        counts.same += 1;
        rows.push({key, state: 'same', input});
      } else {
        counts.different += 1;
        rows.push({key, state: 'different', input, draft, other: other.get(key)});
      }
    }
  }
  for (const [key, value] of other) {
    if (mine.has(key)) continue;
    counts.onlyOther += 1;
    rows.push({key, state: 'onlyOther', other: value});
  }
  // Show equal rows last, if there is room.
  rows.sort((a, b) => Number(a.state === 'same') - Number(b.state === 'same'));
  return {...counts, rows: rows.slice(0, MAX_ROWS)};
}
