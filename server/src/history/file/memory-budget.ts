// Limits the memory that an opened file may take, counted while it is read: a few megabytes can unpack to endless items.
// The weights are what V8 takes for the smallest value of each kind.
import {UnreadableFile} from './unreadable-file.ts';

/** Bytes of one frame. A frame that krtscope writes has a megabyte, or one larger object. */
const MOST_UNPACKED = 2 ** 28;

/** Bytes beside the text. */
export const weights = {
  /** An entry in two maps, and its change. */
  item: 300,
  /** A block that is not decoded yet. */
  block: 250,
  /** A text that is kept. */
  text: 32,
  change: 250,
  run: 600,
  cause: 100,
  fetch: 200,
  sameFetch: 50,
  output: 50,
  /** A slot in a list. */
  place: 8,
  /** A field that is copied because another field of its object changed. */
  field: 16,
  /** A new field name: its text, its slot among all names, and a new object shape. */
  name: 128,
} as const;

/** By byte of JSON. A table is fast enough to go through a gigabyte. */
const byteWeights = new Uint8Array(256).fill(1);
for (const [byte, weight] of [
  [',', 16],
  ['[', 48],
  ['{', 48],
] as const)
  byteWeights[byte.charCodeAt(0)] = 1 + weight;

const [QUOTE, BACKSLASH, COLON] = Array.from('"\\:', letter => letter.charCodeAt(0));

/** Names in the cache, a power of two. A whole cluster has some thousands. */
const NAME_TABLE_SIZE = 2 ** 16;

/** Bytes of weight between two measurements of the heap. */
const HEAP_CHECK_INTERVAL = 2 ** 24;
/** The share of the memory beyond which a process only collects garbage. */
const MAX_HEAP_SHARE = 0.85;

export class MemoryBudget {
  readonly #all: number;
  readonly #heap: () => number;
  #left: number;
  #look: number;
  /** Hashes of names, each in its own slot. A new name in the same slot replaces the old one. */
  readonly #names = new Int32Array(NAME_TABLE_SIZE);
  /** Secret, so that a file cannot contain names that collide. */
  readonly #seed = Math.trunc(Math.random() * 2 ** 31);

  /** `bytes`: the limit of the process. `heap`: its current size, for values that are larger than their weight. */
  constructor(bytes = 2 ** 33, heap: () => number = () => 0) {
    this.#all = bytes;
    this.#left = bytes;
    this.#look = Math.max(0, bytes - HEAP_CHECK_INTERVAL);
    this.#heap = heap;
  }

  /** Bytes that one frame may unpack to: while unpacked it exists three times, once as text. */
  get maxUnpackedBytes(): number {
    return Math.min(MOST_UNPACKED, this.#all / 4);
  }

  /** Throws UnreadableFile when the budget is used up. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < this.#look) this.#weigh();
  }

  #weigh(): void {
    this.#look = Math.max(0, this.#left - HEAP_CHECK_INTERVAL);
    if (this.#left >= 0 && this.#heap() <= this.#all * MAX_HEAP_SHARE) return;
    throw tooLarge(`what it holds takes more than ${megabytes(this.#all)} MB of memory`);
  }

  /** Called before parsing: three bytes of JSON can become sixty, and a new name a hundred more. */
  takeJson(text: Uint8Array): void {
    let weight = 0;
    let start = 0;
    let end = 0;
    for (let at = 0; at < text.length; at++) {
      const byte = text[at] as number;
      weight += byteWeights[byte] as number;
      if (byte === COLON) weight += this.#nameWeight(text, start, end);
      if (byte !== QUOTE) continue;
      start = at + 1;
      at = endOfText(text, start);
      end = at;
      weight += end - start;
    }
    this.take(weight);
  }

  #nameWeight(text: Uint8Array, start: number, end: number): number {
    let hash = this.#seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text[at] as number), 0x0100_0193);
    const place = (hash ^ (hash >>> 16)) & (NAME_TABLE_SIZE - 1);
    if (this.#names[place] === hash) return 0;
    this.#names[place] = hash;
    return weights.name;
  }

  /** For a frame that is too long to unpack. */
  tooLargeError(): UnreadableFile {
    return tooLarge(`a piece of it unpacks to more than ${megabytes(this.maxUnpackedBytes)} MB`);
  }
}

/** The position of the closing quote. */
function endOfText(text: Uint8Array, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);

function tooLarge(why: string): UnreadableFile {
  return new UnreadableFile(
    `this recording is too large: ${why}; start krtscope with more --engine-memory to open it`,
  );
}
