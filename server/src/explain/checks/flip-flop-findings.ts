// Finds rows that alternate between two values, from the changes of the last minute.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {objectName} from '@krtscope/shared/object-name.ts';
import {rankChanges} from '../evidence/change-rank.ts';
import {changedPaths} from '../evidence/diff.ts';
import {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedChange, Records} from '../records.ts';
import {causeChainOfChange, causeChainOfRun} from '../why/cause-chain.ts';
import {flipFlopWords} from '../wording/work-check-sentence.ts';
import {type CheckContext, type CheckSteps, type Finding, MINUTE} from './finding.ts';

/** Fewer turns within the minute may be an accident. */
const MIN_TURNS = 4;
/** Changes that are compared, the newest first. */
const MAX_CHANGES = 20_000;

interface Alternation {
  readonly last: RecordedChange;
  readonly before: RecordedChange | undefined;
  readonly turns: number;
  readonly since: number;
}

/** Computed rows that changed often in the minute. */
function* findChangedItems({
  records,
  at,
  now,
}: CheckContext): CheckSteps<Map<string, {collection: string; key: string}>> {
  const derived = new Set(
    records
      .collections(at)
      // A row of an index only repeats what its items do.
      .filter(c => c.kind !== 'index' && (c.parents.length > 0 || c.kind === 'singleton'))
      .map(c => c.name),
  );
  const counts = new Map<string, {collection: string; key: string; changes: number}>();
  let looked = 0;
  for (let sequence = at; sequence >= records.oldest() && looked < MAX_CHANGES; sequence--) {
    const batch = records.batch(sequence);
    if (!batch) continue;
    if (batch.at < now - MINUTE) break;
    for (let place = 0; place < batch.changeCount && looked < MAX_CHANGES; place++, looked++) {
      yield;
      const {collection, key, event} = batch.change(place);
      if (event !== 'update' || !derived.has(collection)) continue;
      const id = `${collection}\n${key}`;
      const entry = counts.get(id);
      if (entry) entry.changes++;
      else counts.set(id, {collection, key, changes: 1});
    }
  }
  return new Map([...counts].filter(([, {changes}]) => changes > MIN_TURNS));
}

/** How often a row went back to its earlier value, up to its last change. */
function alternationOf(
  {records, at, now}: CheckContext,
  collection: string,
  key: string,
): Alternation | undefined {
  let last: RecordedChange | undefined;
  let before: RecordedChange | undefined;
  let after: RecordedChange | undefined;
  let turns = 0;
  let since = now;
  for (const change of records.changesOf(collection, key, at)) {
    if (change.at < now - MINUTE) break;
    if (after !== undefined) {
      if (change.event !== 'update' || after.new === undefined || !deepEqual(change.old, after.new)) break;
      turns++;
      before ??= change;
    } else if (change.event !== 'update') return undefined;
    last ??= change;
    since = change.at;
    after = change;
  }
  return last && turns >= MIN_TURNS ? {last, before, turns, since} : undefined;
}

/** Rows that alternate for the same reason are one finding, whatever their collections. */
export function* flipFlopFindings(context: CheckContext): CheckSteps<Finding[]> {
  const {records, at} = context;
  const changed = yield* findChangedItems(context);
  const places = new Map(records.collections(at).map(({name}, place) => [name, place]));
  const placeOf = ({last}: Alternation): number => places.get(last.collection) ?? 0;
  // Of the rows that follow from one cause, name the one nearest to it.
  const nearest = (a: Alternation, b: Alternation): number =>
    b.turns - a.turns || placeOf(a) - placeOf(b) || (objectName(a.last) < objectName(b.last) ? -1 : 1);
  const reader = new RerunReader(records);
  const groups = new Map<string, {alternations: Alternation[]; causes: ChangedItem[]}>();
  for (const {collection, key} of changed.values()) {
    yield;
    const alternation = records.has(collection, key, at)
      ? alternationOf(context, collection, key)
      : undefined;
    if (alternation === undefined) continue;
    const causes = causesOf(reader, alternation);
    const id = causes.length > 0 ? causes.map(objectName).join('\n') : `${collection}\n${key}`;
    const group = groups.get(id);
    if (group) group.alternations.push(alternation);
    else groups.set(id, {alternations: [alternation], causes});
  }
  for (const [id, {alternations, causes}] of groups) {
    const home = groupOfPods(context, causes, groups.values());
    if (home === undefined) continue;
    home.alternations.push(...alternations);
    groups.delete(id);
  }
  return [...groups.values()]
    .map(({alternations, causes}) => flipFlopFinding(alternations.sort(nearest), causes))
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || (a.message < b.message ? -1 : 1))
    .slice(0, 10);
}

interface AlternationGroup {
  readonly alternations: Alternation[];
  readonly causes: readonly ChangedItem[];
}

/** An EndpointSlice repeats what its Pods do: one flapping Pod is one finding. */
function groupOfPods(
  {records, at}: CheckContext,
  causes: readonly ChangedItem[],
  all: Iterable<AlternationGroup>,
): AlternationGroup | undefined {
  const [slice] = causes;
  if (slice?.collection !== 'EndpointSlices') return undefined;
  const {endpoints = []} = (records.value(slice.collection, slice.key, at) ?? {}) as {
    endpoints?: readonly {targetRef?: {namespace?: string; name?: string}}[];
  };
  const pods = new Set(endpoints.map(({targetRef}) => `${targetRef?.namespace}/${targetRef?.name}`));
  return [...all].find(({causes: [pod]}) => pod?.collection === 'Pods' && pods.has(pod.key));
}

type ChangedItem = Pick<RecordedChange, 'collection' | 'key'>;

function flipFlopFinding(alternations: readonly Alternation[], causes: readonly ChangedItem[]): Finding {
  const [{last, turns, since}] = alternations as [Alternation, ...Alternation[]];
  const [path] = rankChanges(changedPaths(last.old, last.new));
  const seconds = Math.max(1, Math.round((last.at - since) / 1000));
  const [only] = causes.length === 1 ? causes : [];
  // The alternating object stands for all rows that follow it.
  const own = alternations.filter(alternation => alternation.last.collection === last.collection);
  return {
    code: 'flip-flop',
    severity: 'warning',
    collection: only?.collection ?? last.collection,
    keys: only ? [only.key] : own.slice(0, 100).map(alternation => alternation.last.key),
    ...flipFlopWords({
      row: last,
      path,
      times: turns + 1,
      seconds,
      others: alternations.length - 1,
      causes,
    }),
    count: turns + 1,
    sequence: last.sequence,
    at: last.at,
    evidence: {item: {collection: last.collection, key: last.key}},
  };
}

/** The writes behind the last two turns. */
function causesOf(reader: RerunReader, {last, before}: Alternation): ChangedItem[] {
  const {records} = reader;
  const found = new Map<string, ChangedItem>();
  for (const change of [before, last]) {
    const origin = change && originOf(reader, records, change);
    if (origin) found.set(objectName(origin), {collection: origin.collection, key: origin.key});
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin);
}

function originOf(reader: RerunReader, records: Records, change: RecordedChange): ChangedItem | undefined {
  const run = change.run === undefined ? undefined : records.runById(change.run);
  const hops = run
    ? causeChainOfRun(reader, run, {kind: 'row', key: change.key})
    : causeChainOfChange(reader, change);
  return hops.findLast(hop => hop.key !== '');
}
