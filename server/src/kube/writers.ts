// Who wrote what: an object's managedFields, summarised so that they can be dropped from the object itself
// (they are more than half of a Pod's memory) and "who changed this" can still be answered.

import {isRecord, type KubeObject, type ManagedFieldsEntry} from './object.ts';

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
 * Who made this change: the manager whose entry differs from before, the newest of them; where times tie, the
 * one that owns a path that changed. When no entry is new, the one that vanished with what it owned: taking a
 * label away leaves nothing else behind. Undefined where managedFields do not tell.
 */
export function writerOf(
  writers: readonly Writer[],
  before: readonly Writer[] | undefined,
  changedPaths: () => readonly string[],
): Writer | undefined {
  const fresh = before ? freshOf(writers, before) : writers;
  const gone = fresh.length || !before ? [] : freshOf(before, writers);
  const candidates = [fresh, gone, writers].find(list => list.length > 0) ?? [];
  const newest = newestOf(candidates);
  const tied = candidates.filter(writer => writer.time === newest?.time);
  if (tied.length < 2) return newest;
  const changed = changedPaths();
  return (
    tied.findLast(writer => writer.paths.some(path => changed.some(one => overlaps(path, one)))) ?? newest
  );
}

/** The newest writer whose entry is not as before, if there is one. */
export function freshWriter(writers: readonly Writer[], before: readonly Writer[]): Writer | undefined {
  return newestOf(freshOf(writers, before));
}

function freshOf(writers: readonly Writer[], before: readonly Writer[]): readonly Writer[] {
  return writers.filter(writer => !before.some(old => sameEntry(old, writer)));
}

function newestOf(writers: readonly Writer[]): Writer | undefined {
  let newest = writers[0];
  for (const writer of writers) if (newest && writer.time > newest.time) newest = writer;
  return newest;
}

function sameEntry(a: Writer, b: Writer): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.time === b.time &&
    a.subresource === b.subresource &&
    (a.paths === b.paths ||
      (a.paths.length === b.paths.length && a.paths.every((path, at) => path === b.paths[at])))
  );
}

function overlaps(owned: string, changed: string): boolean {
  return (
    owned === changed ||
    (owned.startsWith(changed) && /[.[]/.test(owned[changed.length] ?? '')) ||
    changed.startsWith(`${owned}.`)
  );
}

/** Paths, two fields deep, at which two states of an object differ. */
export function changedPaths(old: KubeObject, now: KubeObject): string[] {
  const found: string[] = [];
  for (const top of unionKeys(old, now)) {
    const a = old[top];
    const b = now[top];
    if (same(a, b)) continue;
    if (!isRecord(a) || !isRecord(b)) found.push(top);
    else for (const field of unionKeys(a, b)) if (!same(a[field], b[field])) found.push(`${top}.${field}`);
  }
  return found.filter(path => path !== 'metadata.resourceVersion' && path !== 'metadata.generation');
}

function unionKeys(a: object, b: object): Set<string> {
  return new Set([...Object.keys(a), ...Object.keys(b)]);
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
