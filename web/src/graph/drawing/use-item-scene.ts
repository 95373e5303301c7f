// Loads an item and its neighbours hop by hop, and builds the scene of the item level.

import type {Graph} from '@krtscope/shared/graph.ts';
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {EdgeKind} from '@krtscope/shared/vocabulary.ts';
import {useEffect, useMemo, useState} from 'react';
import {useApp} from '../../store/app.ts';
import {apiPath, request} from '../../stream/http.ts';
import {useStableValue} from '../../ui/hooks/use-stable-value.ts';
import {type GraphScene, itemId, itemScene} from './scene.ts';

const MAX_ITEMS = 40;
const MAX_REQUESTS = 24;

interface LoadedItemDetails {
  id: string;
  details: ItemDetail[];
  done: boolean;
}

export function useItemScene(
  graph: Graph | null,
  chosen: {collection: string; key: string} | undefined,
  {up, down}: {up: number; down: number},
): {scene: GraphScene | null; left: number; done: boolean} {
  const session = useApp(state => state.route.session);
  const moment = useApp(state => state.route.moment);
  const id = chosen ? itemId(chosen) : '';
  const item = useStableValue(chosen, id);
  const [found, setFound] = useState<LoadedItemDetails>({id: '', details: [], done: false});
  useEffect(() => {
    if (!item) return;
    const abort = new AbortController();
    void loadDetails(item, {up, down}, session, moment, abort.signal, details =>
      setFound({id, details, done: false}),
    ).then(details => {
      if (!abort.signal.aborted) setFound({id, details, done: true});
    });
    return () => abort.abort();
  }, [item, id, up, down, session, moment]);
  const structure =
    graph && JSON.stringify([graph.collections.map(one => [one.name, one.kind]), graph.edges]);
  // Live numbers of the graph must not move items.
  const same = useStableValue(graph, structure ?? '');
  return useMemo(() => {
    if (!item || !same || found.id !== id || found.details.length === 0)
      return {scene: null, left: 0, done: found.done};
    const kinds = new Map(same.collections.map(node => [node.name, node.kind]));
    const between = (from: string, to: string): EdgeKind => {
      const all = same.edges.filter(edge => edge.from === from && edge.to === to);
      return all.find(edge => edge.kind !== 'fetch')?.kind ?? all[0]?.kind ?? 'input';
    };
    const made = itemScene(item, found.details, name => kinds.get(name) ?? 'derived', between, MAX_ITEMS);
    return {scene: made, left: made.left, done: found.done};
  }, [found, id, item, same]);
}

type SceneItemRef = {collection: string; key: string};

async function loadDetails(
  item: SceneItemRef,
  hops: {up: number; down: number},
  session: string | null,
  moment: number | null,
  signal: AbortSignal,
  onProgress: (details: ItemDetail[]) => void,
): Promise<ItemDetail[]> {
  const details: ItemDetail[] = [];
  const requested = new Set<string>();
  const ask = async (ref: SceneItemRef): Promise<ItemDetail | undefined> => {
    const id = itemId(ref);
    if (requested.has(id) || requested.size >= MAX_REQUESTS) return undefined;
    requested.add(id);
    const path = `/collections/${encodeURIComponent(ref.collection)}/items/${encodeURIComponent(ref.key)}`;
    try {
      return await request<ItemDetail>(apiPath(path, {session, at: moment}), {signal});
    } catch {
      // A deleted neighbour is still drawn from the answer that named it.
      return undefined;
    }
  };
  const first = await ask(item);
  if (!first) return details;
  details.push(first);
  onProgress([...details]);
  for (const [side, depth] of [
    ['precedents', hops.up],
    ['dependents', hops.down],
  ] as const) {
    let front: SceneItemRef[] = first[side];
    for (let hop = 1; hop < Math.max(1, depth) && front.length > 0; hop++) {
      const answers = (await Promise.all(front.slice(0, 8).map(ask))).filter(one => one !== undefined);
      details.push(...answers);
      front = answers.flatMap(answer => answer[side]);
    }
  }
  return details;
}
