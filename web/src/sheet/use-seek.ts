// Finds the line of a key that is not loaded: rows are sorted by key, so a few single-row questions halve the way to it.
import type {Sheet} from '@krtscope/shared/sheet.ts';
import {useCallback, useRef} from 'react';
import {useApp} from '../store/app.ts';
import {type Asked, stream} from '../stream/client.ts';
import type {LiveRows} from './live-rows.ts';

const STEPS = 24;

export function useSeek(
  root: string,
  live: LiveRows | undefined,
  scrollTo: (line: number) => void,
): (key: string) => void {
  const sought = useRef<string | null>(null);
  const newest = live?.newest;
  return useCallback(
    (key: string) => {
      if (!newest || sought.current === key || newest.rows.length >= newest.total || newest.groups) return;
      if (useApp.getState().place.params.sort !== undefined) return;
      sought.current = key;
      void findLine(root, key, newest.lines).then(line => {
        if (line !== undefined && sought.current === key) scrollTo(line);
      });
    },
    [root, newest, scrollTo],
  );
}

async function findLine(root: string, key: string, lines: number): Promise<number | undefined> {
  const {params, namespace, moment} = useApp.getState().place;
  const q = [namespace === null ? '' : `ns:${namespace}`, params.q ?? ''].filter(Boolean).join(' ');
  let low = 0;
  let high = lines - 1;
  for (let step = 0; step < STEPS && low <= high; step++) {
    const middle = Math.floor((low + high) / 2);
    const answer = await ask({
      ask: 'sheet',
      root,
      offset: middle,
      count: 1,
      ...(q && {q}),
      ...(moment !== null && {at: moment}),
    });
    const row = answer?.rows[0];
    if (!row) return undefined;
    if (row.key === key) return row.line;
    if (row.key < key) low = Math.max(middle + 1, row.line + row.lines);
    else high = row.line - 1;
  }
  return undefined;
}

/** One answer of a subscription, then it is let go. */
function ask(question: Extract<Asked, {ask: 'sheet'}>): Promise<Sheet | undefined> {
  return new Promise(resolve => {
    let end = () => {};
    const done = (answer: Sheet | undefined) => {
      clearTimeout(over);
      queueMicrotask(() => end());
      resolve(answer);
    };
    const over = setTimeout(() => done(undefined), 2000);
    end = stream.onAnswer(question, () => {
      const held = stream.held(question);
      if (held.answer !== undefined) done(held.answer as Sheet);
      else if (held.failure !== undefined) done(undefined);
    });
  });
}
