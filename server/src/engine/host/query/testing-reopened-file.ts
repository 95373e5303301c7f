// For tests: the same recording, written to a file and opened again.
import {type Question, type QuestionInput, questionSchema} from '@krtscope/shared/questions.ts';
import {runToEnd} from '../../../history/incremental-work.ts';
import {formulaHashesOf} from '../formulas/rerun-formulas.ts';
import {HostRecords} from '../recording/host-records.ts';
import {decodeRecording, encodeRecording} from '../recording/recording-codec.ts';
import {QuestionAnswers} from './question-answers.ts';
import {checkShape} from './testing-answer-shape.ts';
import type {TestGraphHost} from './testing-graph-host.ts';

export interface ReopenedFile {
  readonly records: HostRecords;
  ask<T>(question: QuestionInput): T;
}

/** The answers of the reopened recording. */
export function reopenAsFile({history, live}: TestGraphHost): ReopenedFile {
  const written = {id: 'r', redacted: true, history, graph: live, formulas: formulaHashesOf(live.engine)};
  const bytes = runToEnd(encodeRecording(written, {name: 'test'}, ['[]']));
  const opened = runToEnd(decodeRecording(bytes));
  const records = new HostRecords(opened.history, opened.graph);
  const answers = new QuestionAnswers(records);
  return {
    records,
    ask: <T>(question: QuestionInput): T =>
      checkShape(question.ask, answers.answer(questionSchema.parse(question) as Question) as T),
  };
}
