// Finds the item of an index row that a question is about: by the expected object, else by the last change.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import type {Records} from '../records.ts';
import {clauseDistance} from './nearest-match.ts';
import type {PossibleReader, ReaderNode} from './possible-readers.ts';

/** Rows of the index that one search visits. */
const ROWS = 200;

/** The item of the indexed collection that is computed from the expected object, and its row in the index. */
export interface ExpectedMember {
  readonly item: ItemRef | undefined;
  readonly row: string | undefined;
}

/** How far a lookup is from finding the expected object: failing clauses first, then letters of the first of them. */
function distanceOf({best}: PossibleReader): number {
  if (!best) return Number.POSITIVE_INFINITY;
  const failing = best.tried.rows.find(row => row.matchesNew === false);
  return best.tried.failing * 1000 + (failing ? clauseDistance(failing) : 0);
}

/** The item in an index row that came nearest. */
export function nearestReader(looks: readonly PossibleReader[]): PossibleReader | undefined {
  const [first] = looks;
  if (first === undefined) return undefined;
  const alike = looks.filter(
    ({route, looker}) => route.length === first.route.length && looker.collection === first.looker.collection,
  );
  let nearest = first;
  for (const look of alike) if (distanceOf(look) < distanceOf(nearest)) nearest = look;
  return nearest;
}

const keepsKeys = ({kind}: ReaderNode['facts']): boolean =>
  kind === 'join' || kind === 'map' || kind === 'status';

/** Follows the expected object to the indexed collection, along the route of the items in the row. */
export function expectedMemberOf(
  records: Records,
  route: readonly ReaderNode[],
  expected: ItemRef,
  at?: number,
): ExpectedMember {
  const [index, ...below] = route as [ReaderNode, ...ReaderNode[]];
  let keys: readonly string[] = [expected.key];
  for (const {collection, facts} of below.toReversed())
    keys = keys.flatMap(key =>
      keepsKeys(facts)
        ? records.has(collection, key, at)
          ? [key]
          : []
        : records.outputsOf(collection, key, at),
    );
  const collection = below[0]?.collection ?? expected.collection;
  const key = keys.find(one => records.has(collection, one, at));
  if (key === undefined) return {item: undefined, row: undefined};
  return {item: {collection, key}, row: rowContaining(records, index.collection, key, at)};
}

function rowContaining(records: Records, index: string, member: string, at?: number): string | undefined {
  let looked = 0;
  for (const row of records.keys(index, at)) {
    if (++looked > ROWS) return undefined;
    if (records.inputsOf(index, row, at).includes(member)) return row;
  }
  return undefined;
}

/** The item that an index row last followed, else the one in it that changed last. */
export function lastMember(records: Records, subject: QuestionSubject, at?: number): string | undefined {
  const {facts, change, collection, key} = subject;
  const [parent] = facts.parents;
  if (facts.kind !== 'index' || parent === undefined) return undefined;
  const from = change?.from?.[0];
  const below = from === undefined ? undefined : records.batch(change!.sequence)?.change(from);
  if (below?.collection === parent) return below.key;
  let newest: {key: string; sequence: number} | undefined;
  for (const member of records.inputsOf(collection, key, at)) {
    const sequence = records.lastChange(parent, member, at)?.sequence ?? 0;
    if (newest === undefined || sequence > newest.sequence) newest = {key: member, sequence};
  }
  return newest?.key;
}
