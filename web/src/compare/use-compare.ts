// The other moment of a comparison, in the URL as `vs`, and its differences from the moment on screen.
import type {Diff} from '@krtscope/shared/items.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {createContext, useMemo} from 'react';
import {navigate, setParams, useApp} from '../store/app.ts';
import {useParam} from '../store/navigation.ts';
import {useRequestedMoment} from '../stream/requested-moment.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useAnswer} from '../stream/use-subscription.ts';
import {type CollectionDifferences, differencesOf, type ItemDifference} from './differences.ts';

export interface MomentComparison {
  /** The moment on screen, and the moment it is compared with. */
  shown: number;
  with: number;
  collections: CollectionDifferences[] | undefined;
  failure: ApiFailure | undefined;
  of(collection: string, key: string): ItemDifference | undefined;
}

/** For cells: what happened to their item. Null without a comparison. */
export const ComparisonContext = createContext<MomentComparison | null>(null);

/** Null unless the page shows a past moment and `vs` names another one. */
export function useCompare(): MomentComparison | null {
  const shown = useRequestedMoment(state => state.moment);
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

/** Compares the moment on screen with now. Live, compares the moment before the last change with now. */
export function compareWithNow(): void {
  const {sequence} = useConnection.getState();
  const {moment} = useApp.getState().route;
  if (moment === null) navigate({moment: Math.max(0, sequence - 1)});
  setParams({vs: String(sequence)});
}

export function toggleCompare(): void {
  if (useApp.getState().route.params.vs === undefined) compareWithNow();
  else endCompare();
}

export function endCompare(): void {
  setParams({vs: null});
}
