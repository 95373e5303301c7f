// The objects that main holds for a replay: what the engine process has said it took, and what it has not yet.
import type {SourceChange, SourceReport} from '../link/link.ts';
import type {Entry} from '../link/messages.ts';

interface Pending {
  readonly id: number;
  readonly entry: Entry;
}

/** Entries of one message at most; a replay chunk stays far below the longest string V8 can make. */
const ENTRIES = 256;
const CHANGES = 2000;

export class Objects {
  readonly #held = new Map<string, Map<string, unknown>>();
  readonly #reports = new Map<string, SourceReport>();
  #pending: Pending[] = [];
  #ids = 0;
  /** How many of `#pending` were sent to the process that lives now. */
  #sent = 0;

  add(entry: Entry): void {
    this.#ids += 1;
    this.#pending.push({id: this.#ids, entry});
  }

  /** Entries not sent yet, cut to one message; undefined when there are none. */
  take(): {through: number; entries: Entry[]} | undefined {
    const entries: Entry[] = [];
    let through = 0;
    let count = 0;
    while (this.#sent < this.#pending.length && entries.length < ENTRIES && count < CHANGES) {
      const {id, entry} = this.#pending[this.#sent] as Pending;
      entries.push(entry);
      through = id;
      count += 'changes' in entry ? entry.changes.length : 1;
      this.#sent += 1;
    }
    return entries.length === 0 ? undefined : {through, entries};
  }

  /** The engine process has settled and recorded everything up to this id. */
  settle(through: number): void {
    let done = 0;
    for (const {id, entry} of this.#pending) {
      if (id > through) break;
      if ('changes' in entry) for (const change of entry.changes) this.#write(change);
      else this.#reports.set(entry.source, entry.report);
      done += 1;
    }
    if (done === 0) return;
    this.#pending = this.#pending.slice(done);
    this.#sent = Math.max(0, this.#sent - done);
  }

  reports(): [string, SourceReport][] {
    return [...this.#reports];
  }

  /** A new process knows nothing: what was sent and not settled goes out again, after the replay. */
  rewind(): void {
    this.#sent = 0;
  }

  /** Everything held, in chunks of `[collection, key, object]`. */
  *chunks(): Iterable<[string, string, unknown][]> {
    let chunk: [string, string, unknown][] = [];
    for (const [collection, objects] of this.#held) {
      for (const [key, object] of objects) {
        chunk.push([collection, key, object]);
        if (chunk.length < CHANGES) continue;
        yield chunk;
        chunk = [];
      }
    }
    if (chunk.length > 0) yield chunk;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  get size(): number {
    let size = 0;
    for (const objects of this.#held.values()) size += objects.size;
    return size;
  }

  #write({collection, key, event, new: object}: SourceChange): void {
    let objects = this.#held.get(collection);
    if (objects === undefined) {
      objects = new Map();
      this.#held.set(collection, objects);
    }
    if (event === 'delete') objects.delete(key);
    else objects.set(key, object);
  }
}
