// For tests: checks an answer against the schema of the wire.
import {isDeepStrictEqual} from 'node:util';
import {answers} from '@krtscope/shared/answers.ts';
import type {QuestionName} from '@krtscope/shared/questions.ts';

/** Returns the answer. Throws if it does not match the schema or has unknown fields. */
export function checkShape<T>(ask: QuestionName, answer: T): T {
  if (!(ask in answers)) return answer;
  const sent: unknown = JSON.parse(JSON.stringify(answer));
  const {error, data} = answers[ask as keyof typeof answers].safeParse(sent);
  if (error !== undefined)
    throw new Error(`the answer to "${ask}" is not what shared/src says: ${error.message}`);
  if (isDeepStrictEqual(data, sent)) return answer;
  throw new Error(
    `the answer to "${ask}" has more than shared/src says:\n${JSON.stringify(sent)}\nis read as\n${JSON.stringify(data)}`,
  );
}
