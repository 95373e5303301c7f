// The rows on the screen between two answers: kept in place, marked when they go, taken over on request.
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {useCallback, useEffect, useLayoutEffect, useState} from 'react';
import {acceptRows, anchorShift, dropGone, followRows, type LiveRows, openRows} from './live-rows.ts';

/** How long a removed row is still shown, with the word for it. */
const REMOVED_ROW_MS = 2500;

interface DisplayedRows {
  identity: string;
  /** The moment these rows are of; null is live. */
  moment: number | null;
  live: LiveRows | undefined;
  /** Lines to scroll by, so that the row at the top stays where it is. */
  shift: number;
}

type RowsRequest = Pick<DisplayedRows, 'identity' | 'moment'>;

/** A newer answer to the same question is followed in place; an answer to another one is another picture. */
function followAnswer(kept: DisplayedRows, answer: Sheet, {identity, moment}: RowsRequest): DisplayedRows {
  const before = kept.identity === identity ? kept.live : undefined;
  if (before === undefined) return {identity, moment, live: openRows(answer), shift: 0};
  if (answer.offset === before.newest.offset)
    return {identity, moment, live: followRows(before, answer), shift: 0};
  const shift = anchorShift(before.sheet.rows, answer.rows, before.sheet.offset);
  return {identity, moment, live: openRows(answer), shift};
}

export function useLiveRows(
  answer: Sheet | undefined,
  asked: RowsRequest,
  onShift: (lines: number) => void,
): {live: LiveRows | undefined; moment: number | null; accept: () => void} {
  const [held, setKept] = useState<DisplayedRows>({...asked, live: undefined, shift: 0});
  let kept = held;
  // Two moments may have the same rows, as the same object: they are still those of another moment.
  if (answer !== undefined && (answer !== held.live?.newest || asked.identity !== held.identity)) {
    kept = followAnswer(held, answer, asked);
    setKept(kept);
  }
  useLayoutEffect(() => {
    if (kept.shift !== 0) onShift(kept.shift);
  }, [kept, onShift]);
  const gone = kept.live?.gone.size ?? 0;
  useEffect(() => {
    if (gone === 0) return;
    const leave = setTimeout(
      () => setKept(now => ({...now, shift: 0, live: now.live && dropGone(now.live)})),
      REMOVED_ROW_MS,
    );
    return () => clearTimeout(leave);
  }, [gone]);
  const accept = useCallback(
    () => setKept(now => ({...now, shift: 0, live: now.live && acceptRows(now.live)})),
    [],
  );
  return {live: kept.live, moment: kept.moment, accept};
}
