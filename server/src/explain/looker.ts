// Who could have looked at an object on behalf of an item: the item itself, or one of those that it is made from, through
// chains, joins, indexes, statuses and fetches of what is computed.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {type Evaluated, evaluate} from './clauses.ts';
import {type Meant, meantBy, nearestLook} from './member.ts';
import type {Reader} from './reads.ts';
import type {CollectionFacts, RecordedFetch, RecordedRun, Records} from './records.ts';
import {isFromNothing} from './subject.ts';

/** Items that are looked at on the way, members of one index row, and objects of one fetch. */
const MOST = 400;
const MEMBERS = 200;
const KEYS = 24;
/** Ways by which one object reaches another. */
const WAYS = 12;

/** One item on the way, with the input whose runs speak of it. */
export interface Node {
  readonly facts: CollectionFacts;
  readonly collection: string;
  readonly key: string;
  readonly input: string;
  readonly run: RecordedRun | undefined;
}

export interface Try {
  readonly fetch: RecordedFetch;
  readonly tried: Evaluated;
}

export interface Look {
  /** From the asked item to the one that looks. */
  readonly route: readonly Node[];
  readonly looker: Node;
  /** The expected one is its input or a part of it, or a filter of it matches it as it is. */
  readonly used: boolean;
  /** It reads the collection by a fetch; else as its input or part. */
  readonly best: Try | undefined;
  /** What it asked of a collection that is made from the expected one's, and that found nothing of it. */
  readonly beyond?: RecordedFetch | undefined;
  /** Of an index row that holds nothing of the expected one: what would have been in it. */
  readonly meant?: Meant | undefined;
}

/** The run whose fetch is looked at. */
export interface Looking {
  readonly run: RecordedRun | undefined;
}

/** Tries a filter on two versions of an object; the engine's own word counts where the run can be repeated. */
export function tryFetch(
  reader: Reader,
  {run}: Looking,
  fetch: RecordedFetch,
  key: string,
  old: unknown,
  now: unknown,
): Evaluated {
  const version = (value: unknown) =>
    value === undefined ? undefined : {key, value, tested: reader.test(run, fetch, key, value)};
  const complete = fetch.matched <= fetch.keys.length;
  return evaluate(fetch.clauses, version(old), version(now), new Set(fetch.keys), complete);
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
): Node | undefined {
  const facts = records.collection(collection, at);
  if (!facts || (facts.parents.length === 0 && !isFromNothing(facts))) return undefined;
  const input = isView(facts) ? key : (known ?? records.inputsOf(collection, key, at)[0] ?? key);
  return {facts, collection, key, input, run: records.lastRun(collection, input, at)};
}

/** Collections that what is expected can reach at all. */
function reachedFrom(records: Records, collection: string, at?: number): ReadonlySet<string> {
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

/** The fetch that came nearest to the expected one. */
function bestTry(reader: Reader, node: Node, expected: ItemRef, old: unknown, now: unknown): Try | undefined {
  const score = (t: Evaluated): number => (t.matchesNew ? -2 : t.matchesOld ? -1 : t.failing);
  let best: Try | undefined;
  for (const fetch of node.run?.fetches ?? []) {
    if (fetch.collection !== expected.collection) continue;
    const tried = tryFetch(reader, node, fetch, expected.key, old, now);
    if (!best || score(tried) < score(best.tried)) best = {fetch, tried};
  }
  return best;
}

/** The items that one is made from: its input or parts, then what it fetched of what is computed. */
function* above(records: Records, node: Node, at?: number): Generator<Node> {
  const {facts, key, input} = node;
  const inputs =
    facts.kind === 'index' ? records.inputsOf(node.collection, key, at).slice(0, MEMBERS) : [input];
  for (const parent of facts.parents)
    for (const one of inputs) {
      if (!records.has(parent, one, at) && !records.hasInput(parent, one, at)) continue;
      const found = nodeOf(records, parent, one, at);
      if (found) yield found;
    }
  for (const fetch of node.run?.fetches ?? [])
    for (const one of fetch.keys.slice(0, KEYS)) {
      const found = nodeOf(records, fetch.collection, one, at);
      if (found) yield found;
    }
}

function lookOf(
  reader: Reader,
  route: readonly Node[],
  expected: ItemRef,
  versions: {old: unknown; now: unknown},
  at?: number,
): Look | undefined {
  const looker = route[route.length - 1] as Node;
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
  const best = bestTry(reader, looker, expected, versions.old, versions.now);
  if (best) return {route, looker, used: best.tried.matchesNew === true, best};
  return facts.parents.includes(expected.collection)
    ? {route, looker, used: false, best: undefined}
    : undefined;
}

/** Those that use the expected one, the nearest first, else the nearest that reads its collection; none: nobody does. */
export function findLooks(
  reader: Reader,
  asked: ItemRef & {readonly input?: string | undefined},
  expected: ItemRef,
  versions: {old: unknown; now: unknown},
  at?: number,
): readonly Look[] {
  const {records} = reader;
  const first = nodeOf(records, asked.collection, asked.key, at, asked.input);
  if (!first) return [];
  const used: Look[] = [];
  const reached = reachedFrom(records, expected.collection, at);
  const seen = new Set([`${first.collection}\n${first.key}`]);
  const queue: Node[][] = [[first]];
  const reads: Look[] = [];
  for (let next = 0; next < queue.length; next++) {
    const route = queue[next] as Node[];
    const look = lookOf(reader, route, expected, versions, at);
    if (look?.used) used.push(look);
    if (used.length >= WAYS) break;
    // Of all that could have looked the nearest tells; of the items in an index row it is not the first.
    if (look && (reads.length === 0 || first.facts.kind === 'index')) reads.push(look);
    for (const node of above(records, route[route.length - 1] as Node, at)) {
      const id = `${node.collection}\n${node.key}`;
      if (seen.size >= MOST || seen.has(id) || !reached.has(node.collection)) continue;
      seen.add(id);
      queue.push([...route, node]);
    }
  }
  if (used.length > 0) return used;
  const read =
    nearestLook(reads) ?? queue.map(route => beyondOf(route, reached)).find(look => look !== undefined);
  if (!read) return [];
  const isMember = first.facts.kind === 'index' && !read.best && !read.beyond;
  if (!isMember) return [read];
  return [
    {
      route: [first],
      looker: first,
      used: false,
      best: undefined,
      meant: meantBy(records, read.route, expected, at),
    },
  ];
}

/** Its collection is read all the same, by what is made from it: a filter in between found nothing of it. */
function beyondOf(route: readonly Node[], reached: ReadonlySet<string>): Look | undefined {
  const looker = route[route.length - 1] as Node;
  const beyond = looker.run?.fetches.find(fetch => reached.has(fetch.collection));
  return beyond && {route, looker, used: false, best: undefined, beyond};
}
