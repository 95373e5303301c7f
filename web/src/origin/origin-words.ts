// What the kinds of steps and the weights of causes are called on the page.
import type {Origin, StepKind, Weight} from '@krtscope/shared/origin.ts';

export const kindWords: Record<StepKind, string> = {
  value: 'changed',
  missed: 'found nothing',
  empty: 'empty',
  absent: 'not there',
  suspended: 'waits',
  failed: 'failed',
};

export const weightWords: Record<Weight, string> = {
  needed: 'made the difference',
  'also-needed': 'needed as well',
  either: 'would have been enough alone',
  'not-needed': 'made no difference',
  unknown: 'not known',
};

/** Whether every step on the way to the write was tried with that one change undone, and came out otherwise. */
export function isProved(origin: Origin): boolean {
  const followed = origin.steps.flatMap(step => step.evidence.causes.filter(cause => cause.followed));
  return (
    origin.write !== null &&
    followed.length > 0 &&
    followed.every(cause => cause.weight === 'needed') &&
    origin.steps.every(step => step.evidence.repeat !== 'differs')
  );
}
