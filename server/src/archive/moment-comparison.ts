// Compares two moments that no process holds together: one process for each, digests first, then the values that differ.
import type {Diff} from '@krtscope/shared/items.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Question} from '@krtscope/shared/questions.ts';

/** Asks the process of one moment. */
export type AskMoment = (question: Question) => Promise<unknown>;

/** Keys and digests in turn, by collection. */
type DigestsByCollection = Record<string, string[]>;
type ValuesByCollection = Record<string, [key: string, value: unknown][]>;

export async function compareMoments(
  older: {at: number; ask: AskMoment},
  newer: {at: number; ask: AskMoment},
): Promise<Diff> {
  const {at: from} = older;
  const {at: to} = newer;
  const digests = await Promise.all(
    [older, newer].map(async ({at, ask}) => (await ask({ask: 'row-digests', at})) as DigestsByCollection),
  );
  const keys = differingKeys(digests[0] ?? {}, digests[1] ?? {});
  const values = await Promise.all(
    [older, newer].map(async ({at, ask}) => (await ask({ask: 'row-values', at, keys})) as ValuesByCollection),
  );
  const [before, after] = values.map(
    found => new Map(Object.entries(found).map(([name, rows]) => [name, new Map(rows)])),
  );
  const collections: Diff['collections'] = {};
  for (const [name, list] of Object.entries(keys))
    collections[name] = list
      .sort()
      .map(key => ({key, old: before?.get(name)?.get(key), new: after?.get(name)?.get(key)}));
  return {from, to, collections};
}

function differingKeys(older: DigestsByCollection, newer: DigestsByCollection): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const name of new Set([...Object.keys(older), ...Object.keys(newer)])) {
    const before = toMap(older[name] ?? []);
    const after = toMap(newer[name] ?? []);
    const keys = [...after].filter(([key, digest]) => before.get(key) !== digest).map(([key]) => key);
    for (const key of before.keys()) if (!after.has(key)) keys.push(key);
    if (keys.length > 0) found[name] = keys;
  }
  return found;
}

function toMap(pairs: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let at = 0; at < pairs.length; at += 2) map.set(pairs[at] as string, pairs[at + 1] as string);
  return map;
}

/** The net difference of two that follow each other. */
export function joinDiffs(first: Diff, second: Diff): Diff {
  const collections: Diff['collections'] = {};
  for (const name of new Set([...Object.keys(first.collections), ...Object.keys(second.collections)])) {
    const net = new Map((first.collections[name] ?? []).map(row => [row.key, row]));
    for (const row of second.collections[name] ?? []) {
      const before = net.get(row.key);
      net.set(row.key, before === undefined ? row : {...row, old: before.old});
    }
    const rows = [...net.values()].filter(({old, new: now}) => !deepEqual(old, now));
    if (rows.length > 0) collections[name] = rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
  return {from: first.from, to: second.to, collections};
}
