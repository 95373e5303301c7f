// Finds the items that could have read an object for the asked item: the item itself, or one that it is computed from.
// It follows chains, joins, indexes, status rows and fetches of computed rows.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {FilterEvaluation} from '../evidence/filter-evaluation.ts';
import {tryFetch} from '../evidence/filter-try.ts';
import {isFromNothing} from '../evidence/question-subject.ts';
import type {CollectionFacts, RecordedFetch, RecordedRun, Records} from '../records.ts';
import {type ExpectedMember, expectedMemberOf, nearestReader} from './index-member.ts';

/** Items that one search visits, members of one index row, and objects of one fetch. */
const MAX_ITEMS = 400;
const MAX_MEMBERS = 200;
const MAX_KEYS = 24;
/** Routes from one object to another. */
const MAX_WAYS = 12;

/** One item on a route, with the input whose runs explain it. */
export interface ReaderNode {
  readonly facts: CollectionFacts;
  readonly collection: string;
  readonly key: string;
  readonly input: string;
  readonly run: RecordedRun | undefined;
}

export interface FilterTry {
  readonly fetch: RecordedFetch;
  readonly tried: FilterEvaluation;
}

export interface PossibleReader {
  /** From the asked item to the reading one. */
  readonly route: readonly ReaderNode[];
  readonly looker: ReaderNode;
  /** The expected object is its input or a part of it, or a filter matches the object. */
  readonly used: boolean;
  /** It reads the collection by a fetch; else as its input or part. */
  readonly best: FilterTry | undefined;
  /** A fetch of rows that are computed from the expected collection, without one from the expected object. */
  readonly beyond?: RecordedFetch | undefined;
  /** For an index row without the expected object: the item that would have been in it. */
  readonly meant?: ExpectedMember | undefined;
}

function isView({kind}: CollectionFacts): boolean {
  return kind === 'join' || kind === 'map' || kind === 'index' || kind === 'status';
}

function nodeOf(
  records: Records,
  collection: string,
  key: string,
  at?: number,
  known?: string,
): ReaderNode | undefined {
  const facts = records.collection(collection, at);
  if (!facts || (facts.parents.length === 0 && !isFromNothing(facts))) return undefined;
  const input = isView(facts) ? key : (known ?? records.inputsOf(collection, key, at)[0] ?? key);
  return {facts, collection, key, input, run: records.lastRun(collection, input, at)};
}

/** Collections that are computed from the expected one. */
function collectionsReachableFrom(records: Records, collection: string, at?: number): ReadonlySet<string> {
  const reached = new Set<string>();
  const edges = records.edges(at);
  const queue = [collection];
  for (let name = queue.pop(); name !== undefined; name = queue.pop())
    for (const edge of edges)
      if (edge.from === name && !reached.has(edge.to)) {
        reached.add(edge.to);
        queue.push(edge.to);
      }
  return reached;
}

/** The fetch that came nearest to the expected object. */
function bestFilterTry(
  reader: RerunReader,
  node: ReaderNode,
  expected: ItemRef,
  old: unknown,
  now: unknown,
): FilterTry | undefined {
  const score = (t: FilterEvaluation): number => (t.matchesNew ? -2 : t.matchesOld ? -1 : t.failing);
  let best: FilterTry | undefined;
  for (const fetch of node.run?.fetches ?? []) {
    if (fetch.collection !== expected.collection) continue;
    const tried = tryFetch(reader, node, fetch, expected.key, old, now);
    if (!best || score(tried) < score(best.tried)) best = {fetch, tried};
  }
  return best;
}

