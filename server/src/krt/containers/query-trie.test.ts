// Queries are shared exactly if they are equal, compared with a text that holds all of a query.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  type Filter,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  querySpecOf,
} from '../query/filter.ts';
import type {QueryNode} from '../query/query-node.ts';
import {QueryTrie} from './query-trie.ts';

const word = fc.constantFrom('a', 'b', 'a,b', '["a","b"]');
const labels = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.constantFrom('a', 'b', '1', undefined),
) as never;
const maybe = (filter: fc.Arbitrary<Filter>) => fc.option(filter, {nil: undefined});
const filters = fc
  .tuple(
    maybe(
      fc.oneof(
        word.map(filterKey),
        fc.array(word).map(keys => filterKeys(keys)),
      ),
    ),
    maybe(word.map(filterNamespace)),
    maybe(fc.oneof(fc.constant(filterLabel(null)), (labels as fc.Arbitrary<never>).map(filterLabel))),
    maybe(
      fc.oneof(
        (labels as fc.Arbitrary<never>).map(filterSelects),
        (labels as fc.Arbitrary<never>).map(filterSelectsNonEmpty),
      ),
    ),
  )
  .map(all => all.filter(filter => filter !== undefined));

function sorted(map: object | null): unknown {
  return map === null
    ? null
    : Object.entries(map)
        .filter(([, value]) => value !== undefined)
        .sort();
}

function textOf(all: readonly Filter[]): string {
  const {keys, namespace, labels: has, selects, nonEmpty} = querySpecOf(all);
  return JSON.stringify([keys, namespace, sorted(has), sorted(selects), nonEmpty]);
}

test('a query is found by all who ask the same, by nobody else, and by nobody once it is forgotten', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(filters, fc.boolean()), {maxLength: 40}), steps => {
      const interned = new QueryTrie();
      const model = new Map<string, QueryNode>();
      for (const [all, goes] of steps) {
        const text = textOf(all);
        const held = interned.find(querySpecOf(all));
        expect(held).toBe(model.get(text) ?? null);
        if (held === null) {
          const node = {spec: querySpecOf(all).copyValues()} as QueryNode;
          interned.add(node);
          model.set(text, node);
        } else if (goes) {
          interned.delete(held);
          model.delete(text);
        }
      }
      for (const [all] of steps) expect(interned.find(querySpecOf(all))).toBe(model.get(textOf(all)) ?? null);
    }),
    {numRuns: 300},
  );
});
