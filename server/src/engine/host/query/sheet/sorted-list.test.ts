import fc from 'fast-check';
import {expect, test} from 'vitest';
import {matcherOf} from '../items/filter-matcher.ts';
import {compareSortKeys, SortedList, sortKey} from './sorted-list.ts';

interface Entry {
  readonly key: string;
  readonly n: number;
}

test('a list that is changed piece by piece is the list that is sorted afresh', () => {
  const changes = fc.array(
    fc.dictionary(
      fc.constantFrom(...'abcdefghijklmnop'),
      fc.option(fc.integer({min: 0, max: 4}), {nil: null}),
      {maxKeys: 16},
    ),
    {maxLength: 8},
  );
  fc.assert(
    fc.property(changes, steps => {
      const list = new SortedList<Entry>((a, b) => a.n - b.n);
      const truth = new Map<string, Entry>();
      for (const step of steps) {
        const update = new Map<string, Entry | null>();
        for (const [key, n] of Object.entries(step)) {
          const entry = n === null ? null : {key, n};
          update.set(key, entry);
          if (entry) truth.set(key, entry);
          else truth.delete(key);
        }
        list.update(update);
        const sorted = [...truth.values()].sort((a, b) => a.n - b.n || (a.key < b.key ? -1 : 1));
        expect(list.list()).toEqual(sorted);
      }
    }),
    {seed: 7, numRuns: 200},
  );
});

test('numbers inside texts count by their value; what is missing comes last both ways', () => {
  const sorted = (values: unknown[], descending: boolean) =>
    values.toSorted((a, b) => compareSortKeys(sortKey(a), sortKey(b), descending));
  expect(sorted(['web-10', undefined, 'web-2'], false)).toEqual(['web-2', 'web-10', undefined]);
  expect(sorted(['web-10', undefined, 'web-2'], true)).toEqual(['web-10', 'web-2', undefined]);
  expect(sorted([true, 'a', 3, null], false)).toEqual([3, true, 'a', null]);
});

const item = (value: unknown) => ({
  collection: 'Pods',
  key: 'shop/a',
  value,
  outcome: 'added' as const,
  runs: 3,
  at: 1000,
});
const holds = (q: string, value: unknown) => matcherOf(q).matches(item(value), 2000);

test('fields compare numbers as numbers, lists by any element, with stars as wildcards', () => {
  expect(holds('spec.replicas>9', {spec: {replicas: 10}})).toBe(true);
  expect(holds('spec.replicas>9', {spec: {replicas: '10'}})).toBe(true);
  expect(holds('services=we*', {services: ['api', 'web']})).toBe(true);
  expect(holds('services!=web', {services: ['api', 'web']})).toBe(false);
  expect(holds('waypoint=none', {})).toBe(true);
  expect(holds('metadata.labels.istio.io/rev=x', {metadata: {labels: {'istio.io/rev': 'x'}}})).toBe(true);
  expect(holds('runs>=3 changed<2s key=shop/*', {})).toBe(true);
  expect(holds('runs>3', {})).toBe(false);
  expect(holds('changed>2s', {})).toBe(false);
});

test('a pattern that would never end elsewhere ends here', () => {
  const start = performance.now();
  expect(holds('name~^(a+)+$', {name: `${'a'.repeat(5000)}!`})).toBe(false);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('managedFields hold nothing that a search should find', () => {
  expect(holds('kubelet', {metadata: {managedFields: [{manager: 'kubelet'}]}})).toBe(false);
  expect(holds('KUBELET', {spec: {agent: 'kubelet-1'}})).toBe(true);
});

test.each([
  'key~(a?){500}a{500}',
  Array.from({length: 65}, (_, n) => `word${n}`).join(' '),
  'key~a key~b key~c key~d key~e',
])('a filter that asks for too much is refused: %s', q => {
  expect(() => matcherOf(q)).toThrow(/repeats too much|terms/);
});
