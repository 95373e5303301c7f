// Plays a wave: from the root write up the causes to the item, then through its effects, within ten seconds. Leaves drawing to the views.
import type {Why} from '@krtscope/shared/why.ts';
import {create} from 'zustand';

export interface PlayStep {
  collection: string;
  key: string;
  part: 'cause' | 'effect';
  /** Position in the answer's list. */
  at: number;
}

const LONGEST = 10_000;
const PACE = 700;

export function playSteps(why: Why): PlayStep[] {
  const causes = why.causes
    .map((hop, at): PlayStep => ({collection: hop.collection, key: hop.key, part: 'cause', at}))
    .reverse();
  const effects = why.effects.map(
    (effect, at): PlayStep => ({collection: effect.collection, key: effect.key, part: 'effect', at}),
  );
  return [...causes, ...effects];
}

export function pace(steps: number): number {
  return steps === 0 ? 0 : Math.min(PACE, LONGEST / steps);
}

interface Playing {
  step: PlayStep | null;
  steps: readonly PlayStep[];
  index: number;
  /** The turn that is played. */
  sequence: number | null;
}

const silent: Playing = {step: null, steps: [], index: -1, sequence: null};

/** Where the wave is now: the sheet outlines it, Why marks its line, the graph its node, the Timeline its turn. */
export const usePlay = create<Playing>()(() => silent);

let timer: ReturnType<typeof setTimeout> | undefined;

export function play(why: Why): void {
  stop();
  const steps = playSteps(why);
  const go = (index: number) => {
    const step = steps[index];
    if (!step) {
      stop();
      return;
    }
    usePlay.setState({step, steps, index, sequence: why.sequence});
    timer = setTimeout(() => go(index + 1), pace(steps.length));
  };
  go(0);
}

export function stop(): void {
  clearTimeout(timer);
  timer = undefined;
  usePlay.setState(silent);
}
