// What has happened to an item after the run that is told: equal runs, and those that changed something. Pure.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {Why} from '@krtscope/shared/why.ts';
import type {Outcome} from '@krtscope/shared/words.ts';

export interface Since {
  equal: number;
  changed: number;
}

/** Nothing came of it: neither is a reason to tell another story. */
function isQuiet(outcome: Outcome, before: Outcome): boolean {
  return outcome === 'equal' || (outcome === 'empty' && before === 'empty');
}

/** `now` is the item as it is live; without it the answer's own count stands. */
export function runsSince(why: Why, now: ItemDetail | undefined): Since {
  const {run} = why;
  if (run === null) return {equal: 0, changed: now !== undefined && isLater(now, why) ? 1 : 0};
  const at = now?.strip.findIndex(mark => mark.id === run.id) ?? -1;
  if (now === undefined || at < 0) return {equal: why.equalSince, changed: 0};
  const since: Since = {equal: 0, changed: 0};
  let before = run.outcome;
  for (const mark of now.strip.slice(at + 1)) {
    if (isQuiet(mark.outcome, before)) since.equal++;
    else since.changed++;
    before = mark.outcome;
  }
  return since;
}

/** A source's item is written, not run: its newest write tells. */
function isLater(now: ItemDetail, why: Why): boolean {
  const told = why.causes[0]?.at;
  return told !== undefined && now.at > told;
}
