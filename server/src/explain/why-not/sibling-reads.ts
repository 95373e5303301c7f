// What the inputs of a collection that give rows read, and an input without rows does not. Documents show no more.
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import type {Records} from '../records.ts';

const MAX_SIBLINGS = 200;
/** The share of the inputs with rows that must read it. */
const USUAL = 0.5;

export interface SiblingReads {
  /** Inputs with rows that were looked at. */
  readonly siblings: number;
  /** Collections that this input does not read, most common first. */
  readonly missing: readonly string[];
}

export function findSiblingReads(
  records: Records,
  {collection, input, parent}: {collection: string; input: string; parent: string | undefined},
  at: number | undefined,
): SiblingReads | undefined {
  if (parent === undefined) return undefined;
  // Programs that report their own runs name their filters.
  const readsOf = (key: string) =>
    new Set(
      records
        .dependenciesOf(collection, key, at)
        .flatMap(one => (one.filter === UNKNOWN_FILTER_TEXT ? [one.collection] : [])),
    );
  const own = readsOf(input);
  const counts = new Map<string, number>();
  let siblings = 0;
  for (const key of records.keys(parent, at)) {
    if (siblings >= MAX_SIBLINGS) break;
    if (key === input || records.outputsOf(collection, key, at).length === 0) continue;
    siblings += 1;
    for (const name of readsOf(key)) if (!own.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const missing = [...counts]
    .filter(([, count]) => count > siblings * USUAL)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name]) => name);
  return missing.length === 0 ? undefined : {siblings, missing};
}
