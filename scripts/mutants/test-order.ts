// The order of tests for a mutant: its last killer, then the best killers of the same file per CPU time, then
// the cheapest tests.
import type {Mutant} from './mutate.ts';

export class TestOrder {
  readonly #names: readonly string[];
  readonly #times: readonly number[];
  readonly #byMutant = new Map<number, number[]>();
  /** Kills per test, by file. */
  readonly #kills = new Map<string, Map<number, number>>();

  constructor(names: readonly string[], times: readonly number[], hits: readonly (readonly number[])[]) {
    this.#names = names;
    this.#times = times;
    hits.forEach((ids, test) => {
      for (const id of ids) {
        const tests = this.#byMutant.get(id);
        if (tests === undefined) this.#byMutant.set(id, [test]);
        else tests.push(test);
      }
    });
  }

  /** All tests that reach the mutant. */
  testsFor({id, file}: Mutant, killer: string | undefined): number[] {
    const kills = this.#kills.get(file);
    const rank = (test: number) => {
      if (this.#names[test] === killer) return Number.POSITIVE_INFINITY;
      const time = this.#times[test]! + 0.5;
      return (kills?.get(test) ?? 0) / time || 0.001 / time;
    };
    const ranked = (this.#byMutant.get(id) ?? []).map(test => ({test, rank: rank(test)}));
    return ranked.sort((a, b) => b.rank - a.rank).map(({test}) => test);
  }

  recordKill({file}: Mutant, name: string): void {
    const test = this.#names.indexOf(name);
    if (test < 0) return;
    const kills = this.#kills.get(file) ?? new Map<number, number>();
    this.#kills.set(file, kills.set(test, (kills.get(test) ?? 0) + 1));
  }
}
