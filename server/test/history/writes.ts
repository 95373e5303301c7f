// The writes of a fuzz run: write n is always the same, so every process can rebuild the objects after any number of them.
import {seededRandom} from '../manual-clock.ts';
import type {ServiceWrite} from './archived-engine.ts';

const KEYS = 9;

export function writeOf(seed: number, n: number): ServiceWrite {
  const random = seededRandom(seed * 100_003 + n);
  const key = `shop/s${Math.floor(random() * KEYS)}`;
  return {key, step: random() < 0.15 ? undefined : `w${n}`};
}

/** The label `step` of each Service after n writes. */
export function stepsAfter(seed: number, n: number): Record<string, string> {
  const steps: Record<string, string> = {};
  for (let i = 1; i <= n; i++) {
    const {key, step} = writeOf(seed, i);
    if (step === undefined) delete steps[key];
    else steps[key] = step;
  }
  return steps;
}

/** From the fuzzer to its writing process. */
export interface WriterOptions {
  folder: string;
  seed: number;
  /** Writes that happened before. */
  done: number;
  historyRuns: number;
}

/** From the writing process to the fuzzer. */
export type WriterReport =
  /** The recording goes on after this sequence. */
  | {type: 'started'; recording: string; sequence: number; isWriter: boolean; gaps: string[]}
  /** Write n settled as this sequence. */
  | {type: 'settled'; n: number; sequence: number}
  | {type: 'disk'; state: string; reason?: string | undefined};
