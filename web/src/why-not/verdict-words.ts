// The verdicts in words, in the order in which they are checked.
import type {Verdict} from '@krtscope/shared/vocabulary.ts';
import type {WhyNot} from '@krtscope/shared/why.ts';

export const verdictWords: Record<Verdict, string> = {
  gone: 'It was removed',
  unknown: 'It cannot be known',
  waiting: 'It is waiting',
  failed: 'It failed',
  discarded: 'It discarded',
  'did-not-look': 'It did not look',
  'looked-elsewhere': 'It looked elsewhere',
  equal: 'It ran, output equal',
  reacted: 'It did react',
  'no-change': 'Nothing changed',
};

/** The same verdicts for an input without output. */
export const noOutputWords: Record<Verdict, string> = {
  ...verdictWords,
  'did-not-look': 'It fetched nothing',
  'looked-elsewhere': 'Its fetches found nothing',
  equal: 'It returned nothing',
  'no-change': 'It never ran',
};

/**
 * The verdicts that apply to this answer. "Cannot be known" is one only if it holds: it needs a program that leaves
 * out its dependencies.
 */
export function checkedVerdicts(answer: WhyNot): WhyNot['evidence']['ruled'] {
  return answer.evidence.ruled.filter(one => one.held || one.verdict !== 'unknown');
}
