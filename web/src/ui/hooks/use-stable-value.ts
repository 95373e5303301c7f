// The same object for as long as it says the same.
import {useState} from 'react';

/** The first value that had this text: answers that only count on must not draw, ask or arrange anything anew. */
export function useStableValue<T>(value: T, text: string): T {
  const [held, hold] = useState({value, text});
  if (held.text === text) return held.value;
  // Taken over while drawing: an effect would draw the old one first.
  hold({value, text});
  return value;
}
