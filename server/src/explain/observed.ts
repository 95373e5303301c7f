// What a program did without saying why: it is told as seen, and nothing is guessed.
import type {SentencePart, Why} from '@krtscope/shared/why.ts';
import {changeHop} from './chain.ts';
import {effectsOfChange} from './effects.ts';
import type {RecordedChange, RecordedRun, Records} from './records.ts';
import {item, plain, text} from './sentence.ts';
import {stripOf} from './strip.ts';
import type {Subject} from './subject.ts';

export const UNTOLD = 'the program does not say why';

const seen = {add: 'there', update: 'changed', delete: 'gone'} as const;

/** Whether what is asked about was last only seen. */
export function isUntold({run, change}: Pick<Subject, 'run' | 'change'>): boolean {
  if (run?.outcome === 'observed') return true;
  return change?.observed === true && change.sequence > (run?.sequence ?? 0);
}

export function untoldParts(
  about: {collection: string; key: string},
  change?: RecordedChange,
): SentencePart[] {
  const how = change === undefined ? '' : ` ${seen[change.event]}`;
  return [item(about, 'subject'), text(' was '), {outcome: 'observed'}, text(`${how}; ${UNTOLD}`)];
}

export function answerOfUntold(
  records: Records,
  subject: Subject,
  wireRun: (run: RecordedRun) => NonNullable<Why['run']>,
): Why {
  const {run, change, collection, key, input} = subject;
  const last = change ?? (run && records.lastChange(collection, key, run.sequence));
  const parts = untoldParts(subject, last);
  return {
    sequence: last?.sequence ?? run?.sequence ?? records.newest(),
    collection,
    key,
    outcome: 'observed',
    sentence: plain(parts),
    parts,
    run: run?.outcome === 'observed' ? wireRun(run) : null,
    causes: last === undefined ? [] : [changeHop(last)],
    effects: last?.place === undefined ? [] : effectsOfChange(records, last.sequence, last.place),
    together: [],
    blast: [],
    kept: [],
    ...stripOf(records, collection, input, {at: last?.sequence ?? run?.sequence}),
    settled: 0,
    equalSince: 0,
  };
}
