// The other moment of a comparison, in the address as `vs`, and what differs between it and the one that is shown.
import type {Diff} from '@krtscope/shared/items.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {createContext, useMemo} from 'react';
import {navigate, setParams, useApp} from '../store/app.ts';
import {useParam} from '../store/hooks.ts';
import {useAsked} from '../stream/asked-moment.ts';
import {useAnswer} from '../stream/hooks.ts';
import {useLink} from '../stream/link.ts';
import {type CollectionDifferences, type Difference, differencesOf} from './differences.ts';

export interface Compared {
  /** The moment that is shown, and the one it is compared with. */
  shown: number;
  with: number;
  collections: CollectionDifferences[] | undefined;
  failure: ApiFailure | undefined;
  of(collection: string, key: string): Difference | undefined;
}

/** For the cells: what became of the item they show. Null where nothing is compared. */
export const Comparison = createContext<Compared | null>(null);

/** Null unless a past moment is shown and another one is named. */
export function useCompare(): Compared | null {
  const shown = useAsked(state => state.moment);
  const [text] = useParam('vs');
  const other = text !== null && /^\d+$/.test(text) ? Number(text) : null;
  const asks = shown !== null && other !== null;
  const [from, to] = asks ? [Math.min(shown, other), Math.max(shown, other)] : [0, 0];
  const {answer, failure} = useAnswer<Diff>(asks && from !== to ? `/diff?from=${from}&to=${to}` : null);
  return useMemo(() => {
    if (shown === null || other === null) return null;
    const mine = answer && answer.from === from && answer.to === to ? answer : undefined;
    const collections = from === to ? [] : mine && differencesOf(mine, shown);
    const byItem = new Map(
      (collections ?? []).flatMap(one =>
        one.differences.map(each => [`${each.collection} ${each.key}`, each]),
      ),
    );
    return {
      shown,
      with: other,
      collections,
      failure,
      of: (collection, key) => byItem.get(`${collection} ${key}`),
    };
  }, [shown, other, from, to, answer, failure]);
}

/** Compares what is shown with now: live, the moment before the last change is held against it. */
export function compareWithNow(): void {
  const {sequence} = useLink.getState();
  const {moment} = useApp.getState().place;
  if (moment === null) navigate({moment: Math.max(0, sequence - 1)});
  setParams({vs: String(sequence)});
}

export function turnCompare(): void {
  if (useApp.getState().place.params.vs === undefined) compareWithNow();
  else endCompare();
}

export function endCompare(): void {
  setParams({vs: null});
}
