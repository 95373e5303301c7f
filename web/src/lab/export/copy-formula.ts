// Copies a draft to the clipboard as Go, as a TypeScript module or as a link.
import type {Graph} from '@krtscope/shared/graph.ts';
import {copyText, useApp} from '../../store/app.ts';
import type {Draft} from '../draft/drafts.ts';
import {listFormulas, requestTypes} from '../formula-api.ts';
import type {PreviewState} from '../preview/use-preview.ts';
import {encodeFormulaLink} from '../share/formula-link.ts';
import type {FetchSite} from '../types/protocol.ts';
import {goSkeleton} from './go-skeleton.ts';
import {collectionsToDeclare} from './item-types.ts';
import {readCollections, typescriptModule} from './typescript-module.ts';

export function copyAsGo(
  draft: Draft,
  graph: Graph | null,
  fetches: readonly FetchSite[],
  preview: PreviewState,
): void {
  const sample = [...preview.rows.values()].find(row => row.items.length > 0)?.items[0];
  void copyText(goSkeleton({draft, graph, fetches, sample}), 'Go krt skeleton copied');
}

export async function copyAsModule(draft: Draft, graph: Graph | null): Promise<void> {
  const helpers = await listFormulas(new AbortController().signal).then(
    ({modules}) => modules.find(({name}) => name === 'helpers.ts')?.files?.[0]?.code ?? '',
    () => '',
  );
  const unknown = collectionsToDeclare(readCollections(draft, graph, helpers), graph);
  // Without an answer the copy still runs; its items then have the type any.
  const declarations =
    unknown.length === 0
      ? ''
      : await requestTypes(unknown, new AbortController().signal).then(
          ({text}) => text,
          () => '',
        );
  await copyText(typescriptModule(draft, graph, declarations, helpers), 'TypeScript module copied');
}

export async function copyLink({name, kind, input, code, shadow}: Draft): Promise<void> {
  const text = await encodeFormulaLink({name, kind, code, input, shadow});
  const {session} = useApp.getState().route;
  await copyText(
    `${window.location.origin}/s/${encodeURIComponent(session ?? '')}/lab#z=${text}`,
    'Link copied. It contains the code.',
  );
}
