// What one row of the table of verdicts says of a case.
import type {SentencePart} from '@krtscope/shared/why.ts';
import type {VerdictFacts} from './verdict-facts.ts';

/** The fact, and the words if it is the answer. */
export interface VerdictRule {
  readonly reason: string;
  /** Absent: it does not hold. */
  readonly parts?: SentencePart[];
}

export const ruleOut = (reason: string): VerdictRule => ({reason});

/** A run that is older than the change in question says nothing about it. */
export function isRunCurrent(c: VerdictFacts): boolean {
  return c.run !== undefined && (c.change === undefined || c.run.sequence >= c.change.sequence);
}
