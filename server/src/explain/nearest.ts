// The nearest miss of a filter: how little is missing, who is right about it, and a command that would make it match.
import {writePath} from '@krtscope/shared/path.ts';
import type {Evidence, Clause as Row} from '@krtscope/shared/why.ts';
import {labels} from './clauses.ts';
import {distance} from './distance.ts';
import type {CollectionFacts, Records} from './records.ts';
import {writerOf} from './writer.ts';

interface Owner {
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

function ownerOf(value: unknown): Owner | undefined {
  const metadata = (value as {metadata?: {ownerReferences?: unknown}} | undefined)?.metadata;
  return Array.isArray(metadata?.ownerReferences) ? (metadata.ownerReferences[0] as Owner) : undefined;
}

/** Items of the collection with the same owner, itself left out; looks at one namespace's worth at most. */
export function siblingsOf(
  records: Records,
  collection: string,
  key: string,
  value: unknown,
  at?: number,
): unknown[] {
  const owner = ownerOf(value);
  if (!owner) return [];
  const found: unknown[] = [];
  for (const other of records.keys(collection, at)) {
    if (other === key) continue;
    const sibling = records.value(collection, other, at);
    const theirs = ownerOf(sibling);
    if (theirs && (theirs.uid !== undefined ? theirs.uid === owner.uid : theirs.name === owner.name))
      found.push(sibling);
    if (found.length >= 50) break;
  }
  return found;
}

/** Whether somebody can have meant the one and written the other; else a command to make them match would only harm. */
function couldBeMeant(wants: string, has: string, siblings: number): boolean {
  if (siblings > 0 || has === 'none') return true;
  return distance(wants, has) <= Math.max(2, Math.floor(Math.max(wants.length, has.length) / 3));
}

interface Kin {
  /** Siblings that carry the wanted value. */
  readonly agree: number;
  readonly note?: string;
}

/** "3 siblings of ReplicaSet x carry app=catalog; written last by kubectl-edit". */
function kinOf(
  records: Records,
  collection: string,
  key: string,
  label: string,
  wanted: string,
  at?: number,
): Kin {
  const value = records.value(collection, key, at);
  const siblings = siblingsOf(records, collection, key, value, at);
  const agree = siblings.filter(s => labels(s)[label] === wanted).length;
  const owner = ownerOf(value);
  const change = records.lastChange(collection, key, at);
  const writer = change ? writerOf(change) : undefined;
  const parts: string[] = [];
  if (agree > 0) {
    const family = `${owner?.kind ?? 'owner'} ${owner?.name ?? ''}`;
    parts.push(
      `${agree} ${agree === 1 ? 'sibling' : 'siblings'} of ${family} ${agree === 1 ? 'carries' : 'carry'} ${label}=${wanted}`,
    );
  }
  // The last to write the object need not have written this label: nobody is blamed for another's misspelling.
  const wrote = writer?.paths?.includes(writePath(['metadata', 'labels', label])) ?? true;
  if (writer && wrote) parts.push(`written last by ${writer.manager}`);
  return {agree, ...(parts.length > 0 ? {note: parts.join('; ')} : {})};
}

const bare = (wants: string): string => wants.replace(/^= /, '');

/** Plain enough to paste into any shell: names and label values of Kubernetes are, whatever else came in is quoted. */
function shell(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

/** `kubectl -n shop label pod x app=catalog --overwrite`, for an object of a kind that the cluster has. */
export function labelCommand(
  facts: CollectionFacts | undefined,
  key: string,
  label: string,
  value: string,
): string | undefined {
  const resource = facts?.resource;
  if (!resource) return undefined;
  const slash = key.indexOf('/');
  const kind = resource.group === '' ? resource.kind.toLowerCase() : `${resource.resource}.${resource.group}`;
  const where = resource.namespaced && slash > 0 ? `-n ${shell(key.slice(0, slash))} ` : '';
  return `kubectl ${where}label ${kind} ${shell(key.slice(slash + 1))} ${shell(`${label}=${value}`)} --overwrite`;
}

export interface Miss {
  readonly nearest?: NonNullable<Evidence['nearest']>;
  readonly command?: string;
}

/** What the failing clause of a fetch was nearest to. `input` is the object whose formula asked. */
export function nearestMiss(
  records: Records,
  failing: Row | undefined,
  expected: {facts: CollectionFacts; key: string},
  input: {facts: CollectionFacts | undefined; key: string},
  at?: number,
): Miss {
  if (!failing) return {};
  const has = failing.new ?? failing.old ?? 'none';
  const wants = bare(failing.wants);
  const near = (note?: string): NonNullable<Evidence['nearest']> => ({
    wants,
    has,
    distance: distance(wants, has),
    ...(note !== undefined ? {note} : {}),
  });
  if (failing.clause.startsWith('labels.')) {
    const label = failing.clause.slice('labels.'.length);
    const kin = kinOf(records, expected.facts.name, expected.key, label, wants, at);
    const command = couldBeMeant(wants, has, kin.agree)
      ? labelCommand(expected.facts, expected.key, label, wants)
      : undefined;
    return {nearest: near(kin.note), ...(command !== undefined ? {command} : {})};
  }
  if (failing.clause.startsWith('selector.')) {
    // The expected object selects by a label that the asking one does not carry: labelling that one makes it match.
    const label = failing.clause.slice('selector.'.length);
    const offered = failing.wants === 'not asked for' ? 'none' : wants;
    const kin: Kin = input.facts ? kinOf(records, input.facts.name, input.key, label, has, at) : {agree: 0};
    const command = couldBeMeant(has, offered, kin.agree)
      ? labelCommand(input.facts, input.key, label, has)
      : undefined;
    const note = kin.note === undefined ? {} : {note: kin.note};
    return {
      nearest: {wants: has, has: offered, distance: distance(has, offered), ...note},
      ...(command !== undefined ? {command} : {}),
    };
  }
  if (failing.clause === 'key' && failing.wants.startsWith('= ')) return {nearest: near()};
  if (failing.clause === 'metadata.namespace')
    return {nearest: near('an object cannot be moved to another namespace')};
  return {};
}
