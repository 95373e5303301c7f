// The geometry of the waterfall: wait and run time of each step, on one scale. Pure.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Effect, Hop, Why} from '@krtscope/shared/why.ts';

interface WaterfallRow {
  collection: string;
  key: string;
  outcome: RunOutcome | undefined;
  /** Milliseconds within the batch. */
  wait: number;
  start: number;
  end: number;
  source: boolean;
}

export interface Waterfall {
  rows: WaterfallRow[];
  /** The scale's end and its ticks, in milliseconds. */
  most: number;
  ticks: number[];
}

const MAX_ROWS = 8;

/** The root write, then the runs up to the item, then its effects, in order of time. */
export function createWaterfall(why: Why): Waterfall {
  const rows: WaterfallRow[] = [];
  const add = (step: Hop | Effect, source: boolean, after: number) => {
    const start = step.start ?? after;
    const end = start + (step.duration ?? 0);
    rows.push({
      collection: step.collection,
      key: step.key,
      outcome: step.outcome,
      wait: Math.min(after, start),
      start,
      end,
      source,
    });
    return end;
  };
  let end = 0;
  for (const hop of [...why.causes].reverse()) {
    if (hop.kind === 'run') end = add(hop, false, end);
    else if (rows.length === 0) end = add({...hop, start: 0, duration: 0}, true, 0);
  }
  const ran = why.effects.filter(effect => effect.run !== undefined && effect.start !== undefined);
  for (const effect of [...ran].sort((a, b) => a.start! - b.start!))
    add(effect, false, Math.min(end, effect.start!));
  const shown = rows.slice(0, MAX_ROWS);
  const most = Math.max(0.1, ...shown.map(row => row.end));
  const step = niceStep(most / 3);
  const ticks = Array.from({length: Math.ceil(most / step) + 1}, (_, i) => Number((i * step).toPrecision(6)));
  return {rows: shown, most: ticks.at(-1)!, ticks};
}

/** 1, 2 or 5 times a power of ten, not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= least) return factor * power;
  return 10 * power;
}

export function formatSpan(value: number): string {
  if (value < 0.01) return `${Math.round(value * 1000)} µs`;
  return value < 10 ? `${Number(value.toFixed(value < 1 ? 2 : 1))} ms` : `${Math.round(value)} ms`;
}
