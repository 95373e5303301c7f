// What has happened to an item after the run that is told: equal runs, and those that changed something. Pure.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {RunMark} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Why} from '@krtscope/shared/why.ts';

export interface LaterRuns {
  equal: number;
  changed: number;
  /** There are more than the item's answer carries: both are the least that there can be. */
  more?: true;
}

/** Nothing came of it: neither is a reason to tell another story. */
function isUneventful(outcome: RunOutcome, before: RunOutcome): boolean {
  return outcome === 'equal' || (outcome === 'empty' && before === 'empty');
}

function countMarks(marks: readonly RunMark[], told: RunOutcome): LaterRuns {
  const since: LaterRuns = {equal: 0, changed: 0};
  let before = told;
  for (const mark of marks) {
    if (isUneventful(mark.outcome, before)) since.equal++;
    else since.changed++;
    before = mark.outcome;
  }
  return since;
}

/** `now` is the item as it is live; without it the answer's own count stands. */
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
  // The changes among those that the strip has left behind are known by the value's own age.
  return {
    equal: Math.max(equal, why.equalSince),
    changed: Math.max(changed, now.at > run.at ? 1 : 0),
    more: true,
  };
}

/** A source's item is written, not run: its newest write tells. */
function isLater(now: ItemDetail, why: Why): boolean {
  const told = why.causes[0]?.at;
  return told !== undefined && now.at > told;
}
