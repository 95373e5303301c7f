// Finds the part of a join, map or index row that made the difference.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsAt} from '../evidence/graph-at.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import type {RecordedChange, Records} from '../records.ts';
import {type WeightedCause, weightsOf} from './decisive-causes.ts';
import type {ExplainTarget, WritePlace} from './explain-target.ts';
import {followedWrite, isBroughtBy} from './heaviest-write.ts';

export interface DecisiveParts {
  readonly faith: RerunFidelity;
  readonly causes: readonly WeightedCause[];
  readonly followed: WeightedCause | undefined;
  /** The write that the hops above follow. */
  readonly write?: WritePlace | undefined;
}

/** The changes of the same batch that led to this one, in the order of the members and keys. */
function partsOf(records: Records, change: RecordedChange): RecordedChange[] {
  const batch = records.batch(change.sequence);
  if (!batch || change.from === undefined) return [];
  const parents = factsAt(records, change.collection, change.sequence)?.parents ?? [];
  const parts = [...new Set(change.from)].map(place => batch.change(place));
  return parts.sort(
    (a, b) =>
      parents.indexOf(a.collection) - parents.indexOf(b.collection) ||
      (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
}

const causeOf = (change: RecordedChange): WeightedCause['cause'] => ({
  kind: 'input',
  collection: change.collection,
  key: change.key,
  event: change.event,
  ...(change.run === undefined ? {} : {run: change.run}),
});

function toWeightedCauses(
  parts: readonly RecordedChange[],
  first: RecordedChange | undefined,
): WeightedCause[] {
  return parts.map(change => ({
    cause: causeOf(change),
    change,
    weight: change === first ? 'needed' : 'also-needed',
  }));
}

function withFollowed(faith: RerunFidelity, causes: readonly WeightedCause[]): DecisiveParts {
  const followed =
    causes.find(one => one.weight === 'needed') ?? causes.find(one => one.weight === 'either') ?? causes[0];
  return {faith, causes, followed};
}

export function findDecisiveParts(
  reader: RerunReader,
  change: RecordedChange,
  target: ExplainTarget,
): DecisiveParts {
  const {records} = reader;
  // The row has outlived its batch, so its parts of that time are not kept.
  if (change.sequence < records.oldest())
    return {faith: {repeat: 'none', note: 'its batch is no longer kept'}, causes: [], followed: undefined};
  const parts = partsOf(records, change);
  const facts = factsAt(records, change.collection, change.sequence);
  const found =
    facts?.kind === 'index'
      ? decisiveIndexParts(reader, change, parts)
      : (decisiveMergeParts(reader, change, parts, target) ?? decisiveJoinParts(records, change, parts));
  return partOfWrite(records, found, followedWrite(target, change.sequence));
}

/** Prefers the part that the write of the hops above brought, if it was needed. */
function partOfWrite(records: Records, found: DecisiveParts, write: WritePlace | undefined): DecisiveParts {
  const brought = found.causes.find(
    ({change, weight}) =>
      (weight === 'needed' || weight === 'also-needed') && change && isBroughtBy(records, change, write),
  );
  return brought ? {...found, followed: brought, write} : found;
}

/** An added or removed member counts before a changed one. */
function decisiveIndexParts(
  {records: {formulas}}: RerunReader,
  change: RecordedChange,
  parts: readonly RecordedChange[],
): DecisiveParts {
  const isIn = (value: unknown): boolean =>
    value !== undefined && formulas?.groups(change.collection, value)?.includes(change.key) !== false;
  const moved = parts.find(part => isIn(part.old) !== isIn(part.new));
  return withFollowed({repeat: 'same'}, toWeightedCauses(parts, moved ?? parts[0]));
}

/** In a join without a merge the first member with the key wins. */
function decisiveJoinParts(
  records: Records,
  change: RecordedChange,
  parts: readonly RecordedChange[],
): DecisiveParts {
  const winner = factsAt(records, change.collection, change.sequence)?.parents.find(parent =>
    records.has(parent, change.key, change.sequence),
  );
  const first = parts.find(part => part.collection === winner) ?? parts[0];
  const causes = parts.map(
    (part): WeightedCause => ({
      cause: causeOf(part),
      change: part,
      weight: part === first ? 'needed' : 'not-needed',
    }),
  );
  return withFollowed({repeat: 'same'}, causes);
}

/** Repeats the merge with one part undone. Undefined without a merge. */
function decisiveMergeParts(
  {records}: RerunReader,
  change: RecordedChange,
  parts: readonly RecordedChange[],
  target: ExplainTarget,
): DecisiveParts | undefined {
  const {formulas} = records;
  const parents = factsAt(records, change.collection, change.sequence)?.parents ?? [];
  const merged = (undone: readonly RecordedChange[]): unknown => {
    const items = parents.flatMap(parent => {
      const other = undone.find(one => one.collection === parent && one.key === change.key);
      const value = other ? other.old : records.value(parent, change.key, change.sequence);
      return value === undefined ? [] : [value];
    });
    return formulas?.view(change.collection, items, change.sequence);
  };
  const base = merged([]) as {item?: unknown; error?: string} | undefined;
  if (base === undefined) return undefined;
  if (base.error !== undefined || !deepEqual(base.item, change.new)) {
    const faith: RerunFidelity = {repeat: 'differs', note: 'the merge, repeated, gives another row'};
    const causes = parts.map(part => ({cause: causeOf(part), change: part, weight: 'unknown' as const}));
    return withFollowed(faith, causes);
  }
  const askedIn = (made: unknown): unknown => {
    const item = (made as {item?: unknown}).item;
    return target.kind === 'field' ? readPath(item, target.path) : item;
  };
  const asked = askedIn(base);
  const weights = weightsOf(parts, undone => !deepEqual(asked, askedIn(merged(undone))));
  const causes = parts.map(
    (part, at): WeightedCause => ({cause: causeOf(part), change: part, weight: weights[at] ?? 'unknown'}),
  );
  return withFollowed({repeat: 'same'}, causes);
}
