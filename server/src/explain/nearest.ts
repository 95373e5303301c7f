// The nearest miss of a filter: how little is missing, who is right about it, and a command that would make it match.
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

/** "3 siblings of ReplicaSet x carry app=catalog; written last by kubectl-edit". */
function siblingNote(
  records: Records,
  collection: string,
  key: string,
  label: string,
  wanted: string,
  at?: number,
): string | undefined {
  const value = records.value(collection, key, at);
  const siblings = siblingsOf(records, collection, key, value, at);
  const agree = siblings.filter(s => labels(s)[label] === wanted).length;
  const owner = ownerOf(value);
  const change = records.lastChange(collection, key, at);
  const writer = change ? writerOf(change) : undefined;
  const parts: string[] = [];
  if (agree > 0)
    parts.push(
      `${agree} ${agree === 1 ? 'sibling' : 'siblings'} of ${owner?.kind ?? 'owner'} ${owner?.name ?? ''} ${agree === 1 ? 'carries' : 'carry'} ${label}=${wanted}`,
    );
  if (writer) parts.push(`written last by ${writer.manager}`);
  return parts.length > 0 ? parts.join('; ') : undefined;
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
    const command = labelCommand(expected.facts, expected.key, label, wants);
    const note = siblingNote(records, expected.facts.name, expected.key, label, wants, at);
    return {nearest: near(note), ...(command !== undefined ? {command} : {})};
  }
  if (failing.clause.startsWith('selector.')) {
    // The expected object selects by a label that the asking one does not carry: labelling that one makes it match.
    const label = failing.clause.slice('selector.'.length);
    const command = labelCommand(input.facts, input.key, label, has);
    const offered = failing.wants === 'not asked for' ? 'none' : wants;
    const nearest = {wants: has, has: offered, distance: distance(has, offered)};
    const note = input.facts ? siblingNote(records, input.facts.name, input.key, label, has, at) : undefined;
    return {
      nearest: {...nearest, ...(note !== undefined ? {note} : {})},
      ...(command !== undefined ? {command} : {}),
    };
  }
  if (failing.clause === 'key' && failing.wants.startsWith('= ')) return {nearest: near()};
  if (failing.clause === 'metadata.namespace')
    return {nearest: near('an object cannot be moved to another namespace')};
  return {};
}
