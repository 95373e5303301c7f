// The clock of the moment looked at: when its batch settled. Live there is none, and ages count from now.
import {useEffect} from 'react';
import {create} from 'zustand';
import {useAsked} from './asked-moment.ts';
import {useSubscription} from './hooks.ts';

export const useMomentClock = create<{at: number | null}>()(() => ({at: null}));

/** Mounted once, by the shell. */
export function useKeepMomentClock(): void {
  const moment = useAsked(state => state.moment);
  const {answer} = useSubscription(moment === null ? null : {ask: 'stats'});
  const at = moment === null ? null : answer?.at;
  useEffect(() => {
    // Until the answer is here the clock of the moment before stands: ages must not jump to now and back.
    if (at !== undefined) useMomentClock.setState({at});
  }, [at]);
}
