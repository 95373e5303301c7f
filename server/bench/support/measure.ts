// Times the same operation on several contenders: interleaved rounds in one process, the best of which counts.
// Contention only ever adds time, so the minimum over rounds of a round's median is the steadiest figure there is;
// many short rounds find a quiet moment even on a busy machine.

export interface Timed {
  readonly name: string;
  /** One operation. Called many times; must leave the state ready for the next call. */
  readonly op: () => void;
}

export interface Budget {
  readonly rounds: number;
  /** Milliseconds a contender gets in each round; at least three operations are run whatever they take. */
  readonly perRound: number;
  /** Operations timed as one, for operations too short for the clock. */
  readonly block?: number;
}

export const usual: Budget = {rounds: 40, perRound: 12};

const WARM_UP = 120;

/** Milliseconds of one operation, by contender. */
export function measure(timed: readonly Timed[], budget: Budget = usual): Record<string, number> {
  const block = budget.block ?? 1;
  const best: Record<string, number> = {};
  for (const t of timed) round(t.op, WARM_UP, block);
  globalThis.gc?.();
  for (let r = 0; r < budget.rounds; r++) {
    // Turn the order round by round: who runs after the heaviest one pays for its garbage.
    for (let i = 0; i < timed.length; i++) {
      const t = timed[(i + r) % timed.length]!;
      // Only the young generation: a full collection of every contender's heap would take longer than the round.
      globalThis.gc?.({type: 'minor'});
      best[t.name] = Math.min(best[t.name] ?? Number.POSITIVE_INFINITY, round(t.op, budget.perRound, block));
    }
  }
  return best;
}

function round(op: () => void, milliseconds: number, block: number): number {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  do {
    const start = performance.now();
    for (let i = 0; i < block; i++) op();
    times.push((performance.now() - start) / block);
  } while (times.length < 3 || performance.now() < end);
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

/** Times whole constructions, garbage collected before each: for initial syncs. */
export function measureOnce(timed: readonly Timed[], rounds: number): Record<string, number> {
  const best: Record<string, number> = {};
  for (let r = 0; r < rounds; r++) {
    for (let i = 0; i < timed.length; i++) {
      const t = timed[(i + r) % timed.length]!;
      globalThis.gc?.();
      const start = performance.now();
      t.op();
      best[t.name] = Math.min(best[t.name] ?? Number.POSITIVE_INFINITY, performance.now() - start);
    }
  }
  return best;
}

/** The slope of log(time) over log(size): 0 = does not grow, 1 = grows with the size. */
export function exponent(points: readonly (readonly [size: number, time: number])[]): number {
  const xs = points.map(p => Math.log(p[0]));
  const ys = points.map(p => Math.log(p[1]));
  const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / v.length;
  const mx = mean(xs);
  const my = mean(ys);
  let above = 0;
  let below = 0;
  xs.forEach((x, i) => {
    above += (x - mx) * (ys[i]! - my);
    below += (x - mx) ** 2;
  });
  return above / below;
}

/** Milliseconds that this thread has worked: a figure for one contender that no neighbour on the machine adds to. */
export function worked(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
