// Holds an answer still while it is read: a newer one that tells something else waits until it is asked for.
import {useState} from 'react';
import {useRequestedMoment} from '../../stream/requested-moment.ts';

export interface StableAnswer<T> {
  shown: T | undefined;
  /** A newer answer to the same question that says something else. */
  newer: T | undefined;
  accept(): void;
}

/** Another question or another moment is another answer, and is shown at once. */
export function useStableAnswer<T>(
  answer: T | undefined,
  question: string,
  same: (a: T, b: T) => boolean,
): StableAnswer<T> {
  const moment = useRequestedMoment(state => state.moment);
  const id = `${moment ?? 'live'} ${question}`;
  const [kept, setKept] = useState<{id: string; question: string; shown: T} | null>(null);
  let now = kept;
  if (answer !== undefined && answer !== kept?.shown && (kept?.id !== id || same(kept.shown, answer))) {
    now = {id, question, shown: answer};
    setKept(now);
  }
  const newer = answer !== undefined && now?.id === id && answer !== now.shown ? answer : undefined;
  return {
    shown: now?.question === question ? now.shown : undefined,
    newer,
    accept: () => newer !== undefined && setKept({id, question, shown: newer}),
  };
}
