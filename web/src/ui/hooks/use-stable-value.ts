// Returns the same object while its content is the same.
import {useState} from 'react';

/** The first value with this text: an answer with equal content must not redraw or reload anything. */
export function useStableValue<T>(value: T, text: string): T {
  const [held, hold] = useState({value, text});
  if (held.text === text) return held.value;
  // Adopt the value during render: an effect would draw the old one first.
  hold({value, text});
  return value;
}
