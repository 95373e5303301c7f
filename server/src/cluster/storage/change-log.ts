// The changes of one resource, oldest first. Each holds a whole object, so changes older than some seconds are kept
// compressed: watches hardly ever ask for them.
import {deserialize, serialize} from 'node:v8';
import {deflateRawSync, inflateRawSync} from 'node:zlib';
import type {StoredObject} from '../object/stored-object.ts';

export interface LogEntry {
  revision: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  key: string;
  /** The object after the write. For a deletion, its last state with the deletion's revision. */
  object: StoredObject;
  previous?: StoredObject;
  /** When it was written, in monotonic milliseconds. */
  at: number;
}

/** A watch that reconnects asks for changes younger than this. */
const RECENT_MS = 10_000;
/** Changes that are compressed together. More compress better and block the process for longer. */
const BLOCK = 100;

interface CompressedBlock {
  /** The revision of its last change. */
  last: number;
  bytes: Buffer;
}

export class ChangeLog {
  /** Of all changes, also of compressed ones. */
  #marks: {revision: number; at: number}[] = [];
  #blocks: CompressedBlock[] = [];
  #recent: LogEntry[] = [];
  /** Changes up to this revision are dropped. */
  #dropped = 0;

  get length(): number {
    return this.#marks.length;
  }

  push(entry: LogEntry): void {
    this.#marks.push({revision: entry.revision, at: entry.at});
    this.#recent.push(entry);
    const newest = this.#recent[BLOCK - 1];
    if (newest && entry.at - newest.at > RECENT_MS) this.#compress();
  }

  /** Changes after a revision, oldest first. */
  since(revision: number): LogEntry[] {
    const after = Math.max(revision, this.#dropped);
    const recent = this.#recent.slice(countUpTo(this.#recent, after));
    const blocks = this.#blocks.filter(block => block.last > after);
    if (blocks.length === 0) return recent;
    const older = blocks.flatMap(block => deserialize(inflateRawSync(block.bytes)) as LogEntry[]);
    return [...older.filter(entry => entry.revision > after), ...recent];
  }

  /** Drops changes up to a revision. */
  drop(revision: number): void {
    if (revision <= this.#dropped) return;
    this.#dropped = revision;
    this.#marks = this.#marks.slice(countUpTo(this.#marks, revision));
    this.#recent = this.#recent.slice(countUpTo(this.#recent, revision));
    this.#blocks = this.#blocks.filter(block => block.last > revision);
  }

  /** The revision of the last change that is older than a time or beyond a number of changes; undefined if none is. */
  lastBeyond(time: number, limit: number): number | undefined {
    const young = this.#marks.findIndex(({at}) => at >= time);
    const old = young < 0 ? this.#marks.length : young;
    return this.#marks[Math.max(old, this.#marks.length - limit) - 1]?.revision;
  }

  #compress(): void {
    const entries = this.#recent.splice(0, BLOCK);
    const bytes = deflateRawSync(serialize(entries), {level: 1});
    this.#blocks.push({last: entries.at(-1)!.revision, bytes});
  }
}

/** How many changes have at most a revision. */
function countUpTo(changes: {revision: number}[], revision: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.revision > revision) high = middle;
    else low = middle + 1;
  }
  return low;
}
