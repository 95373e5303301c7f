// The last answer of What if, until the reader clears it. The Sheet and the Graph mark the rows that would change.
import type {RowDifference, WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {create} from 'zustand';
import {useApp} from '../store/app.ts';

interface Supposition {
  readonly session: string | null;
  readonly answer: WhatIf | null;
  /** By collection and key. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, RowDifference>>;
}

const nothing: Supposition = {session: null, answer: null, rows: new Map()};

const useSupposition = create<Supposition>(() => nothing);

export function suppose(session: string | null, answer: WhatIf): void {
  const rows = new Map(
    Object.entries(answer.collections).map(([name, list]) => [
      name,
      new Map(list.map(row => [row.key, row])),
    ]),
  );
  useSupposition.setState({session, answer, rows});
}

export function clearSupposition(): void {
  useSupposition.setState(nothing);
}

/** The answer that is supposed in this session. */
export function useSupposedAnswer(): WhatIf | null {
  const session = useApp(state => state.route.session);
  return useSupposition(state => (state.session === session ? state.answer : null));
}

/** How a row would differ; undefined if it would not, or if nothing is supposed in this session. */
export function useSupposedRow(collection: string, key: string): RowDifference | undefined {
  const session = useApp(state => state.route.session);
  return useSupposition(state =>
    state.session === session ? state.rows.get(collection)?.get(key) : undefined,
  );
}

/** How many rows of a collection would change. */
export function useSupposedCount(collection: string): number {
  const session = useApp(state => state.route.session);
  return useSupposition(state => (state.session === session ? (state.rows.get(collection)?.size ?? 0) : 0));
}
