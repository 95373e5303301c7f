// The list of namespaces, as one shared query.
import {namespacesSource} from '@krtscope/shared/vocabulary.ts';
import {useMemo} from 'react';
import {useGraphStore, useSubscription} from './use-subscription.ts';

/** As many as one answer holds; its total says how many exist. Undefined until it arrives. */
export function useNamespaces(): {names: string[]; total: number} | undefined {
  const collection = useGraphStore(({nodes}) => namespacesCollection(nodes.values()));
  const {answer} = useSubscription({ask: 'window', collection, count: 600});
  return useMemo(() => answer && {names: answer.rows.map(row => row.key), total: answer.total}, [answer]);
}

/** Attached programs name their informers as they like: `informer/Namespaces`. */
function namespacesCollection(nodes: Iterable<{name: string; size: number}>): string {
  let found = namespacesSource;
  for (const {name, size} of nodes) {
    if (name === namespacesSource) return name;
    if (found === namespacesSource && size > 0 && name.endsWith(`/${namespacesSource}`)) found = name;
  }
  return found;
}
