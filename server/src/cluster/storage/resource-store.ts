// The objects of one resource in key order, with a log of changes. Lists objects at a past revision and
// replays watches. The storage assigns the revisions.
import type {StoredObject} from '../object/stored-object.ts';
import {ChangeLog, type LogEntry} from './change-log.ts';

/** Like etcd behind a real server, which is compacted every five minutes. */
const LOG_AGE_MS = 300_000;
/** The log is looked through when it has grown by this many changes. */
const TRIM_EVERY = 250;

type StoreListener = (entry: LogEntry) => void;

export class ResourceStore {
  readonly objects = new Map<string, StoredObject>();
  readonly listeners = new Set<StoreListener>();
  /** Changes up to this revision cannot be replayed. */
  forgotten: number;
  #keys: string[] = [];
  #sorted = true;
  readonly #log = new ChangeLog();
  readonly #limit: number;
  #trimAt: number;

  constructor(forgotten: number, logLimit: number) {
    this.forgotten = forgotten;
    this.#limit = logLimit;
    this.#trimAt = Math.min(TRIM_EVERY, Math.ceil(logLimit * 1.25));
  }

  apply(entry: LogEntry): void {
    if (entry.type === 'DELETED') {
      this.objects.delete(entry.key);
      this.#keys.splice(this.#position(entry.key), 1);
    } else {
      if (entry.type === 'ADDED') this.#insert(entry.key);
      this.objects.set(entry.key, entry.object);
    }
    this.#log.push(entry);
    if (this.#log.length >= this.#trimAt) this.#trim(entry.at);
    for (const listener of [...this.listeners]) listener(entry);
  }

  /** Adds an object without a log entry. Only for seeding. */
  seed(key: string, object: StoredObject): void {
    this.objects.set(key, object);
    this.#keys.push(key);
    this.#sorted = false;
  }

  /** Drops the log up to a revision, like etcd's compaction. */
  forget(revision: number): void {
    if (revision <= this.forgotten) return;
    this.forgotten = revision;
    this.#log.drop(revision);
  }

  #trim(now: number): void {
    const last = this.#log.lastBeyond(now - LOG_AGE_MS, this.#limit);
    if (last !== undefined) this.forget(last);
    this.#trimAt = this.#log.length + Math.min(TRIM_EVERY, Math.ceil(this.#limit / 4));
  }

  /** Changes after a revision, oldest first. */
  since(revision: number): LogEntry[] {
    return this.#log.since(revision);
  }

  /** Keys with a prefix, in order, after a given key. Cheap to stop early. */
  *keys(prefix: string, after = ''): Generator<string> {
    this.#sort();
    const start = after === '' ? prefix : after;
    for (let i = this.#position(start); i < this.#keys.length; i++) {
      const key = this.#keys[i]!;
      if (!key.startsWith(prefix)) return;
      if (key !== after) yield key;
    }
  }

  /** The objects at a revision that the log still covers. */
  *snapshot(revision: number, prefix: string, after = ''): Generator<[string, StoredObject]> {
    const past = new Map<string, StoredObject | undefined>();
    for (const entry of this.since(revision)) {
      if (!past.has(entry.key)) past.set(entry.key, entry.previous);
    }
    if (past.size === 0) {
      for (const key of this.keys(prefix, after)) yield [key, this.objects.get(key)!];
      return;
    }
    const gone = [...past.keys()].filter(
      key => !this.objects.has(key) && past.get(key) && key.startsWith(prefix) && key > after,
    );
    gone.sort();
    let next = 0;
    for (const key of this.keys(prefix, after)) {
      while (next < gone.length && gone[next]! < key) yield [gone[next]!, past.get(gone[next++]!)!];
      const object = past.has(key) ? past.get(key) : this.objects.get(key);
      if (object) yield [key, object];
    }
    for (; next < gone.length; next++) yield [gone[next]!, past.get(gone[next]!)!];
  }

  #sort(): void {
    if (this.#sorted) return;
    this.#keys.sort();
    this.#sorted = true;
  }

  #position(key: string): number {
    this.#sort();
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(key: string): void {
    const last = this.#keys.at(-1);
    if (this.#sorted && (last === undefined || last < key)) this.#keys.push(key);
    else this.#keys.splice(this.#position(key), 0, key);
  }
}
