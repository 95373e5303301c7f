// The rows of one moment for a comparison with another process: a digest of each, and the values of some.
import {createHash} from 'node:crypto';
import type {Records} from '../../../../explain/records.ts';
import {isJournal} from '../../../../history/journal.ts';
import {stableTextOf} from '../../live-graph/stable-text.ts';
import {momentOf} from './item.ts';

/** By collection: keys and digests in turn. */
export type RowDigests = Record<string, string[]>;
export type RowValues = Record<string, [key: string, value: unknown][]>;

/** One step reads one row. */
export function* digestSteps(records: Records, asked: number | undefined): Generator<undefined, RowDigests> {
  const at = momentOf(records, asked);
  const digests: RowDigests = {};
  for (const {name} of records.collections(at)) {
    if (isJournal(name)) continue;
    const rows: string[] = [];
    for (const key of [...records.keys(name, at)]) {
      rows.push(key, digestOf(records.value(name, key, at)));
      yield;
    }
    digests[name] = rows;
  }
  return digests;
}

export function valuesOf(
  records: Records,
  keys: Record<string, readonly string[]>,
  asked: number | undefined,
): RowValues {
  const at = momentOf(records, asked);
  return Object.fromEntries(
    Object.entries(keys).map(([name, wanted]) => [
      name,
      wanted
        .filter(key => records.has(name, key, at))
        .map((key): [string, unknown] => [key, records.value(name, key, at)]),
    ]),
  );
}

function digestOf(value: unknown): string {
  return createHash('sha1').update(stableTextOf(value)).digest('base64url').slice(0, 16);
}
