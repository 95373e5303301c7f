// Gives the worker the types that the formula needs: those of its input and of what it fetches, as they are named.
import type {Graph} from '@krtscope/shared/graph.ts';
import {useEffect, useMemo, useRef, useState} from 'react';
import {requestTypes} from '../formula-api.ts';
import {openTypeClient, type TypeClient} from './type-client.ts';

/** Names in the text that are collections: a word too many costs a type, a word too few a completion. */
export function findNamedCollections(code: string, collections: readonly string[]): string[] {
  const words = new Set(code.match(/[\w$]+/g) ?? []);
  return collections.filter(name => words.has(name) || (/\W/.test(name) && code.includes(name)));
}

/** `version` changes when the worker knows more than before. */
export function useFormulaTypes(
  graph: Graph | null,
  code: string,
  input: string | undefined,
): {types: TypeClient; version: number} {
  const client = useRef<TypeClient | null>(null);
  client.current ??= openTypeClient();
  const types = client.current;
  const [version, setVersion] = useState(0);
  const names = useMemo(() => graph?.collections.map(node => node.name) ?? [], [graph]);
  const all = names.join('\n');
  const wanted = [
    ...new Set([...(input === undefined ? [] : [input]), ...findNamedCollections(code, names)]),
  ].sort();
  const asked = wanted.join('\n');
  /** Other collections make another scope. */
  const known = useRef({all, names: new Set<string>()});

  useEffect(() => () => types.end(), [types]);

  useEffect(() => {
    if (all === '') return;
    const abort = new AbortController();
    const list = asked.split('\n').filter(Boolean);
    // Typed over and over: what is known stays known.
    if (known.current.all !== all) known.current = {all, names: new Set()};
    const {names: have} = known.current;
    if (have.size > 0 && list.every(name => have.has(name))) return;
    const more = [...new Set([...have, ...list])];
    requestTypes(more, abort.signal)
      .then(({text}) => types.ask({ask: 'scope', text}))
      .then(
        () => {
          if (abort.signal.aborted) return;
          known.current = {all, names: new Set(more)};
          setVersion(n => n + 1);
        },
        () => {},
      );
    return () => abort.abort();
  }, [all, asked, types]);

  return {types, version};
}
