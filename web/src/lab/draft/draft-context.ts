// Facts about the session that a draft depends on: whether it can be saved, and when its data changed.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {useAnswer} from '../../stream/use-subscription.ts';
import type {Draft} from './drafts.ts';

/** Drafts run over recordings and reporting programs too, but only these sessions have an engine for saved formulas. */
export function useCanSaveFormulas(): boolean {
  const {answer} = useAnswer<SessionAnswer>('/session');
  const kind = answer?.cluster?.kind;
  return kind === undefined || kind === 'demo' || kind === 'live' || kind === 'attached';
}

/** Changes when the input, the compared column or a fetched collection changes. */
export function useDraftDataVersion(graph: Graph | null, draft: Draft, fetched: readonly string[]): string {
  const names = new Set([draft.input, draft.shadow, ...fetched]);
  return (graph?.collections ?? [])
    .filter(node => names.has(node.name))
    .map(node => `${node.name} ${node.last?.sequence ?? 0} ${node.size}`)
    .join();
}
