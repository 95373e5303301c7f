// The verdicts about a change: it had no effect, the item did react, or nothing changed.
import {isPathRead} from '../evidence/field-reads.ts';
import type {RecordedRun} from '../records.ts';
import {changeHop} from '../why/cause-chain.ts';
import {emptyWithFetchesParts} from '../wording/empty-sentence.ts';
import {ruledOutWords} from '../wording/ruled-out-words.ts';
import {say} from '../wording/say.ts';
import {
  computedFromParts,
  type EqualEnd,
  equalParts,
  equalResultWords,
  noChangeParts,
  reactedToChangeParts,
  usedSinceParts,
} from '../wording/verdict-sentence.ts';
import type {EmptyInputFacts} from './empty-input-facts.ts';
import {guessParts} from './likely-field.ts';
import {isRunCurrent, readerOf} from './run-verdicts.ts';
import type {VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRuling} from './verdict-rule.ts';

export function equalResult(facts: VerdictFacts): VerdictRuling {
  const {wave, asked, expected, records} = facts;
  if (wave?.end !== 'equal') return ruleOut(effectWords(facts));
  const {run, node} = wave;
  const isAsked = node.collection === asked.collection && node.key === asked.key;
  const result: EqualEnd['result'] =
    run?.outcome !== 'empty' ? 'equal' : records.runBefore(run.id) === undefined ? 'empty' : 'still-empty';
  return {
    reason: ruledOutWords.equal(node, run?.id, equalResultWords(result)),
    parts: equalParts({
      node,
      expected,
      asked: isAsked ? undefined : asked,
      sequence: run?.sequence,
      result,
      ...changedPathsOf(facts, run),
    }),
  };
}

/** The changed paths of the expected object, and whether the run reads none of them. */
function changedPathsOf(
  {change, look, reader}: VerdictFacts,
  run: RecordedRun | undefined,
): Pick<EqualEnd, 'changed' | 'isUnread'> {
  const changes = change?.event === 'update' ? changeHop(change).changes : [];
  if (!change || changes.length === 0) return {changed: [], isUnread: false};
  const readingRun = look?.route[look.route.length - 1]?.run;
  const paths = reader.pathsRead(run?.sequence === change.sequence ? run : readingRun, change);
  const isUnread = paths !== undefined && changes.every(({path}) => !isPathRead(path, paths));
  return {changed: changes.map(({path}) => path), isUnread};
}

function effectWords({wave, change}: VerdictFacts): string {
  if (!change) return ruledOutWords.noChange;
  if (!wave) return ruledOutWords.unknownEffects;
  return wave.end === 'here'
    ? ruledOutWords.cameThrough(change.sequence)
    : ruledOutWords.nothingRan(change.sequence);
}

export function reacted(facts: VerdictFacts): VerdictRuling {
  const {change, wave, asked, expected, run: last} = facts;
  if (change && wave?.end === 'here') {
    const run = wave.run?.sequence === change.sequence ? wave.run : undefined;
    const {sequence} = change;
    return {
      reason: run ? ruledOutWords.usedBy(run.id) : ruledOutWords.changedIn(sequence),
      parts: reactedToChangeParts(asked, expected, {sequence, isDelete: change.event === 'delete', run}),
    };
  }
  if (facts.look?.used && isRunCurrent(facts) && last) {
    const reader = readerOf(facts);
    return {
      reason: ruledOutWords.usedBy(last.id),
      parts: say`${usedSinceParts(reader, expected, last)}${computedFromParts(asked, reader)}`,
    };
  }
  return ruleOut(last ? ruledOutWords.olderRun(last.id) : ruledOutWords.noRun);
}

export function noChange(facts: VerdictFacts): VerdictRuling {
  const {change, exists, expected} = facts;
  const reader = readerOf(facts);
  const parts = noChangeParts(
    expected,
    change
      ? {kind: exists ? 'changed' : 'deleted', sequence: change.sequence, reader}
      : {kind: exists ? 'unchanged' : 'never'},
  );
  return {
    reason: change ? ruledOutWords.lastChange(change.sequence) : ruledOutWords.noChange,
    parts: say`${parts}${computedFromParts(facts.asked, reader)}`,
  };
}

export function emptyResult(empty: EmptyInputFacts): VerdictRuling {
  const {run, collection, input} = empty;
  if (!run) return ruleOut(ruledOutWords.noRun);
  return {
    reason: ruledOutWords.ran(run.id, run.outcome),
    parts: emptyWithFetchesParts({collection, key: input}, run.sequence, guessParts(empty)),
  };
}
