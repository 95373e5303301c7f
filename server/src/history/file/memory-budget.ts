// What an opened file may take of memory, counted while it is read: a few megabytes can unpack to items without end, and
// who looks only when everything is read has taken it by then. Weights are what V8 takes for the least thing of a kind.
import {UnreadableFile} from './unreadable-file.ts';

/** Of one frame: one of ours has a megabyte, or one object that is larger. */
const MOST_UNPACKED = 2 ** 28;

/** Bytes beside the text of what it says. */
export const weights = {
  /** An entry of two maps and the change that brought it. */
  item: 300,
  /** A block that has not been read yet. */
  block: 250,
  /** A text that stays as it is. */
  text: 32,
  change: 250,
  run: 600,
  cause: 100,
  fetch: 200,
  sameFetch: 50,
  output: 50,
  /** A place in a list. */
  place: 8,
  /** A field that is copied because one beside it changed. */
  field: 16,
  /** A field name that is new: the text, a place among all names, and in every object that has it, or a shape of its own. */
  name: 128,
} as const;

/** By byte of JSON. A table: a gigabyte of it is looked at byte by byte. */
const byteWeights = new Uint8Array(256).fill(1);
for (const [byte, weight] of [
  [',', 16],
  ['[', 48],
  ['{', 48],
] as const)
  byteWeights[byte.charCodeAt(0)] = 1 + weight;

const [QUOTE, BACKSLASH, COLON] = Array.from('"\\:', letter => letter.charCodeAt(0));

/** Names that are known at once, as a power of two: an object of Kubernetes has some hundreds, a whole cluster some thousands. */
const NAME_TABLE_SIZE = 2 ** 16;

/** Bytes of weight between two looks at what is really taken. */
const HEAP_CHECK_INTERVAL = 2 ** 24;
/** Of the memory: beyond it a process does little but look for garbage. */
const MAX_HEAP_SHARE = 0.85;

export class MemoryBudget {
  readonly #all: number;
  readonly #heap: () => number;
  #left: number;
  #look: number;
  /** Hashes of names, each at its own place: who comes to the same place pushes the other out. */
  readonly #names = new Int32Array(NAME_TABLE_SIZE);
  /** Whoever could know it could make names that look like one. */
  readonly #seed = Math.trunc(Math.random() * 2 ** 31);

  /** `bytes`: what the process may hold. `heap`: what it does, for what is heavier than it looks. */
  constructor(bytes = 2 ** 33, heap: () => number = () => 0) {
    this.#all = bytes;
    this.#left = bytes;
    this.#look = Math.max(0, bytes - HEAP_CHECK_INTERVAL);
    this.#heap = heap;
  }

  /** Bytes that one piece may unpack to: it is there twice while it is unpacked, and once more as text. */
  get maxUnpackedBytes(): number {
    return Math.min(MOST_UNPACKED, this.#all / 4);
  }

  /** Throws UnreadableFile when there is not so much left. */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < this.#look) this.#weigh();
  }

  #weigh(): void {
    this.#look = Math.max(0, this.#left - HEAP_CHECK_INTERVAL);
    if (this.#left >= 0 && this.#heap() <= this.#all * MAX_HEAP_SHARE) return;
    throw tooLarge(`what it holds takes more than ${megabytes(this.#all)} MB of memory`);
  }

  /** Before it is parsed: three bytes of JSON can become an object of sixty, and a name that is new a hundred more. */
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

  /** For a piece that is too long to be unpacked. */
  tooLargeError(): UnreadableFile {
    return tooLarge(`a piece of it unpacks to more than ${megabytes(this.maxUnpackedBytes)} MB`);
  }
}

/** Where the quote stands that ends it. */
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
