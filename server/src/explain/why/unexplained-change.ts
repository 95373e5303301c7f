// What a program did without saying why: it is told as seen, and nothing is guessed.
import type {SentencePart, Why} from '@krtscope/shared/why.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';
import {item, text, toPlainText} from '../wording/sentence.ts';
import {changeHop} from './cause-chain.ts';
import {effectsOfChange} from './effects.ts';

export const UNEXPLAINED = 'the program does not say why';

const observedWords = {add: 'there', update: 'changed', delete: 'gone'} as const;

/** Whether what is asked about was last only seen. */
export function isUnexplained({run, change}: Pick<QuestionSubject, 'run' | 'change'>): boolean {
  if (run?.outcome === 'observed') return true;
  return change?.observed === true && change.sequence > (run?.sequence ?? 0);
}

export function unexplainedParts(
  about: {collection: string; key: string},
  change?: RecordedChange,
): SentencePart[] {
  const how = change === undefined ? '' : ` ${observedWords[change.event]}`;
  return [item(about, 'subject'), text(' was '), {outcome: 'observed'}, text(`${how}; ${UNEXPLAINED}`)];
}

export function answerOfUnexplained(
  records: Records,
  subject: QuestionSubject,
  wireRun: (run: RecordedRun) => NonNullable<Why['run']>,
): Why {
  const {run, change, collection, key, input} = subject;
  const last = change ?? (run && records.lastChange(collection, key, run.sequence));
  const parts = unexplainedParts(subject, last);
  return {
    sequence: last?.sequence ?? run?.sequence ?? records.newest(),
    collection,
    key,
    outcome: 'observed',
    sentence: toPlainText(parts),
    parts,
    run: run?.outcome === 'observed' ? wireRun(run) : null,
    causes: last === undefined ? [] : [changeHop(last)],
    effects: last?.place === undefined ? [] : effectsOfChange(records, last.sequence, last.place),
    together: [],
    blast: [],
    kept: [],
    ...runHistoryOf(records, collection, input, {at: last?.sequence ?? run?.sequence}),
    settled: 0,
    equalSince: 0,
  };
}
