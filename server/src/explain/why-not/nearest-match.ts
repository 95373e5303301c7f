// What a fetch that found nothing came nearest to: one object that fails a single clause by a few letters.
import type {EvidenceClause as Row, SentencePart} from '@krtscope/shared/why.ts';
import {editDistance} from '../evidence/edit-distance.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedFetch, Records} from '../records.ts';
import {code, item, text} from '../wording/sentence.ts';
import {type FetchingRun, tryFetch} from './possible-readers.ts';

/** Objects that are tried at most. */
const MAX_OBJECTS = 5000;

export interface NearMiss {
  readonly collection: string;
  readonly key: string;
  readonly rows: readonly Row[];
  readonly failing: Row;
}

const stripEquals = (wants: string): string => wants.replace(/^= /, '');

/** Whether the one can have been meant and the other written: a third of its letters, two at least. */
export function isLikelyTypo(wants: string, has: string): boolean {
  return editDistance(wants, has) <= Math.max(2, Math.floor(Math.max(wants.length, has.length) / 3));
}

export function findNearMiss(
  records: Records,
  reader: RerunReader,
  looker: FetchingRun & {readonly at: number | undefined},
  fetch: RecordedFetch,
): NearMiss | undefined {
  const {collection} = fetch;
  let best: (NearMiss & {apart: number}) | undefined;
  let tried = 0;
  for (const key of records.keys(collection, looker.at)) {
    if (++tried > MAX_OBJECTS) break;
    const value = records.value(collection, key, looker.at);
    const {rows, failing: fails} = tryFetch(reader, looker, fetch, key, undefined, value);
    const failing = fails === 1 ? rows.find(r => r.matchesNew === false) : undefined;
    if (!failing?.wants.startsWith('= ')) continue;
    const apart = editDistance(stripEquals(failing.wants), failing.new ?? '');
    if (!isLikelyTypo(stripEquals(failing.wants), failing.new ?? '')) continue;
    if (!best || apart < best.apart || (apart === best.apart && key < best.key))
      best = {collection, key, rows, failing, apart};
  }
  return best;
}

/** "The nearest is Pods/x: it has labels.app payments where the fetch wants paymints." */
export function nearMissParts({collection, key, failing}: NearMiss): SentencePart[] {
  return [
    text(' The nearest is '),
    item({collection, key}, 'cause'),
    text(`: it has ${failing.clause} `),
    code(failing.new ?? 'none', 'error'),
    text(' where the fetch wants '),
    code(stripEquals(failing.wants)),
    text('.'),
  ];
}
