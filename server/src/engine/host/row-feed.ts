// The rows of a collection for somebody who keeps a copy: all of them in pieces, later only what changed since.
import {type Collection, collectionByName, type Engine, type Registration} from '../../krt/index.ts';

/** `since` names what the asker has; `next` that there is more of the same answer. */
export interface RowsAnswer {
  since: string;
  /** The copy begins anew with this answer. */
  reset: boolean;
  /** JSON of `[key, value][]`: main hands it on as it is. */
  rows: string;
  gone: string[];
  synced: boolean;
  next?: string;
}

const PIECE = 500;
/** Feeds that nobody has asked for so many questions are let go. */
const IDLE = 200;

class Feed {
  readonly collection: Collection<unknown>;
  readonly #registration: Registration;
  readonly #values = new Map<string, unknown>();
  /** When a key last changed; forgotten when there are more of them than rows would be. */
  #changed = new Map<string, number>();
  #known = 0;
  #count = 0;
  #pieces: {rows: [string, unknown][]; since: number} | undefined;
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
      this.#known = this.#count;
    }, true);
    this.#changed = new Map();
    this.#known = this.#count;
  }

  answer(since: number | undefined, from: number): Omit<RowsAnswer, 'since'> & {count: number} {
    const synced = this.collection.hasSynced();
    if (since !== undefined && since >= this.#known && from === 0) {
      const rows: [string, unknown][] = [];
      const gone: string[] = [];
      for (const [key, at] of this.#changed) {
        if (at <= since) continue;
        if (this.#values.has(key)) rows.push([key, this.#values.get(key)]);
        else gone.push(key);
      }
      return {count: this.#count, reset: false, rows: JSON.stringify(rows), gone, synced};
    }
    if (from === 0 || this.#pieces === undefined)
      this.#pieces = {rows: [...this.#values], since: this.#count};
    const {rows, since: begun} = this.#pieces;
    const piece = JSON.stringify(rows.slice(from, from + PIECE));
    const more = from + PIECE < rows.length;
    if (!more) this.#pieces = undefined;
    return {
      count: begun,
      reset: from === 0,
      rows: piece,
      gone: [],
      synced,
      ...(more ? {next: String(from + PIECE)} : {}),
    };
  }

  stop(): void {
    this.#registration.unregisterHandler();
  }
}

export class RowFeeds {
  readonly #engine: Engine;
  readonly #feeds = new Map<string, Feed>();
  /** Another process counts from the start again. */
  readonly #life = Math.floor(performance.timeOrigin + performance.now()).toString(36);
  #asked = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Undefined: there is no such collection. */
  answer(name: string, since: string | undefined, next: string | undefined): RowsAnswer | undefined {
    this.#asked += 1;
    this.#letGo();
    const feed = this.#feed(name);
    if (feed === undefined) return undefined;
    feed.used = this.#asked;
    const mark = `${this.#life}.${feed.collection.uid}.`;
    const known = since?.startsWith(mark) === true ? Number(since.slice(mark.length)) : undefined;
    const {count, ...answer} = feed.answer(known, next === undefined ? 0 : Number(next));
    return {since: `${mark}${count}`, ...answer};
  }

  #feed(name: string): Feed | undefined {
    const collection = collectionByName(this.#engine, name);
    const known = this.#feeds.get(name);
    if (known !== undefined && known.collection === collection) return known;
    known?.stop();
    this.#feeds.delete(name);
    if (collection === undefined) return undefined;
    const feed = new Feed(collection);
    this.#feeds.set(name, feed);
    return feed;
  }

  #letGo(): void {
    for (const [name, feed] of this.#feeds) {
      if (feed.used >= this.#asked - IDLE) continue;
      feed.stop();
      this.#feeds.delete(name);
    }
  }
}
