import {describe, expect, test} from 'vitest';
import {Row} from '../graph/row.ts';
import type {Derived} from '../kinds/derived.ts';
import {Entry} from '../run/entry.ts';
import {Users} from './users.ts';

const entryOf = (key: string) => new Entry(null as unknown as Derived, new Row(key));

function keysOf(users: Users): string[] {
  const keys: string[] = [];
  users.each(entry => {
    keys.push(entry.row.key);
  });
  return keys.sort();
}

describe('[F3] the inputs of a query', () => {
  test('come once and go once', () => {
    const users = new Users();
    const a = entryOf('a');
    expect(users.add(a)).toBe(true);
    expect(users.add(a)).toBe(false);
    expect(users.size).toBe(1);
    expect(users.delete(a)).toBe(true);
    expect(users.delete(a)).toBe(false);
    expect(users.size).toBe(0);
  });

  test('stay apart over any number of queries, in any order of coming and going', () => {
    const queries = Array.from({length: 4}, () => new Users());
    const entries = Array.from({length: 6}, (_, i) => entryOf(`e${i}`));
    const model = queries.map(() => new Set<string>());
    let seed = 7;
    for (let step = 0; step < 4000; step++) {
      seed = (seed * 48271) % 2147483647;
      const at = seed % queries.length;
      const entry = entries[(seed >> 4) % entries.length] as Entry;
      const users = queries[at] as Users;
      const expected = model[at] as Set<string>;
      const {key} = entry.row;
      if (((seed >> 9) & 1) === 0) {
        expect(users.add(entry)).toBe(!expected.has(key));
        expected.add(key);
      } else expect(users.delete(entry)).toBe(expected.delete(key));
      expect(users.has(entry)).toBe(expected.has(key));
      queries.forEach((each, i) => {
        expect(keysOf(each)).toEqual([...(model[i] as Set<string>)].sort());
        expect(each.size).toBe((model[i] as Set<string>).size);
      });
    }
  });
});
