// The verdicts that the last run decides: gone, waiting, failed, discarded.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import {causeChainOfChange, causeChainOfRun, changeHop} from '../why/cause-chain.ts';
import {remainingRows} from '../why/effects.ts';
import {hopWordsOf} from '../why/why-words.ts';
import {emptyDiscardedParts, emptyFailedParts, emptyWaitingParts} from '../wording/empty-sentence.ts';
import {ruledOutWords} from '../wording/ruled-out-words.ts';
import {code, say, subject} from '../wording/say.ts';
import {
  computedFromParts,
  discardedParts,
  failedParts,
  goneParts,
  waitingParts,
} from '../wording/verdict-sentence.ts';
import type {EmptyInputFacts} from './empty-input-facts.ts';
import type {VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRuling} from './verdict-rule.ts';

/** The item that reads. A deleted row goes by its input, which still runs. */
export function readerOf({looker, records, at}: VerdictFacts): ItemRef {
  const isRow = looker.run === undefined || records.has(looker.collection, looker.key, at);
  return {collection: looker.collection, key: isRow ? looker.key : looker.input};
}

/** A run that is older than the change in question says nothing about that change. */
export function isRunCurrent({run, change}: VerdictFacts): boolean {
  return run !== undefined && (change === undefined || run.sequence >= change.sequence);
}

export function gone(facts: VerdictFacts): VerdictRuling {
  const {asked, records, reader} = facts;
  const {change} = asked;
  if (asked.state !== 'gone' || !change) return ruleOut(ruledOutWords.exists);
  const isRow = change.collection === asked.collection;
  const run = isRow && change.run !== undefined ? records.runById(change.run) : undefined;
  const below = run
    ? causeChainOfRun(reader, run, {kind: 'row', key: asked.key})[0]
    : isRow
      ? causeChainOfChange(reader, change)[0]
      : changeHop(change);
  return {
    reason: ruledOutWords.goneSince(change.sequence),
    parts: goneParts(asked, {
      sequence: change.sequence,
      isRow,
      because: below && below.text === undefined ? hopWordsOf(below) : undefined,
      hasInput: records.hasInput(asked.collection, asked.input ?? asked.key, facts.at),
    }),
  };
}

export function waiting(facts: VerdictFacts): VerdictRuling {
  const {facts: collection} = facts.looker;
  const isSuspended = facts.run?.outcome === 'suspended';
  if (collection.synced && !isSuspended) return ruleOut(ruledOutWords.synced);
  const waitsFor = facts.run?.waitingFor ?? collection.waitingFor;
  const blocker = syncBlockersOf(facts.records, facts.run?.waitingFor ?? collection.name, facts.at).at(-1);
  const waits = isSuspended ? subject(readerOf(facts)) : code(collection.name);
  return {
    reason: waitsFor === undefined ? ruledOutWords.notSynced : ruledOutWords.waitsFor(waitsFor),
    parts: say`${waitingParts(waits, waitsFor, blocker)}${computedFromParts(facts.asked, readerOf(facts))}`,
  };
}

/** A run that ended without a result, and is not older than the change in question. */
function endedRun(facts: VerdictFacts, outcome: 'failed' | 'discarded'): VerdictRuling {
  const {run} = facts;
  if (run?.outcome !== outcome)
    return ruleOut(run ? ruledOutWords.outcome(run.outcome) : ruledOutWords.noRun);
  if (!isRunCurrent(facts)) return ruleOut(ruledOutWords.endedBefore(outcome, facts.change?.sequence));
  const reader = readerOf(facts);
  const end = {
    sequence: run.sequence,
    error: run.error,
    remaining: remainingRows(facts.records, run),
  };
  const parts = outcome === 'failed' ? failedParts(reader, end) : discardedParts(reader, end);
  return {
    reason: ruledOutWords.ended(run.id, outcome),
    parts: say`${parts}${computedFromParts(facts.asked, reader)}`,
  };
}

export const failed = (facts: VerdictFacts): VerdictRuling => endedRun(facts, 'failed');
export const discarded = (facts: VerdictFacts): VerdictRuling => endedRun(facts, 'discarded');

const itemOf = ({collection, input}: EmptyInputFacts): ItemRef => ({collection, key: input});

export function emptyWaiting(empty: EmptyInputFacts): VerdictRuling {
  const {run, facts} = empty;
  if (run ? run.outcome !== 'suspended' : facts.synced) return ruleOut(ruledOutWords.synced);
  const waitsFor = run?.waitingFor ?? facts.waitingFor;
  return {
    reason: waitsFor === undefined ? ruledOutWords.notSynced : ruledOutWords.waitsFor(waitsFor),
    parts: emptyWaitingParts(itemOf(empty), waitsFor),
  };
}

export function emptyFailed(empty: EmptyInputFacts): VerdictRuling {
  const {run} = empty;
  if (run?.outcome !== 'failed')
    return ruleOut(run ? ruledOutWords.outcome(run.outcome) : ruledOutWords.noRun);
  return {
    reason: ruledOutWords.ended(run.id, 'failed'),
    parts: emptyFailedParts(itemOf(empty), run.error),
  };
}

export function emptyDiscarded(empty: EmptyInputFacts): VerdictRuling {
  const {run} = empty;
  if (run?.outcome !== 'discarded')
    return ruleOut(run ? ruledOutWords.outcome(run.outcome) : ruledOutWords.noRun);
  return {reason: ruledOutWords.ended(run.id, 'discarded'), parts: emptyDiscardedParts(itemOf(empty))};
}
