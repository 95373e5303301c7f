// Summarises managedFields, so that "who changed this" can be answered without them. The informer drops
// managedFields from objects because they take more than half of a Pod's memory.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {isRecord, type KubeObject, type ManagedFieldsEntry} from '../object.ts';

/** The fields of one manager. Paths are readable: `spec.containers[name=web].image`. */
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

// Thousands of Pods have the same managers with the same paths. Equal paths and equal lists share memory.
const largestTree = 200_000;
const MAX_WRITERS = 10_000;

export class WriterSummary {
  #root: PathNode = {path: '', children: new Map()};
  #nodes = 0;
  #lists = new Map<string, readonly string[]>();
  /** The newest writer of each manager. Neighbours in a list were often written in the same second. */
  #writers = new Map<string, Writer>();

  /** Returns the writers in the server's order, oldest entry first. */
  summarise(fields: readonly ManagedFieldsEntry[] | undefined): readonly Writer[] {
    if (!Array.isArray(fields) || fields.length === 0) return none;
    if (this.#nodes > largestTree) this.#clear();
    return fields.map(entry => this.#writer(entry));
  }

  /** Parsed texts are not shared by themselves: names and times take more memory than the rest of a writer. */
  #writer({manager = '', operation = '', time = '', subresource = '', fieldsV1}: ManagedFieldsEntry): Writer {
    const paths = this.#paths(fieldsV1);
    const id = `${manager}\n${operation}\n${subresource}`;
    const last = this.#writers.get(id);
    if (last !== undefined && last.time === time && last.paths === paths) return last;
    const writer: Writer = {
      manager: last?.manager ?? manager,
      operation: last?.operation ?? operation,
      time: last?.time === time ? last.time : time,
      subresource: (last?.subresource ?? subresource) || undefined,
      paths,
    };
    if (last === undefined && this.#writers.size >= MAX_WRITERS) this.#writers.clear();
    this.#writers.set(id, writer);
    return writer;
  }

  #clear(): void {
    this.#root = {path: '', children: new Map()};
    this.#lists = new Map();
    this.#nodes = 0;
  }

  #paths(fields: unknown): readonly string[] {
    if (!isRecord(fields)) return none;
    const paths: string[] = [];
    this.#walk(fields, this.#root, paths);
    // Long lists usually contain a Pod's own addresses, so no other object shares them.
    if (paths.length > 64) return paths;
    const id = paths.join('\n');
    const shared = this.#lists.get(id);
    if (shared) return shared;
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
    // The key is not in the documented form. Show the raw text.
  }
  return json;
}

/**
 * Finds the writer of a change: the newest entry that is new, newer, or owns more paths than before. When times
 * tie, the owner of the written paths wins. Two writes within one second may leave an entry unchanged; then the
 * owner of the written paths is the writer. A removed field and a deletion leave no trace of their writer: the
 * result is undefined, never the manager that lost the field.
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
 * Finds the creator of an object that replaced another one of the same name: the oldest entry that is not for a
 * subresource. The newest entry would be the kubelet's, which only writes the status.
 */
export function creatorOf(writers: readonly Writer[]): Writer | undefined {
  const [first, ...others] = writers.filter(({subresource}) => subresource === undefined);
  return others.reduce((oldest, writer) => (oldest && writer.time < oldest.time ? writer : oldest), first);
}

/** Returns the newest writer whose entry has changed. */
export function latestNewWriter(writers: readonly Writer[], before: readonly Writer[]): Writer | undefined {
  return newestOf(newEntriesOf(writers, before));
}

/** Returns entries that have changed. An entry that only lost paths does not show a write by its manager. */
function newEntriesOf(writers: readonly Writer[], before: readonly Writer[]): readonly Writer[] {
  return writers.filter(writer => !before.some(old => sameEntry(old, writer) || hasOnlyLost(old, writer)));
}

function hasOnlyLost(old: Writer, now: Writer): boolean {
  if (!sameManager(old, now) || old.time !== now.time) return false;
  const owned = new Set(old.paths);
  // When the last entry of a map is removed, the path of the map itself appears.
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

/** Returns paths with added or changed values, a list as a whole. Leaves out paths that were only removed. */
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
