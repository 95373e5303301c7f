// Keeps an answer while the reader reads it. A newer, different answer waits until the reader asks.
import {useState} from 'react';
import {useRequestedMoment} from '../../stream/requested-moment.ts';

interface StableAnswer<T> {
  shown: T | undefined;
  /** A newer, different answer to the same question. */
  newer: T | undefined;
  accept(): void;
}

/** An answer to another question or moment is shown at once. */
export function useStableAnswer<T>(
  answer: T | undefined,
  question: string,
  same: (a: T, b: T) => boolean,
): StableAnswer<T> {
  const moment = useRequestedMoment(state => state.moment);
  const id = `${moment ?? 'live'} ${question}`;
  const [stored, setStored] = useState<{id: string; question: string; shown: T} | null>(null);
  let now = stored;
  if (answer !== undefined && answer !== stored?.shown && (stored?.id !== id || same(stored.shown, answer))) {
    now = {id, question, shown: answer};
    setStored(now);
  }
  const newer = answer !== undefined && now?.id === id && answer !== now.shown ? answer : undefined;
  return {
    shown: now?.question === question ? now.shown : undefined,
    newer,
    accept: () => newer !== undefined && setStored({id, question, shown: newer}),
  };
}
