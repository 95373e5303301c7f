// Finds the line of a key that is not loaded. Rows are sorted by key, so a few one-row queries find it by
// bisection.
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {useCallback, useRef} from 'react';
import {useApp} from '../../store/app.ts';
import {stream} from '../../stream/client.ts';
import type {StreamQuestion} from '../../stream/subscriptions.ts';
import type {LiveRows} from './live-rows.ts';

const MAX_STEPS = 24;

export type SheetQuestion = Extract<StreamQuestion, {ask: 'sheet'}>;

export function useLineSearch(
  question: SheetQuestion | null,
  live: LiveRows | undefined,
  scrollTo: (line: number) => void,
): (key: string) => void {
  const sought = useRef<string | null>(null);
  const newest = live?.newest;
  return useCallback(
    (key: string) => {
      if (!newest || !question || sought.current === key || newest.rows.length >= newest.total) return;
      const span = spanOf(newest, key);
      // Bisection needs the order by key, and a folded group has no line.
      if (question.sort !== undefined || !span) return;
      sought.current = key;
      void findLine(question, key, span).then(line => {
        if (line !== undefined && sought.current === key) scrollTo(line);
      });
    },
    [question, newest, scrollTo],
  );
}

/** The lines that may hold the key: all lines, or those of its namespace's group. */
function spanOf(sheet: Sheet, key: string): {low: number; high: number} | undefined {
  if (!sheet.groups) return {low: 0, high: sheet.lines - 1};
  const at = sheet.groups.findIndex(group => key.startsWith(`${group.name}/`));
  const group = sheet.groups[at];
  if (!group) return undefined;
  const high = (sheet.groups[at + 1]?.offset ?? sheet.lines) - 1;
  return high > group.offset ? {low: group.offset + 1, high} : undefined;
}

async function findLine(
  question: SheetQuestion,
  key: string,
  span: {low: number; high: number},
): Promise<number | undefined> {
  const {moment} = useApp.getState().route;
  let {low, high} = span;
  for (let step = 0; step < MAX_STEPS && low <= high; step++) {
    const middle = Math.floor((low + high) / 2);
    const answer = await fetchSheetOnce({
      ...question,
      offset: middle,
      count: 1,
      ...(moment !== null && {at: moment}),
    });
    const row = answer?.rows[0];
    if (!row) return undefined;
    if (key === row.key || key.startsWith(`${row.key}/`)) return row.line;
    if (row.key < key) low = Math.max(middle + 1, row.line + row.lines);
    else high = row.line - 1;
  }
  return undefined;
}

/** Waits for one answer of a subscription, then ends it. */
function fetchSheetOnce(question: SheetQuestion): Promise<Sheet | undefined> {
  return new Promise(resolve => {
    let end = () => {};
    const done = (answer: Sheet | undefined) => {
      clearTimeout(over);
      queueMicrotask(() => end());
      resolve(answer);
    };
    const over = setTimeout(() => done(undefined), 2000);
    end = stream.subscriptions.onAnswer(question, () => {
      const state = stream.subscriptions.stateOf(question);
      if (state.answer !== undefined) done(state.answer as Sheet);
      else if (state.failure !== undefined) done(undefined);
    });
  });
}
