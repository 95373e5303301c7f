// Answers why for a change that a program reported without its cause. The answer names no cause as a fact.
import type {Why} from '@krtscope/shared/why.ts';
import {findProbableCauses} from '../evidence/probable-causes.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedRun, Records} from '../records.ts';
import {observedParts} from '../wording/change-sentence.ts';
import {say, toPlainText} from '../wording/say.ts';
import {probableCauseParts} from '../wording/unknown-sentence.ts';
import {changeHop} from './cause-chain.ts';

/** Whether the last that is known of an item has no recorded cause. */
export function isUnexplained({run, change}: Pick<QuestionSubject, 'run' | 'change'>): boolean {
  if (run?.outcome === 'observed') return true;
  return change?.observed === true && change.sequence > (run?.sequence ?? 0);
}

export function answerOfUnexplained(
  records: Records,
  subject: QuestionSubject,
  wireRun: (run: RecordedRun) => NonNullable<Why['run']>,
): Why {
  const {run, change, collection, key, input} = subject;
  const last = change ?? (run && records.lastChange(collection, key, run.sequence));
  const probable = last === undefined ? [] : findProbableCauses(records, last);
  const isProbable = probable.length > 0;
  const guess = isProbable ? say` ${probableCauseParts(probable)}.` : [];
  const parts = say`${observedParts(subject, last?.event)}.${guess}`;
  return {
    sequence: last?.sequence ?? run?.sequence ?? records.newest(),
    collection,
    key,
    outcome: 'observed',
    sentence: toPlainText(parts),
    parts,
    ...(isProbable ? {probable: true, candidates: probable} : {}),
    run: run?.outcome === 'observed' ? wireRun(run) : null,
    causes: last === undefined ? [] : [changeHop(last)],
    // Without runs nothing is known about readers.
    effects: [],
    together: [],
    blast: [],
    kept: [],
    ...runHistoryOf(records, collection, input, {at: last?.sequence ?? run?.sequence}),
    settled: 0,
    equalSince: 0,
  };
}
