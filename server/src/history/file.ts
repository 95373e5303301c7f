// The `.krtrec` file: a first line with its version, a header in JSON, and a compressed body with what the writer wants
// to find again, the newest state and the encoded blocks. Checked whole before anything in it is believed.
import {createHash} from 'node:crypto';
import {zstdCompressSync, zstdDecompressSync} from 'node:zlib';
import type {State} from './decode.ts';
import type {EncodedBatch} from './rebuild.ts';
import type {Steps, Tell} from './steps.ts';

export const FILE_VERSION = 5;
const MAGIC = 'krtrec';
/** A few hundred kilobytes can unpack to any size: what is larger is no recording of ours. */
const UNPACKED_LIMIT = 2 ** 31;

export interface FileHeader {
  /** The recording's id. */
  recording: string;
  redacted: boolean;
  written: number;
  newest: number;
  oldest: number;
  /** What the writer wants to find again; this file does not look inside. */
  facts: unknown;
}

export interface RecordingFile {
  header: FileHeader;
  state: State;
  blocks: EncodedBatch[];
  /** The debug document as JSON text, in pieces. */
  dump: string[];
}

/** A file that cannot be read: the message says why, for a person. */
export class UnreadableFile extends Error {}

/** Bytes that are compressed in one go: a few milliseconds. */
const PACKED = 1 << 20;

/**
 * A file that is written piece by piece: a hundred thousand objects as one text would be longer than a text may be, and
 * nobody is answered while it is made.
 */
export class FileWriter {
  readonly #packed: Buffer[] = [];
  readonly #hash = createHash('sha256');
  #open: Buffer[] = [];
  #size = 0;

  facts(facts: unknown): void {
    this.#add('f', JSON.stringify(facts));
  }

  /** Some items of a collection; more of the same may follow. */
  items(collection: string, items: readonly (readonly [string, unknown])[]): void {
    this.#add('s', JSON.stringify([collection, items]));
  }

  block({sequence, bytes}: EncodedBatch): void {
    this.#add('b', String(sequence));
    this.#add('d', bytes);
  }

  dump(text: string): void {
    this.#add('k', text);
  }

