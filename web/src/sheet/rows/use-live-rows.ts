// The rows on screen between two answers: kept in place, marked when removed, reordered on request.
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {useCallback, useEffect, useLayoutEffect, useState} from 'react';
import {acceptRows, anchorShift, dropGone, followRows, type LiveRows, openRows} from './live-rows.ts';

/** How long a removed row stays visible, marked as removed. */
const REMOVED_ROW_MS = 2500;

interface DisplayedRows {
  identity: string;
  /** The moment of these rows; null means live. */
  moment: number | null;
  live: LiveRows | undefined;
  /** Scrolls by this many lines so that the top row stays in place. */
  shift: number;
}

type RowsRequest = Pick<DisplayedRows, 'identity' | 'moment'>;

/** Merges a newer answer to the same query; an answer to another query replaces the list. */
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
  // Two moments may share one rows object, so compare the moments too.
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
