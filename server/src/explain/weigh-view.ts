// Which part of a row without a run made the difference: of a join, a map or an index.
import {readPath} from '@krtscope/shared/path.ts';
import {same} from './diff.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, Records} from './records.ts';
import type {Faith} from './repeat.ts';
import {factsThen} from './then.ts';
import {type Target, type WeighedCause, weightsOf} from './weigh.ts';

export interface WeighedParts {
  readonly faith: Faith;
  readonly causes: readonly WeighedCause[];
  readonly followed: WeighedCause | undefined;
}

/** The changes of the same batch that led to this one, each counted once, in the order of the members and then of keys. */
function partsOf(records: Records, change: RecordedChange): RecordedChange[] {
  const batch = records.batch(change.sequence);
  if (!batch || change.from === undefined) return [];
  const parents = factsThen(records, change.collection, change.sequence)?.parents ?? [];
  const parts = [...new Set(change.from)].map(place => batch.change(place));
  return parts.sort(
    (a, b) =>
      parents.indexOf(a.collection) - parents.indexOf(b.collection) ||
      (a.key < b.key ? -1 : a.key > b.key ? 1 : 0),
  );
}

const causeOf = (change: RecordedChange): WeighedCause['cause'] => ({
  kind: 'input',
  collection: change.collection,
  key: change.key,
  event: change.event,
  ...(change.run === undefined ? {} : {run: change.run}),
});

function asWeighed(parts: readonly RecordedChange[], first: RecordedChange | undefined): WeighedCause[] {
  return parts.map(change => ({
    cause: causeOf(change),
    change,
    weight: change === first ? 'needed' : 'also-needed',
  }));
}

function following(faith: Faith, causes: readonly WeighedCause[]): WeighedParts {
  const followed =
    causes.find(one => one.weight === 'needed') ?? causes.find(one => one.weight === 'either') ?? causes[0];
  return {faith, causes, followed};
}

export function weighView(reader: Reader, change: RecordedChange, target: Target): WeighedParts {
  const {records} = reader;
  // Its parts as they were then are not kept: a row of which nothing changed since has outlived its batch.
  if (change.sequence < records.oldest())
    return {faith: {repeat: 'none', note: 'its batch is no longer kept'}, causes: [], followed: undefined};
  const parts = partsOf(records, change);
  const facts = factsThen(records, change.collection, change.sequence);
  if (facts?.kind === 'index') return weighIndex(reader, change, parts);
  return weighMerge(reader, change, parts, target) ?? weighJoin(records, change, parts);
}

/** The member that came or left before one that merely changed. */
function weighIndex(
  {records: {formulas}}: Reader,
  change: RecordedChange,
  parts: readonly RecordedChange[],
): WeighedParts {
  const isIn = (value: unknown): boolean =>
    value !== undefined && formulas?.groups(change.collection, value)?.includes(change.key) !== false;
  const moved = parts.find(part => isIn(part.old) !== isIn(part.new));
  return following({repeat: 'same'}, asWeighed(parts, moved ?? parts[0]));
}

/** Of a join without a merge the first member that has the key counts. */
function weighJoin(records: Records, change: RecordedChange, parts: readonly RecordedChange[]): WeighedParts {
  const winner = factsThen(records, change.collection, change.sequence)?.parents.find(parent =>
    records.has(parent, change.key, change.sequence),
  );
  const first = parts.find(part => part.collection === winner) ?? parts[0];
  const causes = parts.map(
    (part): WeighedCause => ({
      cause: causeOf(part),
      change: part,
      weight: part === first ? 'needed' : 'not-needed',
    }),
  );
  return following({repeat: 'same'}, causes);
}

/** The merge once more with one part as it was. Undefined where there is none. */
function weighMerge(
  {records}: Reader,
  change: RecordedChange,
  parts: readonly RecordedChange[],
  target: Target,
): WeighedParts | undefined {
  const {formulas} = records;
  const parents = factsThen(records, change.collection, change.sequence)?.parents ?? [];
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
  if (base.error !== undefined || !same(base.item, change.new)) {
    const faith: Faith = {repeat: 'differs', note: 'the merge, repeated, gives another row'};
    const causes = parts.map(part => ({cause: causeOf(part), change: part, weight: 'unknown' as const}));
    return following(faith, causes);
  }
  const askedIn = (made: unknown): unknown => {
    const item = (made as {item?: unknown}).item;
    return target.kind === 'field' ? readPath(item, target.path) : item;
  };
  const asked = askedIn(base);
  const weights = weightsOf(parts, undone => !same(asked, askedIn(merged(undone))));
  const causes = parts.map(
    (part, at): WeighedCause => ({cause: causeOf(part), change: part, weight: weights[at] ?? 'unknown'}),
  );
  return following({repeat: 'same'}, causes);
}

/** The row of a view with one of its parts as it is given; undefined where that cannot be told. */
export function viewWith(
  {records}: Reader,
  change: RecordedChange,
  part: RecordedChange,
  value: unknown,
): {readonly value: unknown} | undefined {
  const {formulas} = records;
  const facts = factsThen(records, change.collection, change.sequence);
  if (facts?.kind === 'index') {
    const row = (change.new ?? change.old) as {objects?: readonly unknown[]} | undefined;
    if (row?.objects === undefined) return undefined;
    const now = change.new === undefined ? [] : row.objects;
    const others = now.filter(one => !same(one, part.new));
    const groups = value === undefined ? [] : formulas?.groups(change.collection, value);
    const objects = groups?.includes(change.key) ? [...others, value] : others;
    return {value: objects.length === 0 ? undefined : {...row, objects}};
  }
  const items = (facts?.parents ?? []).flatMap(parent => {
    const own = parent === part.collection ? value : records.value(parent, change.key, change.sequence);
    return own === undefined ? [] : [own];
  });
  if (items.length === 0) return {value: undefined};
  const made = formulas?.view(change.collection, items, change.sequence);
  if (made?.error !== undefined) return undefined;
  return {value: made === undefined ? items[0] : made.item};
}
