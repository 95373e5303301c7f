// Items that go back and forth between two values: read off the changes of the minute before.
import {chainBelowChange, chainBelowRun} from '../chain.ts';
import {changedPaths, same} from '../diff.ts';
import {Reader} from '../reads.ts';
import type {RecordedChange, Records} from '../records.ts';
import {nameOf, ranked, valueWords} from '../sentence.ts';
import {type Finding, MINUTE, type Scene, type Steps} from './finding.ts';

/** So many times back within the minute are no accident. */
const TURNS = 4;
/** Changes that are looked at, the newest first. */
const MOST = 20_000;

interface Swing {
  readonly last: RecordedChange;
  readonly before: RecordedChange | undefined;
  readonly turns: number;
  readonly since: number;
}

/** What is computed and changed in the minute, each once. */
function* changedIn({records, at, now}: Scene): Steps<Map<string, {collection: string; key: string}>> {
  const derived = new Set(
    records
      .collections(at)
      // A row of an index only repeats what its items do.
      .filter(c => c.kind !== 'index' && (c.parents.length > 0 || c.kind === 'singleton'))
      .map(c => c.name),
  );
  const counts = new Map<string, {collection: string; key: string; changes: number}>();
  let looked = 0;
  for (let sequence = at; sequence >= records.oldest() && looked < MOST; sequence--) {
    const batch = records.batch(sequence);
    if (!batch) continue;
    if (batch.at < now - MINUTE) break;
    for (let place = 0; place < batch.changeCount && looked < MOST; place++, looked++) {
      yield;
      const {collection, key, event} = batch.change(place);
      if (event !== 'update' || !derived.has(collection)) continue;
      const id = `${collection}\n${key}`;
      const held = counts.get(id);
      if (held) held.changes++;
      else counts.set(id, {collection, key, changes: 1});
    }
  }
  return new Map([...counts].filter(([, {changes}]) => changes > TURNS));
}

/** How often in a row an item went back to what it was before, up to its last change. */
function swingOf({records, at, now}: Scene, collection: string, key: string): Swing | undefined {
  let last: RecordedChange | undefined;
  let before: RecordedChange | undefined;
  let after: RecordedChange | undefined;
  let turns = 0;
  let since = now;
  for (const change of records.changesOf(collection, key, at)) {
    if (change.at < now - MINUTE) break;
    if (after !== undefined) {
      if (change.event !== 'update' || after.new === undefined || !same(change.old, after.new)) break;
      turns++;
      before ??= change;
    } else if (change.event !== 'update') return undefined;
    last ??= change;
    since = change.at;
    after = change;
  }
  return last && turns >= TURNS ? {last, before, turns, since} : undefined;
}

/** What goes back and forth for one and the same reason is one finding, whatever follows from it in which collections. */
export function* flipFlops(scene: Scene): Steps<Finding[]> {
  const {records, at} = scene;
  const changed = yield* changedIn(scene);
  const places = new Map(records.collections(at).map(({name}, place) => [name, place]));
  const placeOf = ({last}: Swing): number => places.get(last.collection) ?? 0;
  // Of what follows from one cause that is named which comes first after it.
  const nearest = (a: Swing, b: Swing): number =>
    b.turns - a.turns || placeOf(a) - placeOf(b) || (nameOf(a.last) < nameOf(b.last) ? -1 : 1);
  const reader = new Reader(records);
  const groups = new Map<string, {swings: Swing[]; causes: Origin[]}>();
  for (const {collection, key} of changed.values()) {
    yield;
    const swing = records.has(collection, key, at) ? swingOf(scene, collection, key) : undefined;
    if (swing === undefined) continue;
    const causes = causesOf(reader, swing);
    const id = causes.length > 0 ? causes.map(nameOf).join('\n') : `${collection}\n${key}`;
    const group = groups.get(id);
    if (group) group.swings.push(swing);
    else groups.set(id, {swings: [swing], causes});
  }
  for (const [id, {swings, causes}] of groups) {
    const home = homeOf(scene, causes, groups.values());
    if (home === undefined) continue;
    home.swings.push(...swings);
    groups.delete(id);
  }
  return [...groups.values()]
    .map(({swings, causes}) => flipFlop(swings.sort(nearest), causes))
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0) || (a.message < b.message ? -1 : 1))
    .slice(0, 10);
}

interface Group {
  readonly swings: Swing[];
  readonly causes: readonly Origin[];
}

/** A slice only repeats what its Pods do: one flapping Pod is one finding. */
function homeOf({records, at}: Scene, causes: readonly Origin[], all: Iterable<Group>): Group | undefined {
  const [slice] = causes;
  if (slice?.collection !== 'EndpointSlices') return undefined;
  const {endpoints = []} = (records.value(slice.collection, slice.key, at) ?? {}) as {
    endpoints?: readonly {targetRef?: {namespace?: string; name?: string}}[];
  };
  const pods = new Set(endpoints.map(({targetRef}) => `${targetRef?.namespace}/${targetRef?.name}`));
  return [...all].find(({causes: [pod]}) => pod?.collection === 'Pods' && pods.has(pod.key));
}

type Origin = Pick<RecordedChange, 'collection' | 'key'>;

function flipFlop(swings: readonly Swing[], causes: readonly Origin[]): Finding {
  const [{last, turns, since}] = swings as [Swing, ...Swing[]];
  const [path] = ranked(changedPaths(last.old, last.new));
  const values = path
    ? `${path.path} ${valueWords(path.old)} and ${path.path} ${valueWords(path.new)}`
    : 'two values';
  const seconds = Math.max(1, Math.round((last.at - since) / 1000));
  const others = swings.length > 1 ? `, and so do ${swings.length - 1} more` : '';
  const names = causes.map(nameOf);
  const why = names.length === 0 ? '' : `; ${names.length === 1 ? 'cause' : 'causes'} ${names.join(' and ')}`;
  const [only] = causes.length === 1 ? causes : [];
  // The one object that goes back and forth stands for all that follows it.
  const own = swings.filter(swing => swing.last.collection === last.collection);
  return {
    code: 'flip-flop',
    severity: 'warning',
    collection: only?.collection ?? last.collection,
    keys: only ? [only.key] : own.slice(0, 100).map(swing => swing.last.key),
    title: `Flip-flop, 2 values alternating ${turns + 1}×`,
    message: `${nameOf(last)} alternates between ${values}, ${turns + 1} times in ${seconds} s${others}${why}`,
    count: turns + 1,
    sequence: last.sequence,
    at: last.at,
    evidence: {item: {collection: last.collection, key: last.key}},
    hint: only
      ? `${nameOf(only)} goes back and forth itself: its Why says who writes it`
      : 'two writers disagree, or a formula feeds back on what it changes; compare its last two runs',
  };
}

/** What made its last two turns: the writes they go back to. */
function causesOf(reader: Reader, {last, before}: Swing): Origin[] {
  const {records} = reader;
  const found = new Map<string, Origin>();
  for (const change of [before, last]) {
    const origin = change && originOf(reader, records, change);
    if (origin) found.set(nameOf(origin), {collection: origin.collection, key: origin.key});
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, origin]) => origin);
}

function originOf(reader: Reader, records: Records, change: RecordedChange): Origin | undefined {
  const run = change.run === undefined ? undefined : records.runById(change.run);
  const hops = run
    ? chainBelowRun(reader, run, {kind: 'row', key: change.key})
    : chainBelowChange(reader, change);
  return hops.findLast(hop => hop.key !== '');
}
