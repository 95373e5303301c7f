// The same object for as long as it says the same.
import {useMemo} from 'react';

/** The first value that had this text: answers that only count on must not draw, ask or arrange anything anew. */
export function useSame<T>(value: T, text: string): T {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value
  return useMemo(() => value, [text]);
}
