// What a benchmark gives back: one Row a figure. main.ts prints them all as one table.

/** One thing to reach, said in words, and whether this run reached it. */
export interface Goal {
  readonly text: string;
  readonly holds: boolean;
}

export interface Row {
  /** The workload, unique in the table: `W2b 50k`. */
  readonly name: string;
  /** Our own figure, in `unit`. Smaller is better unless the goal says otherwise. */
  readonly value: number;
  /** `ms`, `us`, `s`, `B`, `x` for a ratio, `` for a bare number such as a growth exponent. */
  readonly unit: string;
  /** Figures of the others in the same unit, by name (`floor`, `floor-fn`, `krt-port`, …), from the same run. */
  readonly others?: Readonly<Record<string, number>>;
  readonly goals?: readonly Goal[];
  /** Set when the results were wrong: the figure then means nothing and the whole run exits 1. */
  readonly wrong?: string;
}

/**
 * The default export of every `server/bench/*.bench.ts`. main.ts runs each in a process of its own
 * (`--expose-gc` is on), one after the other. `npm run bench -- W1 W7` runs only those names.
 */
export interface Bench {
  readonly name: string;
  /** It takes minutes and gigabytes: run only when it is named. */
  readonly onDemand?: boolean;
  run(): Promise<Row[]>;
}

/** `ours` over `theirs`, at most `limit`: how the goals against a floor are said. */
export function atMost(limit: number, figure: number, against: string): Goal {
  return {text: `≤ ${limit} ${against}`, holds: figure <= limit};
}

/** `theirs` over `ours`, at least `limit`: how many times faster we must be. */
export function timesFaster(limit: number, figure: number, than: string): Goal {
  return {text: `≥ ${limit}x faster than ${than}`, holds: figure >= limit};
}
