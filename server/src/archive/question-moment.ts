// The oldest moment that a question is about.
import type {Question} from '@krtscope/shared/questions.ts';

/** Undefined for a question about the present. */
export function momentOf(question: Question): number | undefined {
  switch (question.ask) {
    case 'diff':
      return Math.min(question.from, question.to);
    case 'trace': {
      const cursor = question.cursor === undefined ? undefined : sequenceOf(question.cursor);
      return cursor ?? (question.since === undefined ? question.until : question.since + 1);
    }
    case 'why':
      return question.at ?? (question.run === undefined ? undefined : sequenceOf(question.run));
    default:
      return 'at' in question ? question.at : undefined;
  }
}

/** The batch of a run id such as 184.2. */
function sequenceOf(run: string): number | undefined {
  const sequence = Number(run.split('.')[0]);
  return Number.isSafeInteger(sequence) ? sequence : undefined;
}
