// Effects as lines. Siblings with the same outcome are folded, so that hundreds stay readable. Pure.
import type {Effect} from '@krtscope/shared/why.ts';

export interface EffectLine {
  effect: Effect;
  /** How many more lines of the same collection, depth and outcome are folded. */
  more: number;
  /** The index in the answer. */
  at: number;
}

const FOLD_FROM = 3;

export function effectLines(effects: readonly Effect[], open: boolean): EffectLine[] {
  const counts = new Map<string, number>();
  const id = (effect: Effect) =>
    `${effect.depth} ${effect.collection} ${effect.outcome ?? ''} ${effect.stopped?.reason ?? ''}`;
  const lines: EffectLine[] = [];
  const least = Math.min(...effects.map(effect => effect.depth));
  for (const one of effects) {
    const effect = least > 0 ? {...one, depth: one.depth - least} : one;
    const seen = counts.get(id(effect)) ?? 0;
    counts.set(id(effect), seen + 1);
    if (open || seen < FOLD_FROM) lines.push({effect, at: effects.indexOf(one), more: 0});
  }
  if (!open)
    for (const line of [...lines].reverse()) {
      const key = id(line.effect);
      const total = counts.get(key) ?? 0;
      if (total > FOLD_FROM) line.more = total - FOLD_FROM;
      counts.delete(key);
    }
  return lines;
}

interface EffectSummary {
  ran: number;
  changed: number;
  equal: number;
  stopped: number;
}

export function summariseEffects(effects: readonly Effect[]): EffectSummary {
  const ran = effects.filter(effect => effect.run !== undefined);
  return {
    ran: ran.length,
    changed: ran.filter(
      effect => effect.outcome === 'changed' || effect.outcome === 'added' || effect.outcome === 'deleted',
    ).length,
    equal: ran.filter(effect => effect.outcome === 'equal').length,
    stopped: effects.filter(effect => effect.stopped !== undefined).length,
  };
}
