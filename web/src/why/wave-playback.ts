// Plays a wave in at most ten seconds: from the root write to the item, then its effects.
import type {Why} from '@krtscope/shared/why.ts';
import {create} from 'zustand';

interface PlaybackStep {
  collection: string;
  key: string;
  part: 'cause' | 'effect';
  /** Position in the answer's list. */
  at: number;
}

const MAX_PLAYBACK_MS = 10_000;
const STEP_MS = 700;

export function playbackSteps(why: Why): PlaybackStep[] {
  const causes = why.causes
    .map((hop, at): PlaybackStep => ({collection: hop.collection, key: hop.key, part: 'cause', at}))
    .reverse();
  const effects = why.effects.map(
    (effect, at): PlaybackStep => ({collection: effect.collection, key: effect.key, part: 'effect', at}),
  );
  return [...causes, ...effects];
}

export function playbackStepMs(steps: number): number {
  return steps === 0 ? 0 : Math.min(STEP_MS, MAX_PLAYBACK_MS / steps);
}

interface WavePlaybackState {
  step: PlaybackStep | null;
  steps: readonly PlaybackStep[];
  index: number;
  /** The batch that is played. */
  sequence: number | null;
}

const noPlayback: WavePlaybackState = {step: null, steps: [], index: -1, sequence: null};

/** The current step. Sheet, Why, Graph and Timeline highlight it. */
export const useWavePlayback = create<WavePlaybackState>()(() => noPlayback);

let timer: ReturnType<typeof setTimeout> | undefined;

export function playWave(why: Why): void {
  stopPlayback();
  const steps = playbackSteps(why);
  const go = (index: number) => {
    const step = steps[index];
    if (!step) {
      stopPlayback();
      return;
    }
    useWavePlayback.setState({step, steps, index, sequence: why.sequence});
    timer = setTimeout(() => go(index + 1), playbackStepMs(steps.length));
  };
  go(0);
}

export function stopPlayback(): void {
  clearTimeout(timer);
  timer = undefined;
  useWavePlayback.setState(noPlayback);
}
