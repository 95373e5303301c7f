// Counts the runs of an item after the explained run: equal ones and changes. Pure.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {RunMark} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Why} from '@krtscope/shared/why.ts';

export interface LaterRuns {
  equal: number;
  changed: number;
  /** The item's answer does not list all runs, so both counts are minimums. */
  more?: true;
}

/** The output did not change. */
function isUneventful(outcome: RunOutcome, before: RunOutcome): boolean {
  return outcome === 'equal' || (outcome === 'empty' && before === 'empty');
}

function countMarks(marks: readonly RunMark[], explained: RunOutcome): LaterRuns {
  const since: LaterRuns = {equal: 0, changed: 0};
  let before = explained;
  for (const mark of marks) {
    if (isUneventful(mark.outcome, before)) since.equal++;
    else since.changed++;
    before = mark.outcome;
  }
  return since;
}

/** `now` is the live item. Without it the answer's own count is used. */
export function countLaterRuns(why: Why, now: ItemDetail | undefined): LaterRuns {
  const {run} = why;
  if (run === null) return {equal: 0, changed: now !== undefined && isLater(now, why) ? 1 : 0};
  const at = now?.strip.findIndex(mark => mark.id === run.id) ?? -1;
  if (now === undefined) return {equal: why.equalSince, changed: 0};
  if (at >= 0) return countMarks(now.strip.slice(at + 1), run.outcome);
  const [first] = now.strip;
  if (first === undefined || now.beyond.before === 0 || first.sequence <= run.sequence)
    return {equal: why.equalSince, changed: 0};
  const {equal, changed} = countMarks(now.strip.slice(1), first.outcome);
  // The strip no longer has all runs. The age of the value tells whether one of them changed it.
  return {
    equal: Math.max(equal, why.equalSince),
    changed: Math.max(changed, now.at > run.at ? 1 : 0),
    more: true,
  };
}

/** A source has writes and no runs: compare the newest write. */
function isLater(now: ItemDetail, why: Why): boolean {
  const explainedAt = why.causes[0]?.at;
  return explainedAt !== undefined && now.at > explainedAt;
}
