// The bytes of all rows of one formula, so that one formula cannot fill the memory of the engine process.
import {FormulaFailure} from './formula-failure.ts';

const MAX_FORMULA_BYTES = 64 * 1024 * 1024;
/** Smaller results are not counted: a quarter million of them fit into the limit. */
const MIN_COUNTED_BYTES = 256;

export class FormulaRowSizes {
  readonly #hasInput: ((input: string) => boolean) | undefined;
  readonly #byInput = new Map<string, number>();
  #total = 0;

  constructor(hasInput: ((input: string) => boolean) | undefined) {
    this.#hasInput = hasInput;
  }

  /** Whether a result of this size has to be noted. */
  counts(bytes: number): boolean {
    return bytes >= MIN_COUNTED_BYTES || this.#total > 0;
  }

  /** The input's rows have this size now. Throws FormulaFailure if all rows together are too large. */
  note(input: string, bytes: number): void {
    const before = this.#byInput.get(input) ?? 0;
    if (bytes < MIN_COUNTED_BYTES) {
      this.#total -= before;
      this.#byInput.delete(input);
      return;
    }
    if (this.#total - before + bytes > MAX_FORMULA_BYTES) this.#forgetOld(input);
    if (this.#total - (this.#byInput.get(input) ?? 0) + bytes > MAX_FORMULA_BYTES)
      throw new FormulaFailure(
        `the rows of the formula are larger than ${MAX_FORMULA_BYTES / 2 ** 20} MB; return less for each input`,
      );
    this.#total += bytes - before;
    this.#byInput.set(input, bytes);
  }

  clear(): void {
    this.#byInput.clear();
    this.#total = 0;
  }

  /** Inputs that are gone have no rows any more. */
  #forgetOld(except: string): void {
    for (const [input, bytes] of this.#byInput) {
      if (input === except || this.#hasInput?.(input) !== false) continue;
      this.#byInput.delete(input);
      this.#total -= bytes;
    }
  }
}
