// The nine verdicts, one table: each row has the fact that makes it the answer or rules it out. The first that holds is
// the verdict, and the same facts are its evidence.

import {type Verdict, verdicts} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, SentencePart} from '@krtscope/shared/why.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import {remainingRowsWords} from '../why/effects.ts';
import {code, firstLine, item, text} from '../wording/sentence.ts';
import {
  computedFromParts,
  expectedPart,
  outcomeVerb,
  readerPart,
  removalParts,
  unreadWords,
} from '../wording/verdict-sentence.ts';
import {didNotLook, lookedElsewhere} from './lookup-verdicts.ts';
import type {VerdictFacts} from './verdict-facts.ts';
import {isRunCurrent, ruleOut, type VerdictRule} from './verdict-rule.ts';

function gone(c: VerdictFacts): VerdictRule {
  const parts = removalParts(c);
  if (c.asked.state !== 'gone' || parts.length === 0) return ruleOut('it is there');
  const left = c.records.hasInput(c.asked.collection, c.asked.input ?? c.asked.key, c.at);
  return {
    reason: `it is gone since #${c.asked.change?.sequence}`,
    parts: [
      text('It is gone. '),
      ...parts,
      text(left ? '; its input is still there and yields other rows.' : '; nothing runs for it any more.'),
    ],
  };
}

function waiting(c: VerdictFacts): VerdictRule {
  const {facts} = c.looker;
  const suspended = c.run?.outcome === 'suspended';
  if (facts.synced && !suspended) return ruleOut('synced, and its last run was not suspended');
  const waitsFor = c.run?.waitingFor ?? facts.waitingFor;
  const holders = syncBlockersOf(c.records, c.run?.waitingFor ?? facts.name, c.at);
  const last = holders[holders.length - 1];
  const held: SentencePart[] = last
    ? [
        ...(last.collection === waitsFor ? [] : [text(', held by '), code(last.collection)]),
        text(` (${last.state}${last.reason === undefined ? '' : `: ${last.reason}`})`),
      ]
    : [];
  return {
    reason: waitsFor === undefined ? 'not synced' : `waits for ${waitsFor}`,
    parts: [
      text('It is waiting. '),
      suspended ? readerPart(c) : code(facts.name),
      text(waitsFor ? ` waits for ${waitsFor}` : ' has not synced'),
      ...held,
      text('.'),
      ...computedFromParts(c),
    ],
  };
}

function failed(c: VerdictFacts): VerdictRule {
  const {run} = c;
  if (run?.outcome !== 'failed')
    return ruleOut(run ? `its last run came out ${run.outcome}` : 'no run is recorded');
  if (!isRunCurrent(c)) return ruleOut(`its last run failed, before #${c.change?.sequence}`);
  return {
    reason: `run #${run.id} failed`,
    parts: [
      text('It ran and failed. '),
      readerPart(c),
      text(` ran in #${run.sequence} and failed with `),
      code(firstLine(run.error ?? 'no message'), 'error'),
      text(`; ${remainingRowsWords(c.records, run)}.`),
      ...computedFromParts(c),
    ],
  };
}

function discarded(c: VerdictFacts): VerdictRule {
  const {run} = c;
  if (run?.outcome !== 'discarded')
    return ruleOut(run ? `its last run came out ${run.outcome}` : 'no run is recorded');
  if (!isRunCurrent(c)) return ruleOut(`its last run discarded, before #${c.change?.sequence}`);
  return {
    reason: `run #${run.id} discarded`,
    parts: [
      text('It discarded. '),
      readerPart(c),
      text(
        ` ran in #${run.sequence} and asked to discard its result; ${remainingRowsWords(c.records, run)}.`,
      ),
      ...computedFromParts(c),
    ],
  };
}

