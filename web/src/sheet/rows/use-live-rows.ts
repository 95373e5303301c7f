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
function followAnswer(current: DisplayedRows, answer: Sheet, {identity, moment}: RowsRequest): DisplayedRows {
  const before = current.identity === identity ? current.live : undefined;
  if (before === undefined) return {identity, moment, live: openRows(answer), shift: 0};
  if (answer.offset === before.newest.offset)
    return {identity, moment, live: followRows(before, answer), shift: 0};
  const shift = anchorShift(before.sheet.rows, answer.rows, before.sheet.offset);
  return {identity, moment, live: openRows(answer), shift};
}

export function useLiveRows(
  answer: Sheet | undefined,
  request: RowsRequest,
  onShift: (lines: number) => void,
): {live: LiveRows | undefined; moment: number | null; accept: () => void} {
  const [previous, setDisplayed] = useState<DisplayedRows>({...request, live: undefined, shift: 0});
  let current = previous;
  // Two moments may share one rows object, so compare the moments too.
  if (answer !== undefined && (answer !== previous.live?.newest || request.identity !== previous.identity)) {
    current = followAnswer(previous, answer, request);
    setDisplayed(current);
  }
  useLayoutEffect(() => {
    if (current.shift !== 0) onShift(current.shift);
  }, [current, onShift]);
  const gone = current.live?.gone.size ?? 0;
  useEffect(() => {
    if (gone === 0) return;
    const leave = setTimeout(
      () => setDisplayed(now => ({...now, shift: 0, live: now.live && dropGone(now.live)})),
      REMOVED_ROW_MS,
    );
    return () => clearTimeout(leave);
  }, [gone]);
  const accept = useCallback(
    () => setDisplayed(now => ({...now, shift: 0, live: now.live && acceptRows(now.live)})),
    [],
  );
  return {live: current.live, moment: current.moment, accept};
}
