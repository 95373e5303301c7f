// The six verdicts in words, in the order in which they are ruled out.
import type {Verdict} from '@krtscope/shared/words.ts';

export const verdictWords: Record<Verdict, string> = {
  'did-not-look': 'It did not look',
  'looked-elsewhere': 'It looked elsewhere',
  equal: 'It ran, output equal',
  waiting: 'It is waiting',
  discarded: 'It discarded',
  'no-change': 'No event',
};

/** For an input without output the same six tell why nothing came out. */
export const emptyWords: Record<Verdict, string> = {
  'did-not-look': 'It fetched nothing',
  'looked-elsewhere': 'Its fetches found nothing',
  equal: 'It ran, output equal',
  waiting: 'It is waiting',
  discarded: 'It discarded',
  'no-change': 'It never ran',
};
