// Gives the worker the types of the formula's input and of the collections it names.
import type {Graph} from '@krtscope/shared/graph.ts';
import {useEffect, useMemo, useRef, useState} from 'react';
import {requestTypes} from '../formula-api.ts';
import {openTypeClient, type TypeClient} from './type-client.ts';

/** Finds collection names in the text. An extra name costs little, a missing one breaks completion. */
export function findNamedCollections(code: string, collections: readonly string[]): string[] {
  const words = new Set(code.match(/[\w$]+/g) ?? []);
  return collections.filter(name => words.has(name) || (/\W/.test(name) && code.includes(name)));
}

/** `version` changes when the worker has new types. `helpers` is the text of helpers.ts. */
export function useFormulaTypes(
  graph: Graph | null,
  code: string,
  input: string | undefined,
  helpers = '',
): {types: TypeClient; version: number} {
  const client = useRef<TypeClient | null>(null);
  client.current ??= openTypeClient();
  const types = client.current;
  const [version, setVersion] = useState(0);
  const names = useMemo(() => graph?.collections.map(node => node.name) ?? [], [graph]);
  const all = names.length === 0 ? '' : [...names, helpers].join('\n');
  const needed = [...new Set([...(input === undefined ? [] : [input]), ...findNamedCollections(code, names)])]
    .sort()
    .join('\n');
  /** The collections whose types the worker has. */
  const loaded = useRef({all, names: new Set<string>()});

  useEffect(() => () => types.end(), [types]);

  useEffect(() => {
    if (all === '') return;
    const abort = new AbortController();
    const list = needed.split('\n').filter(Boolean);
    // Other collections of the graph need a new scope.
    if (loaded.current.all !== all) loaded.current = {all, names: new Set()};
    const {names: have} = loaded.current;
    if (have.size > 0 && list.every(name => have.has(name))) return;
    const more = [...new Set([...have, ...list])];
    requestTypes(more, abort.signal)
      .then(({text}) => types.ask({ask: 'scope', text}))
      .then(
        () => {
          if (abort.signal.aborted) return;
          loaded.current = {all, names: new Set(more)};
          setVersion(n => n + 1);
        },
        () => {},
      );
    return () => abort.abort();
  }, [all, needed, types]);

  return {types, version};
}
