// The ten verdicts, one table for why-not and why-empty. The first row that holds is the verdict.
import {type Verdict, verdicts} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, SentencePart} from '@krtscope/shared/why.ts';
import {emptyNeverRanParts} from '../wording/empty-sentence.ts';
import {ruledOutWords} from '../wording/ruled-out-words.ts';
import {emptyResult, equalResult, noChange, reacted} from './change-verdicts.ts';
import type {EmptyInputFacts} from './empty-input-facts.ts';
import {didNotLook, foundNothing, lookedElsewhere, madeNoFetch} from './lookup-verdicts.ts';
import {discarded, emptyDiscarded, emptyFailed, emptyWaiting, failed, gone, waiting} from './run-verdicts.ts';
import {cannotKnow, cannotKnowEmpty} from './unknown-verdict.ts';
import type {VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRule} from './verdict-rule.ts';

interface VerdictRow {
  readonly whyNot: VerdictRule<VerdictFacts>;
  readonly whyEmpty: VerdictRule<EmptyInputFacts>;
}

const verdictTable: Record<Verdict, VerdictRow> = {
  gone: {whyNot: gone, whyEmpty: () => ruleOut(ruledOutWords.inputExists)},
  unknown: {whyNot: cannotKnow, whyEmpty: cannotKnowEmpty},
  waiting: {whyNot: waiting, whyEmpty: emptyWaiting},
  failed: {whyNot: failed, whyEmpty: emptyFailed},
  discarded: {whyNot: discarded, whyEmpty: emptyDiscarded},
  'did-not-look': {whyNot: didNotLook, whyEmpty: madeNoFetch},
  'looked-elsewhere': {whyNot: lookedElsewhere, whyEmpty: foundNothing},
  equal: {whyNot: equalResult, whyEmpty: emptyResult},
  reacted: {whyNot: reacted, whyEmpty: () => ruleOut(ruledOutWords.noRun)},
  'no-change': {
    whyNot: noChange,
    whyEmpty: ({collection, input}) => ({
      reason: ruledOutWords.noRun,
      parts: emptyNeverRanParts({collection, key: input}),
    }),
  },
};

export interface VerdictDecision {
  readonly verdict: Verdict;
  readonly parts: SentencePart[];
  /** The fact by which each row of the table holds or is ruled out. */
  readonly ruled: Evidence['ruled'];
}

export function decideVerdict(facts: VerdictFacts | EmptyInputFacts): VerdictDecision {
  const ruled: Evidence['ruled'] = [];
  let answer: {verdict: Verdict; parts: SentencePart[]} | undefined;
  for (const verdict of verdicts) {
    const row = verdictTable[verdict];
    const {reason, parts} = answer
      ? ruleOut(ruledOutWords.notAsked)
      : facts.question === 'why-not'
        ? row.whyNot(facts)
        : row.whyEmpty(facts);
    ruled.push({verdict, held: parts !== undefined, reason});
    if (parts) answer = {verdict, parts};
  }
  return {...(answer as {verdict: Verdict; parts: SentencePart[]}), ruled};
}
