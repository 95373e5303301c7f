import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import {expect, test} from 'vitest';
import type {EngineLink} from '../../../engine/link/engine-link.ts';
import {listedRowSource} from './row-sources.ts';

/** A program's collection with pages of two, and the requests it got. */
function answerFromRows(rows: Map<string, number>) {
  const state = {sequence: 1, changed: 1};
  const asked: string[] = [];
  const link = {
    ask: async (question: Question): Promise<Partial<Graph> | Partial<Items>> => {
      asked.push(question.ask);
      if (question.ask !== 'items') {
        const last = {sequence: state.changed};
        return {sequence: state.sequence, collections: [{name: 'Told', size: rows.size, last}] as never};
      }
      expect(question.at).toBe(state.sequence);
      const from = Number(question.cursor ?? 0);
      const items = [...rows].slice(from, from + 2).map(([key, value]) => ({key, value}));
      return {items: items as never, ...(from + 2 < rows.size ? {cursor: String(from + 2)} : {})};
    },
  } as unknown as EngineLink;
  return {state, asked, source: listedRowSource(link)};
}

test('the rows of a program follow it: brought anew when they have changed, and only then', async () => {
  const rows = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  const {state, asked, source} = answerFromRows(rows);
  const copy = new Map<string, unknown>();
  let since: string | undefined;
  const bring = async () => {
    asked.length = 0;
    since = await source.bring('Told', since, part => {
      if (part.reset) copy.clear();
      for (const [key, value] of JSON.parse(part.rows) as [string, unknown][]) copy.set(key, value);
    });
    return [...copy];
  };
  expect(await bring()).toEqual([...rows]);
  // Another row has changed.
  state.sequence = 2;
  await bring();
  expect(asked).toEqual(['graph']);
  rows.set('b', 2);
  rows.delete('c');
  state.sequence = state.changed = 3;
  expect(await bring()).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});
