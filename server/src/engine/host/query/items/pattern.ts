// Patterns that users type (`path~expression`). Matching is linear in the text (re2js), and patterns that would still
// block other answers are refused.
import {RE2JS} from 're2js';
import {Unanswerable} from '../../../../explain/records.ts';

/** The maximum number of instructions of a pattern. One for a UUID takes about 50. */
const MAX_PATTERN_SIZE = 256;
/**
 * Characters times instructions in one pass over a collection: about half a second. A text is never cut into slices,
 * and /readyz gives up on a process that is blocked for longer.
 */
const PASS_BUDGET = 30_000_000;
/** The cost of a character beside the instructions. */
const CHARACTER_COST = 8;

/** The remaining budget of one filter's patterns in this pass. */
export class PatternBudget {
  #left = PASS_BUDGET;

  /** Starts a pass over a collection or over its changes. */
  begin(): void {
    this.#left = PASS_BUDGET;
  }

  /** Throws `bad-query` before a match that would take too long. */
  take(source: string, text: string, size: number): void {
    this.#left -= text.length * (size + CHARACTER_COST);
    if (this.#left >= 0) return;
    throw new Unanswerable(
      'bad-query',
      `"${source}" would take too long on these texts, one of ${text.length} characters among them`,
      'write a simpler pattern, or name a shorter field',
    );
  }
}

/** Throws `bad-query` for an invalid pattern, or one that repeats too much. */
export function compilePattern(source: string, budget: PatternBudget): (text: string) => boolean {
  try {
    const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    const size = pattern.programSize();
    // The time also grows with the program: repeats such as (a?){500} would take a minute over 100,000 items.
    if (size > MAX_PATTERN_SIZE) throw new Error('it repeats too much');
    return text => {
      budget.take(source, text, size);
      return pattern.matcher(text).find();
    };
  } catch (error) {
    throw new Unanswerable(
      'bad-query',
      `"${source}" is not a pattern: ${error instanceof Error ? error.message : String(error)}`,
      'write an RE2 expression, without look-around or back references',
    );
  }
}
