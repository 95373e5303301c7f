// The wave of the wave card: the newest one with runs, or the recorded one of a past moment.
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useEffect, useRef, useState} from 'react';
import {useMoment} from '../../store/navigation.ts';
import {useAnswer, usePulses} from '../../stream/use-subscription.ts';
import {recordedWave} from './recorded-wave.ts';

/** Long enough to read the sentence. */
const MIN_SHOWN_MS = 4000;

export function useWave(touches: (pulse: BatchPulse) => boolean): BatchPulse | undefined {
  const {moment} = useMoment();
  const [live, setLive] = useState<BatchPulse | undefined>(undefined);
  const shown = useRef(0);
  const next = useRef<BatchPulse | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  usePulses(pulse => {
    if (pulse.waves.length === 0 || pulse.roots.length === 0 || !touches(pulse)) return;
    next.current = pulse;
    if (timer.current !== undefined) return;
    timer.current = setTimeout(
      () => {
        timer.current = undefined;
        shown.current = Date.now();
        setLive(next.current);
      },
      Math.max(0, shown.current + MIN_SHOWN_MS - Date.now()),
    );
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const past = useAnswer<TraceAnswer>(
    moment === null ? null : `/trace?since=${moment - 1}&until=${moment}&limit=1000`,
  );
  if (moment === null) return live;
  return past.answer ? recordedWave(moment, past.answer.runs) : undefined;
}
