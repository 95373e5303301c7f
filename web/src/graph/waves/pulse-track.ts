// The moving dots: at most 30, one for each batch and edge. PulseLayer paints them.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';

type PulseDotEnd = 'changed' | 'equal' | 'failed';

export interface PulseDot {
  edge: string;
  to: string;
  start: number;
  duration: number;
  end: PulseDotEnd;
  /** How many runs this dot stands for. */
  runs: number;
}

export const MAX_DOTS = 30;
const TRAVEL_MS = 520;
/** The duration of the ring where the wave stopped. */
export const STOP_RING_MS = 300;

export interface PulseTrack {
  dots: PulseDot[];
  /** Waves since the last quiet moment, for `1 of 8`. */
  seen: number;
  shown: number;
}

export const emptyTrack: PulseTrack = {dots: [], seen: 0, shown: 0};

export function dotEnd(outcomes: Partial<Record<RunOutcome, number>>): PulseDotEnd {
  if ((outcomes.failed ?? 0) > 0) return 'failed';
  const moved = (outcomes.added ?? 0) + (outcomes.changed ?? 0) + (outcomes.deleted ?? 0);
  return moved > 0 ? 'changed' : 'equal';
}

/** Adds the waves of a batch. `edges` finds the drawn edge between two collections. */
export function addPulse(
  track: PulseTrack,
  pulse: BatchPulse,
  edges: (from: string, to: string) => string | undefined,
  now: number,
): PulseTrack {
  const alive = dropFinishedDots(track, now);
  const dots = [...alive.dots];
  let {seen, shown} = alive.dots.length === 0 ? emptyTrack : alive;
  const depth = depths(pulse);
  for (const wave of pulse.waves) {
    const edge = edges(wave.from, wave.to);
    if (edge === undefined) continue;
    seen++;
    if (dots.length >= MAX_DOTS) continue;
    shown++;
    const runs = Object.values(wave.outcomes).reduce((sum, n) => sum + (n ?? 0), 0);
    const start = now + (depth.get(wave.from) ?? 0) * TRAVEL_MS;
    dots.push({edge, to: wave.to, start, duration: TRAVEL_MS, end: dotEnd(wave.outcomes), runs});
  }
  return {dots, seen, shown};
}

/** The depth of each collection delays its dots, so that a wave arrives before it leaves. */
function depths(pulse: BatchPulse): Map<string, number> {
  const depth = new Map(pulse.roots.map(root => [root.collection, 0]));
  for (let pass = 0; pass < pulse.waves.length; pass++) {
    let moved = false;
    for (const wave of pulse.waves) {
      const from = depth.get(wave.from);
      if (from === undefined || depth.has(wave.to)) continue;
      depth.set(wave.to, from + 1);
      moved = true;
    }
    if (!moved) break;
  }
  return depth;
}

export function dropFinishedDots(track: PulseTrack, now: number): PulseTrack {
  const dots = track.dots.filter(dot => now < dot.start + dot.duration + STOP_RING_MS);
  return dots.length === track.dots.length ? track : {...track, dots};
}

/** `1 of 8`, or an empty text if every wave is shown. */
export function sampledWords(track: PulseTrack): string {
  if (track.shown === 0 || track.shown === track.seen) return '';
  return `1 of ${Math.round(track.seen / track.shown)}`;
}
