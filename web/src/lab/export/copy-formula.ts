// Copies a draft to the clipboard as Go, as a TypeScript module or as a link.
import type {Graph} from '@krtscope/shared/graph.ts';
import {copyText, useApp} from '../../store/app.ts';
import type {Draft} from '../draft/drafts.ts';
import {listFormulas, requestTypes} from '../formula-api.ts';
import type {PreviewState} from '../preview/use-preview.ts';
import {encodeFormulaLink, helperFileIn} from '../share/formula-link.ts';
import type {FetchSite} from '../types/protocol.ts';
import {goSkeleton} from './go-skeleton.ts';
import {collectionsToDeclare} from './item-types.ts';
import {readCollections, typescriptModule, usedHelpers} from './typescript-module.ts';

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
  const helpers = await requestHelperFile();
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

function requestHelperFile(): Promise<string> {
  return listFormulas(new AbortController().signal).then(
    ({modules}) => helperFileIn(modules),
    () => '',
  );
}

export async function copyLink({name, kind, input, code, shadow, params}: Draft): Promise<void> {
  const helpers = usedHelpers(code, await requestHelperFile());
  const text = await encodeFormulaLink({
    name,
    kind,
    code,
    input,
    shadow,
    params,
    ...(helpers === '' ? {} : {helpers}),
  });
  const {session} = useApp.getState().route;
  await copyText(
    `${window.location.origin}/s/${encodeURIComponent(session ?? '')}/lab#z=${text}`,
    `Link copied. It contains the code${helpers === '' ? '' : ' and its helpers'}.`,
  );
}
