// Writes numbers and texts as bytes and reads them back. Small numbers take one byte; a text has its length before it.
import type {MemoryBudget} from '../file/memory-budget.ts';

/** Room for many blocks: allocating a buffer for each would take longer than filling it. */
const CHUNK = 64 * 1024;
/** Buffer.write is faster for longer texts; for short ones a loop is. */
const SHORT = 48;

export class ByteWriter {
  /** Two views of the same memory: a plain array is copied faster, a Buffer writes long texts. */
  #bytes = new Uint8Array(CHUNK);
  #buffer = Buffer.from(this.#bytes.buffer);
  #start = 0;
  #at = 0;

  /** Starts over; earlier results stay valid. */
  clear(): void {
    this.#at = this.#start;
    if (this.#bytes.byteLength > 16 * CHUNK) this.#fresh(CHUNK, 0);
  }

  /** A copy of the bytes since the last call. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return taken;
  }

  /** A whole number from 0 on. */
  uint(value: number): void {
    if (this.#at + 8 > this.#bytes.byteLength) this.#grow(8);
    const bytes = this.#bytes;
    let rest = value;
    // Bit operators wrap beyond 31 bits.
    while (rest >= 0x8000_0000) {
      bytes[this.#at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      bytes[this.#at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[this.#at++] = rest;
  }

  float(value: number): void {
    if (this.#at + 8 > this.#bytes.byteLength) this.#grow(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  text(text: string): void {
    const {length} = text;
    if (this.#at + 1 + SHORT > this.#bytes.byteLength) this.#grow(1 + SHORT);
    const start = this.#at;
    if (length <= SHORT) {
      this.#bytes[this.#at++] = length;
      if (this.#piece(text)) return;
      this.#at = start;
    }
    this.#long(text);
  }

  /** The pieces as one text. */
  pieces(list: readonly string[], count: number): void {
    let length = 0;
    for (let i = 0; i < count; i++) length += (list[i] as string).length;
    if (this.#at + 8 + 3 * length > this.#bytes.byteLength) this.#grow(8 + 3 * length);
    const start = this.#at;
    this.uint(length);
    for (let i = 0; i < count; i++) {
      if (this.#piece(list[i] as string)) continue;
      this.#at = start;
      this.text(list.slice(0, count).join(''));
      return;
    }
  }

  /** False if the text has a character of more than one byte. */
  #piece(text: string): boolean {
    const {length} = text;
    if (length > SHORT) {
      if (this.#buffer.write(text, this.#at, 'utf8') !== length) return false;
      this.#at += length;
      return true;
    }
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 128) return false;
      bytes[at++] = code;
    }
    this.#at = at;
    return true;
  }

  // Most texts have one byte for each character, so there is nothing to count first.
  #long(text: string): void {
    const {length} = text;
    if (this.#at + 8 + 3 * length > this.#bytes.byteLength) this.#grow(8 + 3 * length);
    const start = this.#at;
    this.uint(length);
    const size = this.#buffer.write(text, this.#at, 'utf8');
    if (size === length) this.#at += size;
    else {
      this.#at = start;
      this.#wide(text);
    }
  }

  #wide(text: string): void {
    const size = Buffer.byteLength(text, 'utf8');
    this.uint(size);
    if (this.#at + size > this.#bytes.byteLength) this.#grow(size);
    this.#buffer.write(text, this.#at, 'utf8');
    this.#at += size;
  }

  #grow(by: number): void {
    const written = this.#at - this.#start;
    this.#fresh(Math.max(CHUNK, 4 * (written + by)), written);
  }

  /** Goes on in a larger buffer, with the bytes of the current block. */
  #fresh(size: number, written: number): void {
    const fresh = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
    fresh.set(this.#bytes.subarray(this.#start, this.#at));
    this.#bytes = fresh;
    this.#buffer = Buffer.from(fresh.buffer);
    this.#start = 0;
    this.#at = written;
  }
}

export class ByteReader {
  readonly #bytes: Buffer;
  readonly #allowance: MemoryBudget | undefined;
  #at = 0;

  /** A budget is charged for every text. */
  constructor(bytes: Uint8Array, allowance?: MemoryBudget) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#allowance = allowance;
  }

  uint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('a block ends in the middle of a number');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  float(): number {
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    const end = this.#end();
    this.#allowance?.take(end - this.#at);
    return this.#to(end);
  }

  /** A text that will be parsed. */
  json(): string {
    const end = this.#end();
    this.#allowance?.takeJson(this.#bytes.subarray(this.#at, end));
    return this.#to(end);
  }

  /** Where the text ends whose length comes now. */
  #end(): number {
    const size = this.uint();
    const end = this.#at + size;
    if (end > this.#bytes.byteLength) throw new RangeError('a block ends in the middle of a text');
    return end;
  }

  #to(end: number): string {
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }
}
