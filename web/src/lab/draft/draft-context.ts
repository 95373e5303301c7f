// What the draft stands on: whether anything can be kept here, and when the data under it moved.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {useAnswer} from '../../stream/use-subscription.ts';
import type {FormulaAnalysis} from '../types/protocol.ts';
import type {Draft} from './drafts.ts';

/** Formulas run over a recording too, but nothing can be kept in one. */
export function useCanSaveFormulas(): boolean {
  const {answer} = useAnswer<SessionAnswer>('/session');
  const kind = answer?.cluster?.kind;
  return kind === undefined || kind === 'demo' || kind === 'live';
}

/** Changes with the newest change of the input and of everything the formula fetches from. */
export function useDraftDataVersion(
  graph: Graph | null,
  draft: Draft | undefined,
  reading: FormulaAnalysis | undefined,
): string {
  const names = new Set([
    draft?.input,
    draft?.shadow,
    ...(reading?.fetches ?? []).map(site => site.collection),
  ]);
  return (graph?.collections ?? [])
    .filter(node => names.has(node.name))
    .map(node => `${node.name} ${node.last?.sequence ?? 0} ${node.size}`)
    .join();
}
