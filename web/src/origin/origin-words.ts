// Words for the kinds of steps and the weights of causes.
import type {Origin, StepKind, Weight} from '@krtscope/shared/origin.ts';

export const kindWords: Record<StepKind, string> = {
  value: 'changed',
  missed: 'no match',
  empty: 'empty',
  absent: 'missing',
  suspended: 'waiting',
  failed: 'failed',
};

export const weightWords: Record<Weight, string> = {
  needed: 'made the difference',
  'also-needed': 'also needed',
  either: 'enough on its own',
  'not-needed': 'made no difference',
  unknown: 'unknown',
};

/** True if every step was run again without its change, and the result differed. */
export function isProved(origin: Origin): boolean {
  const followed = origin.steps.flatMap(step => step.evidence.causes.filter(cause => cause.followed));
  return (
    origin.write !== null &&
    followed.length > 0 &&
    followed.every(cause => cause.weight === 'needed') &&
    origin.steps.every(step => step.evidence.repeat !== 'differs')
  );
}
