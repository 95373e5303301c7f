// Reads and writes `.krtrec` files: a first line with the version, a header in JSON, and a compressed body.
// The body has the document of the writer, the newest state and the encoded blocks. The whole file is checked before its content is used.
import {createHash} from 'node:crypto';
import {zstdCompressSync} from 'node:zlib';
import type {RecordedState} from '../encoding/block-decoder.ts';
import type {IncrementalWork, ProgressListener} from '../incremental-work.ts';
import type {EncodedBatch} from '../recording-rebuild.ts';
import {MemoryBudget, weights} from './memory-budget.ts';
import {UnreadableFile} from './unreadable-file.ts';
import {unpackFrames} from './zstd-frames.ts';

export const FILE_VERSION = 5;
/** Files of every version from this one on can be read. */
const OLDEST_VERSION = 5;
const MAGIC = 'krtrec';

export interface FileHeader {
  /** The id of the recording. */
  recording: string;
  redacted: boolean;
  written: number;
  newest: number;
  oldest: number;
  /** Data of the writer, opaque to this module. */
  facts: unknown;
}

export interface RecordingFile {
  header: FileHeader;
  state: RecordedState;
  blocks: EncodedBatch[];
  /** The debug document as JSON text, in pieces. */
  dump: string[];
}

/** Bytes that are compressed in one step: a few milliseconds. */
const FRAME_BYTES = 1 << 20;

/**
 * Writes a file in pieces: a hundred thousand objects exceed the longest possible string, and the engine must answer
 * requests in between.
 */
export class RecordingFileWriter {
  readonly #packed: Buffer[] = [];
  readonly #hash = createHash('sha256');
  #open: Buffer[] = [];
  #size = 0;

  facts(facts: unknown): void {
    this.#add('f', JSON.stringify(facts));
  }

  /** Some items of a collection; more of them may follow. */
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