/** The items that one is computed from: its input or parts, then the computed rows that it fetched. */
function* itemsMadeFrom(records: Records, node: ReaderNode, at?: number): Generator<ReaderNode> {
  const {facts, key, input} = node;
  const inputs =
    facts.kind === 'index' ? records.inputsOf(node.collection, key, at).slice(0, MAX_MEMBERS) : [input];
  for (const parent of facts.parents)
    for (const one of inputs) {
      if (!records.has(parent, one, at) && !records.hasInput(parent, one, at)) continue;
      const found = nodeOf(records, parent, one, at);
      if (found) yield found;
    }
  for (const fetch of node.run?.fetches ?? [])
    for (const one of fetch.keys.slice(0, MAX_KEYS)) {
      const found = nodeOf(records, fetch.collection, one, at);
      if (found) yield found;
    }
}

function possibleReaderOf(
  reader: RerunReader,
  route: readonly ReaderNode[],
  expected: ItemRef,
  versions: {old: unknown; now: unknown},
  at?: number,
): PossibleReader | undefined {
  const looker = route[route.length - 1] as ReaderNode;
  const {facts, collection, key, input} = looker;
  const {records} = reader;
  if (facts.parents.includes(expected.collection)) {
    const own =
      facts.kind === 'index'
        ? records.inputsOf(collection, key, at).includes(expected.key)
        : input === expected.key;
    const exists = records.has(expected.collection, expected.key, at) || versions.old !== undefined;
    if (own && exists) return {route, looker, used: true, best: undefined};
  }
  const best = bestFilterTry(reader, looker, expected, versions.old, versions.now);
  if (best) return {route, looker, used: best.tried.matchesNew === true, best};
  return facts.parents.includes(expected.collection)
    ? {route, looker, used: false, best: undefined}
    : undefined;
}

/** The items that use the expected object, the nearest first, else the nearest item that reads its collection. */
export function findPossibleReaders(
  reader: RerunReader,
  asked: ItemRef & {readonly input?: string | undefined},
  expected: ItemRef,
  versions: {old: unknown; now: unknown},
  at?: number,
): readonly PossibleReader[] {
  const {records} = reader;
  const first = nodeOf(records, asked.collection, asked.key, at, asked.input);
  if (!first) return [];
  const used: PossibleReader[] = [];
  const reached = collectionsReachableFrom(records, expected.collection, at);
  const seen = new Set([`${first.collection}\n${first.key}`]);
  const queue: ReaderNode[][] = [[first]];
  const reads: PossibleReader[] = [];
  for (let next = 0; next < queue.length; next++) {
    const route = queue[next] as ReaderNode[];
    const look = possibleReaderOf(reader, route, expected, versions, at);
    if (look?.used) used.push(look);
    if (used.length >= MAX_WAYS) break;
    // The nearest item explains it. In an index row that need not be the first one.
    if (look && (reads.length === 0 || first.facts.kind === 'index')) reads.push(look);
    for (const node of itemsMadeFrom(records, route[route.length - 1] as ReaderNode, at)) {
      const id = `${node.collection}\n${node.key}`;
      if (seen.size >= MAX_ITEMS || seen.has(id) || !reached.has(node.collection)) continue;
      seen.add(id);
      queue.push([...route, node]);
    }
  }
  if (used.length > 0) return used;
  const read =
    nearestReader(reads) ??
    queue.map(route => readerOfDerived(route, reached)).find(look => look !== undefined);
  if (!read) return [];
  const isMember = first.facts.kind === 'index' && !read.best && !read.beyond;
  if (!isMember) return [read];
  return [
    {
      route: [first],
      looker: first,
      used: false,
      best: undefined,
      meant: expectedMemberOf(records, read.route, expected, at),
    },
  ];
}

/** A fetch of computed rows reads the expected collection, but found no row from the expected object. */
function readerOfDerived(
  route: readonly ReaderNode[],
  reached: ReadonlySet<string>,
): PossibleReader | undefined {
  const looker = route[route.length - 1] as ReaderNode;
  const beyond = looker.run?.fetches.find(fetch => reached.has(fetch.collection));
  return beyond && {route, looker, used: false, best: undefined, beyond};
}