  end(header: Omit<FileHeader, 'facts'>): Uint8Array {
    this.#pack();
    const bytes = this.#packed.reduce((sum, {byteLength}) => sum + byteLength, 0);
    const sum = {bytes, sha256: this.#hash.digest('hex')};
    const head = Buffer.from(JSON.stringify({...header, body: sum}), 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.byteLength);
    const magic = Buffer.from(`${MAGIC} ${FILE_VERSION}\n`, 'latin1');
    return Buffer.concat([magic, length, head, ...this.#packed]);
  }

  #add(kind: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
    const head = Buffer.alloc(5);
    head.write(kind, 0, 'latin1');
    head.writeUInt32BE(bytes.byteLength, 1);
    this.#open.push(head, bytes);
    this.#size += bytes.byteLength;
    if (this.#size >= PACKED) this.#pack();
  }

  #pack(): void {
    const packed = zstdCompressSync(Buffer.concat(this.#open));
    this.#open = [];
    this.#size = 0;
    this.#hash.update(packed);
    this.#packed.push(packed);
  }
}

/** All of it at once. */
export function encodeFile({header, state, blocks, dump}: RecordingFile): Uint8Array {
  const writer = new FileWriter();
  const {facts, ...rest} = header;
  writer.facts(facts);
  for (const [collection, items] of state) writer.items(collection, [...items]);
  for (const block of blocks) writer.block(block);
  for (const text of dump) writer.dump(text);
  return writer.end(rest);
}

/** Step by step: a file of 100,000 objects takes seconds to read. */
export function* decodeFile(
  input: Uint8Array,
  limit = UNPACKED_LIMIT,
  tell: Tell = () => {},
): Steps<RecordingFile> {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const end = bytes.subarray(0, 32).indexOf('\n');
  const [magic, version] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
  if (magic !== MAGIC)
    throw new UnreadableFile('this is not a krtscope recording: it does not begin with "krtrec"');
  if (Number(version) !== FILE_VERSION) {
    throw new UnreadableFile(
      `this recording has version ${version}; this krtscope reads version ${FILE_VERSION} only`,
    );
  }
  const {header, body, sum} = readHeader(bytes, end + 1);
  if (body.byteLength < sum.bytes) {
    throw new UnreadableFile(
      `this recording is cut off: it should have ${sum.bytes} more bytes after its header and has ${body.byteLength}`,
    );
  }
  const packed = body.subarray(0, sum.bytes);
  if (createHash('sha256').update(packed).digest('hex') !== sum.sha256) {
    throw new UnreadableFile('this recording is damaged: its content does not match its checksum');
  }
  const {facts, ...content} = yield* contentOf(unpack(packed, limit), tell);
  return {header: {...header, facts}, ...content};
}

function unpack(packed: Buffer, limit: number): Buffer {
  try {
    return zstdDecompressSync(packed, {maxOutputLength: limit});
  } catch (error) {
    throw new UnreadableFile(
      (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? `this recording is too large: it unpacks to more than ${Math.round(limit / 2 ** 20)} MB`
        : 'this recording is damaged: its content cannot be unpacked',
    );
  }
}

type Content = Omit<RecordingFile, 'header'> & {facts: unknown};

function* contentOf(body: Buffer, tell: Tell): Steps<Content> {
  try {
    return yield* readBody(body, tell);
  } catch {
    throw new UnreadableFile('this recording is damaged: its content cannot be read');
  }
}

interface Sum {
  bytes: number;
  sha256: string;
}

type PlainHeader = Omit<FileHeader, 'facts'>;

function readHeader(bytes: Buffer, start: number): {header: PlainHeader; body: Buffer; sum: Sum} {
  const cut = new UnreadableFile('this recording is cut off inside its header');
  if (bytes.byteLength < start + 4) throw cut;
  const length = bytes.readUInt32BE(start);
  if (bytes.byteLength < start + 4 + length) throw cut;
  try {
    const text = bytes.subarray(start + 4, start + 4 + length).toString('utf8');
    const {body: sum, ...header} = JSON.parse(text) as PlainHeader & {body: Sum};
    if (isHeader(header) && isSum(sum)) return {header, sum, body: bytes.subarray(start + 4 + length)};
  } catch {
    // No JSON, or nothing that has parts.
  }
  throw new UnreadableFile('this recording is damaged: its header cannot be read');
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isHeader({recording, redacted, written, newest, oldest}: PlainHeader): boolean {
  return (
    typeof recording === 'string' &&
    typeof redacted === 'boolean' &&
    Number.isFinite(written) &&
    isCount(newest) &&
    isCount(oldest)
  );
}

const isSum = (sum: Sum) => isCount(sum.bytes) && typeof sum.sha256 === 'string';

function* readBody(body: Buffer, tell: Tell): Steps<Content> {
  let facts: unknown;
  const state: State = new Map();
  const blocks: EncodedBatch[] = [];
  const dump: string[] = [];
  let sequence = 0;
  for (let at = 0; at < body.byteLength; ) {
    const kind = body.toString('latin1', at, at + 1);
    const length = body.readUInt32BE(at + 1);
    const content = body.subarray(at + 5, at + 5 + length);
    at += 5 + length;
    if (kind === 'd') blocks.push({sequence, bytes: content});
    else if (kind === 'b') sequence = Number(content.toString('utf8'));
    else if (kind === 'f') facts = JSON.parse(content.toString('utf8'));
    else if (kind === 'k') dump.push(content.toString('utf8'));
    else {
      const [collection, items] = JSON.parse(content.toString('utf8')) as [string, [string, unknown][]];
      const held = state.get(collection) ?? new Map<string, unknown>();
      for (const [key, value] of items) held.set(key, value);
      state.set(collection, held);
    }
    tell(at / body.byteLength);
    yield;
  }
  return {facts, state, blocks, dump};
}
