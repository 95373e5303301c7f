// One run of a draft: its items, its fetches, and its time. There is a run for every row of a cluster, so lists are
// made only on demand.
import type {FormulaKind, RowError} from '@krtscope/shared/formulas.ts';
import type {FormulaRowKeys} from '../../formula/sandbox/row-keys.ts';
import type {RehearsedFetch} from '../../krt/index.ts';

export interface DraftRunResult {
  readonly value: unknown;
  readonly waitingFor: string | undefined;
  readonly discarded: boolean;
  readonly fetches: readonly RehearsedFetch[];
}

const NONE: readonly never[] = Object.freeze([]) as readonly never[];

export class DraftRun {
  readonly input: string;
  readonly item: unknown;
  readonly error: RowError | undefined;
  readonly waitingFor: string | undefined;
  readonly discarded: boolean;
  readonly fetches: readonly RehearsedFetch[];
  /** The lines of the fetches. */
  readonly lines: readonly number[];
  readonly ms: number;
  readonly #value: unknown;
  readonly #keys: string | readonly string[];

  /** Make it right after the run, because it asks for the keys. */
  constructor(
    input: string,
    item: unknown,
    {value, waitingFor, discarded, fetches}: DraftRunResult,
    error: RowError | undefined,
    lines: readonly number[],
    ms: number,
    kind: FormulaKind,
    keys: FormulaRowKeys,
  ) {
    this.input = input;
    this.item = item;
    this.error = error;
    this.waitingFor = waitingFor;
    this.discarded = discarded;
    this.fetches = fetches;
    this.lines = lines;
    this.ms = ms;
    this.#value = value;
    if (value === undefined) this.#keys = NONE;
    else if (kind === 'many') this.#keys = (value as unknown[]).map(row => keys.of(row));
    else this.#keys = keys.of(value);
  }

  get items(): readonly unknown[] {
    if (this.#value === undefined) return NONE;
    return typeof this.#keys === 'string' ? [this.#value] : (this.#value as unknown[]);
  }

  /** The keys of the items. */
  get keys(): readonly string[] {
    return typeof this.#keys === 'string' ? [this.#keys] : this.#keys;
  }

  get count(): number {
    return typeof this.#keys === 'string' ? 1 : this.#keys.length;
  }

  /** It gave nothing, or one item under its input's key, so no other input gives that key. */
  get keepsKey(): boolean {
    return typeof this.#keys === 'string' ? this.#keys === this.input : this.#keys.length === 0;
  }
}