  end(header: HeaderWithoutFacts): Uint8Array {
    this.#pack();
    return withHeader(header, this.#packed, this.#hash.digest('hex'));
  }

  /** The compressed frames without a header, for a file that is put together later. */
  frames(): Buffer {
    this.#pack();
    return Buffer.concat(this.#packed);
  }

  #add(kind: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
    const head = Buffer.alloc(5);
    head.write(kind, 0, 'latin1');
    head.writeUInt32BE(bytes.byteLength, 1);
    this.#open.push(head, bytes);
    this.#size += bytes.byteLength;
    if (this.#size >= FRAME_BYTES) this.#pack();
  }

  #pack(): void {
    if (this.#open.length === 0) return;
    const packed = zstdCompressSync(Buffer.concat(this.#open));
    this.#open = [];
    this.#size = 0;
    this.#hash.update(packed);
    this.#packed.push(packed);
  }
}

function withHeader(header: HeaderWithoutFacts, frames: readonly Uint8Array[], sha256: string): Buffer {
  const bytes = frames.reduce((sum, {byteLength}) => sum + byteLength, 0);
  const head = Buffer.from(JSON.stringify({...header, body: {bytes, sha256}}), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.byteLength);
  const magic = Buffer.from(`${MAGIC} ${FILE_VERSION}\n`, 'latin1');
  return Buffer.concat([magic, length, head, ...frames]);
}

/** A file from frames that were compressed earlier. One of them must have the facts. */
export function fileOfFrames(header: HeaderWithoutFacts, frames: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const frame of frames) hash.update(frame);
  return withHeader(header, frames, hash.digest('hex'));
}

/** The header and the frames of a file that this program wrote a moment ago. */
export function splitFile(file: Uint8Array): {header: HeaderWithoutFacts; frames: Buffer} {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const {header, body, sum} = readHeader(bytes, bytes.indexOf('\n') + 1, new MemoryBudget());
  return {header, frames: body.subarray(0, sum.bytes)};
}

/** Writes the file in one step. */
export function encodeFile({header, state, blocks, dump}: RecordingFile): Uint8Array {
  const writer = new RecordingFileWriter();
  const {facts, ...rest} = header;
  writer.facts(facts);
  for (const [collection, items] of state) writer.items(collection, [...items]);
  for (const block of blocks) writer.block(block);
  for (const text of dump) writer.dump(text);
  return writer.end(rest);
}

/** In steps, because a file of 100,000 objects takes seconds to read. Throws UnreadableFile. */
export function* decodeFile(
  input: Uint8Array,
  allowance = new MemoryBudget(),
  tell: ProgressListener = () => {},
): IncrementalWork<RecordingFile> {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const end = bytes.subarray(0, 32).indexOf('\n');
  const [magic, version] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
  if (magic !== MAGIC)
    throw new UnreadableFile('this is not a krtscope recording: it does not begin with "krtrec"');
  const written = Number(version);
  if (!(written >= OLDEST_VERSION && written <= FILE_VERSION)) {
    const reason =
      written > FILE_VERSION
        ? 'a newer krtscope wrote it, open it with that one'
        : `the oldest version that this krtscope reads is ${OLDEST_VERSION}`;
    throw new UnreadableFile(`this recording has version ${version}: ${reason}`);
  }
  const {header, body, sum} = readHeader(bytes, end + 1, allowance);
  if (body.byteLength < sum.bytes) {
    throw new UnreadableFile(
      `this recording is cut off: it should have ${sum.bytes} more bytes after its header and has ${body.byteLength}`,
    );
  }
  const packed = body.subarray(0, sum.bytes);
  if (createHash('sha256').update(packed).digest('hex') !== sum.sha256) {
    throw new UnreadableFile('this recording is damaged: its content does not match its checksum');
  }
  const {facts, ...content} = yield* contentOf(packed, allowance, tell);
  return {header: {...header, facts}, ...content};
}

/** The facts of frames that this program wrote. They come first, so that no other content is read. */
export function factsOf(packed: Uint8Array): unknown {
  for (const {body} of unpackFrames(Buffer.from(packed), new MemoryBudget()))
    return JSON.parse(body.toString('utf8', 5, 5 + body.readUInt32BE(1)));
  return undefined;
}

/** The content of frames. */
export type RecordingFileContent = Omit<RecordingFile, 'header'> & {facts: unknown};

/** Reads frames in steps. Throws UnreadableFile. */
export function* contentOf(
  packed: Buffer,
  allowance = new MemoryBudget(),
  tell: ProgressListener = () => {},
): IncrementalWork<RecordingFileContent> {
  try {
    return yield* readBody(packed, allowance, tell);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('this recording is damaged: its content cannot be read');
  }
}

interface BodyChecksum {
  bytes: number;
  sha256: string;
}

export type HeaderWithoutFacts = Omit<FileHeader, 'facts'>;

function readHeader(
  bytes: Buffer,
  start: number,
  allowance: MemoryBudget,
): {header: HeaderWithoutFacts; body: Buffer; sum: BodyChecksum} {
  const cut = new UnreadableFile('this recording is cut off inside its header');
  if (bytes.byteLength < start + 4) throw cut;
  const length = bytes.readUInt32BE(start);
  if (bytes.byteLength < start + 4 + length) throw cut;
  const text = bytes.subarray(start + 4, start + 4 + length);
  allowance.takeJson(text);
  try {
    const {body: sum, ...header} = JSON.parse(text.toString('utf8')) as HeaderWithoutFacts & {
      body: BodyChecksum;
    };
    if (isHeader(header) && isChecksum(sum)) return {header, sum, body: bytes.subarray(start + 4 + length)};
  } catch {
    // Not JSON, or not an object.
  }
  throw new UnreadableFile('this recording is damaged: its header cannot be read');
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

function isHeader({recording, redacted, written, newest, oldest}: HeaderWithoutFacts): boolean {
  return (
    typeof recording === 'string' &&
    typeof redacted === 'boolean' &&
    Number.isFinite(written) &&
    isCount(newest) &&
    isCount(oldest)
  );
}

const isChecksum = (sum: BodyChecksum) => isCount(sum.bytes) && typeof sum.sha256 === 'string';

function* readBody(
  packed: Buffer,
  allowance: MemoryBudget,
  tell: ProgressListener,
): IncrementalWork<RecordingFileContent> {
  let facts: unknown;
  const state: RecordedState = new Map();
  const blocks: EncodedBatch[] = [];
  const dump: string[] = [];
  let sequence = 0;
  for (const {body, end} of unpackFrames(packed, allowance)) {
    for (let at = 0; at < body.byteLength; ) {
      const kind = body.toString('latin1', at, at + 1);
      const length = body.readUInt32BE(at + 1);
      const content = body.subarray(at + 5, at + 5 + length);
      at += 5 + length;
      if (kind === 'd') allowance.take(length + weights.block);
      else if (kind === 'k' || kind === 'b') allowance.take(length + weights.text);
      else allowance.takeJson(content);
      // Copy it: a slice would keep its whole frame in memory.
      if (kind === 'd') blocks.push({sequence, bytes: Uint8Array.from(content)});
      else if (kind === 'b') sequence = Number(content.toString('utf8'));
      else if (kind === 'f') facts = JSON.parse(content.toString('utf8'));
      else if (kind === 'k') dump.push(content.toString('utf8'));
      else {
        const [collection, items] = JSON.parse(content.toString('utf8')) as [string, [string, unknown][]];
        allowance.take(weights.item * items.length);
        const held = state.get(collection) ?? new Map<string, unknown>();
        for (const [key, value] of items) held.set(key, value);
        state.set(collection, held);
      }
      yield;
    }
    tell(end / packed.byteLength);
  }
  return {facts, state, blocks, dump};
}
