// Splits the body of a file into its compressed frames and unpacks them one at a time, so that memory never has all of
// them. RFC 8878 gives the length of a frame without unpacking it.
import {zstdDecompressSync} from 'node:zlib';
import type {MemoryBudget} from './memory-budget.ts';
import {UnreadableFile} from './unreadable-file.ts';

const MAGIC = 0xfd2fb528;
/** A block of one repeated byte. */
const REPEATED = 1;

/** Each unpacked frame, and its end in the body. Throws UnreadableFile. */
export function* unpackFrames(
  packed: Buffer,
  allowance: MemoryBudget,
): Iterable<{body: Buffer; end: number}> {
  for (let start = 0; start < packed.byteLength; ) {
    const end = endOfFrame(packed, start);
    yield {body: unpackFrame(packed.subarray(start, end), allowance), end};
    start = end;
  }
}

function unpackFrame(frame: Buffer, allowance: MemoryBudget): Buffer {
  try {
    return zstdDecompressSync(frame, {maxOutputLength: allowance.maxUnpackedBytes});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw allowance.tooLargeError();
    throw damagedError();
  }
}

function endOfFrame(packed: Buffer, start: number): number {
  try {
    if (packed.readUInt32LE(start) !== MAGIC) throw damagedError();
    const flags = packed.readUInt8(start + 4);
    const isSingle = (flags & 32) !== 0;
    const window = isSingle ? 0 : 1;
    const dictionary = [0, 1, 2, 4][flags & 3] as number;
    const size = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] as number;
    const checksum = (flags & 4) === 0 ? 0 : 4;
    let at = start + 5 + window + dictionary + size;
    for (let isLast = false; !isLast; ) {
      const block = packed.readUIntLE(at, 3);
      isLast = (block & 1) !== 0;
      at += 3 + (((block >> 1) & 3) === REPEATED ? 1 : block >> 3);
    }
    return at + checksum;
  } catch {
    // The last block is missing.
    throw damagedError();
  }
}

function damagedError(): UnreadableFile {
  return new UnreadableFile('this recording is damaged: its content cannot be unpacked');
}
