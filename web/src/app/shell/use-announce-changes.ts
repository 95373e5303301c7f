// Announces to screen readers how many items changed, at most every five seconds.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {useEffect, useRef} from 'react';
import {usePulses} from '../../stream/use-subscription.ts';
import {announce, changesText} from './screen-reader-announcer.ts';

function countPulse(pulse: BatchPulse): {changed: number; failed: number} {
  let changed = pulse.roots.length;
  let failed = 0;
  for (const {outcomes} of pulse.waves) {
    changed += (outcomes.changed ?? 0) + (outcomes.added ?? 0) + (outcomes.deleted ?? 0);
    failed += outcomes.failed ?? 0;
  }
  return {changed, failed};
}

export function useAnnounceChanges(): void {
  const sums = useRef({changed: 0, failed: 0});
  usePulses(pulse => {
    const {changed, failed} = countPulse(pulse);
    sums.current.changed += changed;
    sums.current.failed += failed;
  });
  useEffect(() => {
    const timer = setInterval(() => {
      const text = changesText(sums.current.changed, sums.current.failed);
      sums.current = {changed: 0, failed: 0};
      if (text !== null) announce(text);
    }, 5000);
    return () => clearInterval(timer);
  }, []);
}