function equal(c: VerdictFacts): VerdictRule {
  const {wave} = c;
  if (wave?.end !== 'equal') return ruleOut(waveWords(c));
  const {run, node} = wave;
  const here = node.collection === c.asked.collection && node.key === c.asked.key;
  const named = item(node, 'subject');
  const result = !run
    ? 'stayed as it was'
    : resultWords(run.outcome, c.records.runBefore(run.id) === undefined);
  return {
    reason: run
      ? `run #${run.id} of ${node.collection}/${node.key} ${result}`
      : `${node.collection}/${node.key} ${result}`,
    parts: [
      text('It ran and nothing came of it. '),
      named,
      text(run ? ` ran in #${run.sequence} because of ` : ' was made anew because of '),
      expectedPart(c),
      text(`, and ${result}.${unreadWords(c, run)}`),
      ...(here
        ? []
        : [text(' The wave ended there and did not reach '), item(c.asked, 'subject'), text('.')]),
    ],
  };
}

function resultWords(outcome: string, first: boolean): string {
  if (outcome === 'empty') return first ? 'returned nothing' : 'returned nothing, as before';
  return 'its result was equal to the one before';
}

function waveWords({wave, change}: VerdictFacts): string {
  if (!change) return 'no change of it is recorded';
  if (!wave) return 'what its change led to is not known';
  return wave.end === 'here'
    ? `its change in #${change.sequence} came through`
    : `nothing ran for #${change.sequence}`;
}

function reacted(c: VerdictFacts): VerdictRule {
  const {change, wave, asked} = c;
  if (change && wave?.end === 'here') {
    const run = wave.run?.sequence === change.sequence ? wave.run : undefined;
    const what =
      change.event === 'delete'
        ? `was deleted in #${change.sequence}`
        : `has not changed since #${change.sequence}`;
    const did: SentencePart[] = run
      ? [text(` did react to that: run #${run.id}, it ${outcomeVerb(run.outcome)}.`)]
      : [text(' did react to that: it changed with it.')];
    return {
      reason: run ? `run #${run.id} used it` : `it changed in #${change.sequence}`,
      parts: [
        text('It did react. '),
        expectedPart(c),
        text(` ${what}, and `),
        item(asked, 'subject'),
        ...did,
      ],
    };
  }
  if (c.look?.used && isRunCurrent(c) && c.run)
    return {
      reason: `run #${c.run.id} used it`,
      parts: [
        text('It did react. '),
        readerPart(c),
        text(` has used `),
        expectedPart(c),
        text(` as it is since run #${c.run.id}, which came out `),
        {outcome: c.run.outcome},
        text('.'),
        ...computedFromParts(c),
      ],
    };
  return ruleOut(c.run ? `its last run, ${c.run.id}, is older or does not use it` : 'no run is recorded');
}

function noChange(c: VerdictFacts): VerdictRule {
  const {change, exists} = c;
  const parts: SentencePart[] = [text('Nothing changed. '), expectedPart(c)];
  if (!exists && !change) parts.push(text(' does not exist and is not in the recording.'));
  else if (!change) parts.push(text(' has not changed since the recording began.'));
  else
    parts.push(
      text(` ${exists ? 'has not changed since' : 'was deleted in'} #${change.sequence}, and that gave `),
      readerPart(c),
      text(' nothing to react to.'),
    );
  return {
    reason: change ? `its last change was #${change.sequence}` : 'no change of it is recorded',
    parts: [...parts, ...computedFromParts(c)],
  };
}

const verdictTable: Record<Verdict, (c: VerdictFacts) => VerdictRule> = {
  gone,
  waiting,
  failed,
  discarded,
  'did-not-look': didNotLook,
  'looked-elsewhere': lookedElsewhere,
  equal,
  reacted,
  'no-change': noChange,
};

export interface VerdictDecision {
  readonly verdict: Verdict;
  readonly parts: SentencePart[];
  readonly ruled: Evidence['ruled'];
}

/** The verdict on a case, with the fact that each row of the table goes by. */
export function decideVerdict(c: VerdictFacts): VerdictDecision {
  const ruled: Evidence['ruled'] = [];
  let answer: {verdict: Verdict; parts: SentencePart[]} | undefined;
  for (const verdict of verdicts) {
    if (answer) {
      ruled.push({verdict, held: false, reason: `not asked: ${answer.verdict} holds`});
      continue;
    }
    const {reason, parts} = verdictTable[verdict](c);
    ruled.push({verdict, held: parts !== undefined, reason});
    if (parts) answer = {verdict, parts};
  }
  return {...(answer as {verdict: Verdict; parts: SentencePart[]}), ruled};
}
