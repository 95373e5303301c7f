// What a session shows at each moment, to compare it before and after a restart.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import {stableTextOf} from '../../src/engine/host/live-graph/stable-text.ts';

interface Answering {
  ask<T>(question: QuestionInput): Promise<T>;
}

export interface MomentRows {
  readonly at: number;
  readonly rows: Map<string, string>;
}

/** Every row of every collection at the moments from `oldest` to `newest` that are retained. */
export async function momentsOf(process: Answering, oldest: number, newest: number): Promise<MomentRows[]> {
  const kept = await process.ask<RetainedHistory>({ask: 'kept'});
  const moments: MomentRows[] = [];
  for (let at = Math.max(kept.oldest, oldest); at <= newest; at++) {
    const rows = new Map<string, string>();
    const graph = await process.ask<Graph>({ask: 'graph', at});
    for (const {name} of graph.collections) {
      const {items} = await process.ask<Items>({ask: 'items', collection: name, at, limit: 1000});
      rows.set(name, '');
      for (const {key, value} of items) rows.set(`${name}/${key}`, stableTextOf(value));
    }
    moments.push({at, rows});
  }
  return moments;
}

export function* differencesOf(before: Map<string, string>, after: Map<string, string>): Iterable<string> {
  for (const [row, value] of before) {
    const found = after.get(row);
    if (found === undefined) yield `${row} is missing, it was ${value}`;
    else if (found !== value) yield `${row} is ${found}, it was ${value}`;
  }
  for (const [row, value] of after) if (!before.has(row)) yield `${row} was not there: ${value}`;
}
