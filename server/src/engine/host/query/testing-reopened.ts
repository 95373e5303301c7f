// For tests: the same recording read back, as from an exported file, with the answers that it gives then.
import {type Question, type QuestionInput, questionSchema} from '@krtscope/shared/questions.ts';
import {runToEnd} from '../../../history/incremental-work.ts';
import {hashesOf} from '../formulas.ts';
import {openBooks, writeBooks} from '../recorded.ts';
import {HostRecords} from '../records.ts';
import {Answers} from './answers.ts';
import type {Rig} from './testing-rig.ts';
import {shaped} from './testing-shape.ts';

export interface Reopened {
  readonly records: HostRecords;
  ask<T>(question: QuestionInput): T;
}

/** What a file of the rig's recording answers. */
export function reopened({books, live}: Rig): Reopened {
  const written = {id: 'r', redacted: true, books, world: live, formulas: hashesOf(live.engine)};
  const bytes = runToEnd(writeBooks(written, {name: 'test'}, ['[]']));
  const opened = runToEnd(openBooks(bytes));
  const records = new HostRecords(opened.books, opened.world);
  const answers = new Answers(records);
  return {
    records,
    ask: <T>(question: QuestionInput): T =>
      shaped(question.ask, answers.answer(questionSchema.parse(question) as Question) as T),
  };
}
