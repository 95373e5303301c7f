// The fields of the kinds in a manifest. Each is loaded once in a session.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import {useEffect, useState} from 'react';
import {useApp} from '../../store/app.ts';
import {apiPath, request} from '../../stream/http.ts';
import {useGraph} from '../../stream/use-subscription.ts';

export interface ManifestKinds {
  /** Undefined while it is loading, and for a kind that is not a source. */
  fieldsOf(apiVersion: string, kind: string): KindFields | undefined;
  /** The kinds that can be tried, for completion. */
  readonly kinds: readonly {apiVersion: string; kind: string}[];
}

interface SourceKind {
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** `wanted` are the kinds in the manifest. */
export function useKindFields(wanted: readonly {apiVersion: string; kind: string}[]): ManifestKinds {
  const session = useApp(state => state.route.session);
  const graph = useGraph();
  const [loaded, setLoaded] = useState<ReadonlyMap<string, KindFields | null>>(new Map());
  const kinds = sourceKinds(graph);
  const missing = kinds
    .filter(one => wanted.some(({apiVersion, kind}) => kind === one.kind && apiVersion === one.apiVersion))
    .map(({collection}) => collection)
    .filter(collection => !loaded.has(collection));
  const next = missing[0];
  useEffect(() => {
    if (next === undefined) return;
    const abort = new AbortController();
    const keep = (fields: KindFields | null) => setLoaded(old => new Map(old).set(next, fields));
    request<KindFields>(apiPath(`/what-if/fields/${encodeURIComponent(next)}`, {session}), {
      signal: abort.signal,
    }).then(keep, () => {
      // Without a schema the editor has no completion. The server still judges the edit.
      if (!abort.signal.aborted) keep(null);
    });
    return () => abort.abort();
  }, [next, session]);
  return {
    kinds,
    fieldsOf: (apiVersion, kind) => {
      const found = kinds.find(one => one.kind === kind && one.apiVersion === apiVersion);
      return (found && loaded.get(found.collection)) ?? undefined;
    },
  };
}

function sourceKinds(graph: Graph | null): SourceKind[] {
  return (graph?.collections ?? []).flatMap(({name: collection, resource}) => {
    if (resource === undefined) return [];
    const {group, version, kind} = resource;
    return [{collection, kind, apiVersion: group === '' ? version : `${group}/${version}`}];
  });
}
