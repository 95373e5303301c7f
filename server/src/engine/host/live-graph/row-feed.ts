// Feeds a reader that keeps a copy of a collection: first all rows in pieces, later only the changes.
import {type Collection, collectionByName, type Engine, type Registration} from '../../../krt/index.ts';

/** `since` names the state that the reader has; `next` continues an unfinished answer. */
export interface HostRowFeedAnswer {
  since: string;
  /** The reader must start its copy anew with this answer. */
  reset: boolean;
  /** JSON of `[key, value][]`. Main passes it on without reading it. */
  rows: string;
  gone: string[];
  synced: boolean;
  next?: string;
}

const PIECE = 500;
/** A feed without a reader is dropped after so many questions. */
const IDLE = 200;
/** The maximum number of readers that fill their copies at once. With more, the oldest must start again. */
const AT_ONCE = 4;

/** All rows at the time of a reader's first question. */
interface RowFeedSnapshot {
  readonly rows: readonly [string, unknown][];
  readonly since: number;
}

class CollectionRowFeed {
  readonly collection: Collection<unknown>;
  readonly #registration: Registration;
  readonly #values = new Map<string, unknown>();
  /** When each key last changed. Cleared when it has more entries than the collection has rows. */
  #changed = new Map<string, number>();
  #oldest = 0;
  #count = 0;
  /** Unfinished snapshots by number. */
  readonly #snapshots = new Map<number, RowFeedSnapshot>();
  #begun = 0;
  used = 0;

  constructor(collection: Collection<unknown>) {
    this.collection = collection;
    this.#registration = collection.registerBatch(changes => {
      this.#count += 1;
      for (const {key, event, new: value} of changes) {
        if (event === 'delete') this.#values.delete(key);
        else this.#values.set(key, value);
        this.#changed.set(key, this.#count);
      }
      if (this.#changed.size <= 2 * this.#values.size + PIECE) return;
      this.#changed = new Map();
      this.#oldest = this.#count;
    }, true);
    this.#changed = new Map();
    this.#oldest = this.#count;
  }

  answer(
    since: number | undefined,
    next: string | undefined,
  ): Omit<HostRowFeedAnswer, 'since'> & {count: number} {
    const synced = this.collection.hasSynced();
    if (since !== undefined && since >= this.#oldest && next === undefined) {
      const rows: [string, unknown][] = [];
      const removed: string[] = [];
      for (const [key, at] of this.#changed) {
        if (at <= since) continue;
        if (this.#values.has(key)) rows.push([key, this.#values.get(key)]);
        else removed.push(key);
      }
      return {count: this.#count, reset: false, rows: JSON.stringify(rows), gone: removed, synced};
    }
    const {number, from, whole} = this.#goOn(next) ?? this.#begin();
    const {rows, since: count} = whole;
    const to = from + PIECE;
    const more = to < rows.length;
    if (!more) this.#snapshots.delete(number);
    return {
      count,
      reset: from === 0,
      rows: JSON.stringify(rows.slice(from, to)),
      gone: [],
      synced,
      ...(more ? {next: `${this.collection.uid}.${number}.${to}`} : {}),
    };
  }

  /** Undefined if the reader must start again: pieces of two states would miss rows. */
  #goOn(next: string | undefined): {number: number; from: number; whole: RowFeedSnapshot} | undefined {
    const [uid, number = 0, from = 0] = (next ?? '').split('.').map(Number);
    const whole = uid === this.collection.uid ? this.#snapshots.get(number) : undefined;
    return whole && {number, from, whole};
  }

  #begin(): {number: number; from: number; whole: RowFeedSnapshot} {
    const whole = {rows: [...this.#values], since: this.#count};
    this.#begun += 1;
    this.#snapshots.set(this.#begun, whole);
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= AT_ONCE) break;
      this.#snapshots.delete(oldest);
    }
    return {number: this.#begun, from: 0, whole};
  }

  stop(): void {
    this.#registration.unregisterHandler();
  }
}

export class RowFeeds {
  readonly #engine: Engine;
  readonly #feeds = new Map<string, CollectionRowFeed>();
  /** Makes the marks of different processes differ. */
  readonly #processMark = Math.floor(performance.timeOrigin + performance.now()).toString(36);
  #questions = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Undefined if there is no such collection. */
  answer(name: string, since: string | undefined, next: string | undefined): HostRowFeedAnswer | undefined {
    this.#questions += 1;
    this.#letGo();
    const feed = this.#feed(name);
    if (feed === undefined) return undefined;
    feed.used = this.#questions;
    const mark = `${this.#processMark}.${feed.collection.uid}.`;
    const lastRead = since?.startsWith(mark) === true ? Number(since.slice(mark.length)) : undefined;
    const {count, ...answer} = feed.answer(lastRead, next);
    return {since: `${mark}${count}`, ...answer};
  }

  #feed(name: string): CollectionRowFeed | undefined {
    const collection = collectionByName(this.#engine, name);
    const existing = this.#feeds.get(name);
    if (existing !== undefined && existing.collection === collection) return existing;
    existing?.stop();
    this.#feeds.delete(name);
    if (collection === undefined) return undefined;
    const feed = new CollectionRowFeed(collection);
    this.#feeds.set(name, feed);
    return feed;
  }

  #letGo(): void {
    for (const [name, feed] of this.#feeds) {
      if (feed.used >= this.#questions - IDLE) continue;
      feed.stop();
      this.#feeds.delete(name);
    }
  }
}
