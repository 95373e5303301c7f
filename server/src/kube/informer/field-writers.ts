// Who wrote what: an object's managedFields, summarised so that they can be dropped from the object itself
// (they are more than half of a Pod's memory) and "who changed this" can still be answered.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isRecord, type KubeObject, type ManagedFieldsEntry} from '../object.ts';

/** One manager's share of an object. `paths` are as people write them: `spec.containers[name=web].image`. */
export interface Writer {
  readonly manager: string;
  readonly operation: string;
  readonly time: string;
  readonly subresource?: string;
  readonly paths: readonly string[];
}

interface PathNode {
  readonly path: string;
  readonly children: Map<string, PathNode>;
}

// Thousands of Pods have the same managers with the same paths: each path is kept once, each list of paths too.
const largestTree = 200_000;

export class WriterSummary {
  #root: PathNode = {path: '', children: new Map()};
  #nodes = 0;
  #lists = new Map<string, readonly string[]>();

  /** The writers of an object that still has its managedFields, oldest entry first as the server sent them. */
  summarise(fields: readonly ManagedFieldsEntry[] | undefined): readonly Writer[] {
    if (!Array.isArray(fields) || fields.length === 0) return none;
    if (this.#nodes > largestTree) this.#forget();
    return fields.map(entry => ({
      manager: entry.manager ?? '',
      operation: entry.operation ?? '',
      time: entry.time ?? '',
      ...(entry.subresource ? {subresource: entry.subresource} : {}),
      paths: this.#paths(entry.fieldsV1),
    }));
  }

  #forget(): void {
    this.#root = {path: '', children: new Map()};
    this.#lists = new Map();
    this.#nodes = 0;
  }

  #paths(fields: unknown): readonly string[] {
    if (!isRecord(fields)) return none;
    const paths: string[] = [];
    this.#walk(fields, this.#root, paths);
    // Pods differ by their own addresses; a list that only one object has is not worth remembering.
    if (paths.length > 64) return paths;
    const id = paths.join('\n');
    const known = this.#lists.get(id);
    if (known) return known;
    if (this.#lists.size > 20_000) this.#lists.clear();
    this.#lists.set(id, paths);
    return paths;
  }

  #walk(fields: Record<string, unknown>, at: PathNode, paths: string[]): void {
    let leaf = true;
    for (const name in fields) {
      if (name === '.') continue;
      leaf = false;
      const inner = fields[name];
      this.#walk(isRecord(inner) ? inner : {}, this.#child(at, name), paths);
    }
    if (leaf && at.path) paths.push(at.path);
  }

  #child(at: PathNode, name: string): PathNode {
    let child = at.children.get(name);
    if (!child) {
      child = {path: joinPath(at.path, name), children: new Map()};
      at.children.set(name, child);
      this.#nodes++;
    }
    return child;
  }
}

const none: readonly never[] = [];

function joinPath(parent: string, name: string): string {
  const text = name.slice(2);
  if (name.startsWith('f:')) {
    if (/[.[\]]/.test(text)) return `${parent}["${text}"]`;
    return parent ? `${parent}.${text}` : text;
  }
  if (name.startsWith('k:')) return `${parent}[${keysText(text)}]`;
  return `${parent}[${text}]`;
}

function keysText(json: string): string {
  try {
    const keys: unknown = JSON.parse(json);
    if (isRecord(keys))
      return Object.entries(keys)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(',');
  } catch {
    // Not the documented form; show it as it came.
  }
  return json;
}

/**
 * Who made this change: the manager whose entry is new, newer or owns more than before, the newest of them; where
 * times tie, the one that owns what was written. Within one second an entry may stay as it was: then whoever owns what
 * was written. Taking a field away, or asking for a deletion, leaves no trace of who did it: undefined, and never the
 * manager that the field was taken from.
 */
export function writerOf(
  writers: readonly Writer[],
  before: readonly Writer[] | undefined,
  writtenPaths: () => readonly string[],
): Writer | undefined {
  if (before === undefined) return newestOf(writers);
  const fresh = newEntriesOf(writers, before);
  const newest = newestOf(fresh);
  const tied = fresh.filter(writer => writer.time === newest?.time);
  if (tied.length === 1) return newest;
  const written = writtenPaths();
  const owns = ({paths}: Writer): boolean => paths.some(path => written.some(one => overlaps(path, one)));
  if (tied.length === 0) return newestOf(writers.filter(owns));
  return tied.findLast(owns) ?? newest;
}

/**
 * Who made an object that has taken the place of another of its name: whoever has written to it the longest, statuses apart.
 * The newest would be the kubelet, who only reports about it.
 */
export function creatorOf(writers: readonly Writer[]): Writer | undefined {
  const [first, ...others] = writers.filter(({subresource}) => subresource === undefined);
  return others.reduce((oldest, one) => (oldest && one.time < oldest.time ? one : oldest), first);
}

/** The newest writer whose entry is not as before, if there is one. */
export function latestNewWriter(writers: readonly Writer[], before: readonly Writer[]): Writer | undefined {
  return newestOf(newEntriesOf(writers, before));
}

/** Entries that are not as before; one that only lost paths is no sign of its manager's hand. */
function newEntriesOf(writers: readonly Writer[], before: readonly Writer[]): readonly Writer[] {
  return writers.filter(writer => !before.some(old => sameEntry(old, writer) || hasOnlyLost(old, writer)));
}

function hasOnlyLost(old: Writer, now: Writer): boolean {
  if (!sameManager(old, now) || old.time !== now.time) return false;
  const owned = new Set(old.paths);
  // Of a map whose last entry was taken the map itself is left.
  return now.paths.every(
    path => owned.has(path) || old.paths.some(one => one !== path && overlaps(one, path)),
  );
}

function newestOf(writers: readonly Writer[]): Writer | undefined {
  let newest = writers[0];
  for (const writer of writers) if (newest && writer.time > newest.time) newest = writer;
  return newest;
}

function sameEntry(a: Writer, b: Writer): boolean {
  return (
    sameManager(a, b) &&
    a.time === b.time &&
    (a.paths === b.paths ||
      (a.paths.length === b.paths.length && a.paths.every((path, at) => path === b.paths[at])))
  );
}

function sameManager(a: Writer, b: Writer): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}

function overlaps(owned: string, changed: string): boolean {
  return (
    owned === changed ||
    (owned.startsWith(changed) && /[.[]/.test(owned[changed.length] ?? '')) ||
    changed.startsWith(`${owned}.`)
  );
}

/** Paths at which something was written, lists as a whole; not those where something was only taken away. */
export function writtenPaths(old: KubeObject, now: KubeObject): string[] {
  const found: string[] = [];
  collectWritten(old, now, '', found);
  return found.filter(path => path !== 'metadata.resourceVersion' && path !== 'metadata.generation');
}

function collectWritten(old: unknown, now: unknown, path: string, found: string[]): void {
  if (now === undefined || deepEqual(old, now)) return;
  if (!isRecord(now) || (path !== '' && old !== undefined && !isRecord(old))) found.push(path);
  else if (old === undefined && Object.keys(now).length === 0) found.push(path);
  else
    for (const name in now)
      collectWritten(isRecord(old) ? old[name] : undefined, now[name], joinPath(path, `f:${name}`), found);
}
