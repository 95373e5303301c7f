// The list of namespaces, as one shared query.
import {namespacesSource} from '@krtscope/shared/vocabulary.ts';
import {useMemo} from 'react';
import {useSubscription} from './use-subscription.ts';

/** As many as one answer holds; its total says how many exist. Undefined until it arrives. */
export function useNamespaces(): {names: string[]; total: number} | undefined {
  const {answer} = useSubscription({ask: 'window', collection: namespacesSource, count: 600});
  return useMemo(() => answer && {names: answer.rows.map(row => row.key), total: answer.total}, [answer]);
}
