// Patterns that users type (`path~expression`): linear in the text (re2js), whoever wrote them, and refused where even
// that would hold up everybody else.
import {RE2JS} from 're2js';
import {Unanswerable} from '../../../../explain/records.ts';

/** Instructions that a pattern may compile to; a UUID's takes about 50. */
const MAX_PATTERN_SIZE = 256;
/**
 * Characters times instructions that one pass over a collection may take: about half a second. One text may be all of
 * it and is not cut into slices, and /readyz gives up on an engine process that is held for longer than that.
 */
const PASS_BUDGET = 30_000_000;
/** What a character costs beside the instructions. */
const CHARACTER_COST = 8;

/** What the patterns of one filter may still take in this pass. */
export class PatternBudget {
  #left = PASS_BUDGET;

  /** A pass over a collection, or over what changed of it, begins. */
  begin(): void {
    this.#left = PASS_BUDGET;
  }

  /** Throws `bad-query` before the text is looked at if it would take too long. */
  take(source: string, text: string, size: number): void {
    this.#left -= text.length * (size + CHARACTER_COST);
    if (this.#left >= 0) return;
    throw new Unanswerable(
      'bad-query',
      `"${source}" would take too long over the texts that are there, one of ${text.length} characters among them`,
      'write a simpler pattern, or name a shorter field',
    );
  }
}

/** Throws `bad-query` for what is no pattern, or one that repeats too much. */
export function compilePattern(source: string, budget: PatternBudget): (text: string) => boolean {
  try {
    const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    const size = pattern.programSize();
    // Linear in the text, but times the program: repeats such as (a?){500} would take a minute over 100,000 items.
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
