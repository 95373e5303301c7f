// What one row of the table of verdicts says of a case.
import type {SentencePart} from '@krtscope/shared/why.ts';

export interface VerdictRuling {
  /** The fact that makes the verdict hold or rules it out. */
  readonly reason: string;
  /** The sentence; absent where the verdict does not hold. */
  readonly parts?: SentencePart[];
}

export type VerdictRule<Facts> = (facts: Facts) => VerdictRuling;

export const ruleOut = (reason: string): VerdictRuling => ({reason});
