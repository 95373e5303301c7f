// The clock of the moment on screen: when its batch settled. Live has none, and ages count from now.
import {useEffect} from 'react';
import {create} from 'zustand';
import {useRequestedMoment} from './requested-moment.ts';
import {useConnection} from './server-connection.ts';
import {useSubscription} from './use-subscription.ts';

/** `of`: the sequence to which the time belongs. */
export const useMomentClock = create<{at: number | null; of: number | null}>()(() => ({at: null, of: null}));

/** The time of one moment; null until it is known, because another moment's time would be wrong. */
export function useMomentTime(moment: number | null): number | null {
  return useMomentClock(({at, of}) => (of !== null && of === moment ? at : null));
}

/** Mounted once, by the shell. */
export function useMomentClockFeed(): void {
  const moment = useRequestedMoment(state => state.moment);
  const isRecording = useConnection(link => link.session?.cluster.kind === 'recording');
  const {answer} = useSubscription(moment === null && !isRecording ? null : {ask: 'stats'});
  const at = moment === null ? null : answer?.at;
  const of = moment === null ? null : answer?.sequence;
  useEffect(() => {
    // Keep the last moment's clock until the answer comes, so that ages do not jump.
    if (at !== undefined && of !== undefined) useMomentClock.setState({at, of});
  }, [at, of]);
  const last = isRecording && moment === null ? answer?.at : undefined;
  useEffect(() => {
    if (!isRecording) useConnection.setState({endOfRecording: null});
    else if (last !== undefined) useConnection.setState({endOfRecording: last});
  }, [isRecording, last]);
}
