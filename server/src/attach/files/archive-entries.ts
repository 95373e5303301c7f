// Reads the files of a tar or zip archive in memory. Compressed tars are decompressed by the caller.
import {inflateRawSync} from 'node:zlib';

/** A file, with its time if one is known: milliseconds since 1970. */
export interface NamedFile {
  name: string;
  bytes: Uint8Array;
  time?: number | undefined;
}

const BLOCK = 512;
/** All files of an archive together. */
const MAX_ARCHIVE_BYTES = 512 * 1024 * 1024;

export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && textAt(bytes, 257, 5) === 'ustar';
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** Only the wanted regular files. Throws an error if the archive ends too early. */
export function readTar(bytes: Uint8Array, isWanted: (name: string) => boolean): NamedFile[] {
  const files: NamedFile[] = [];
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    if (bytes[at] === 0) break;
    const size = Number.parseInt(textAt(bytes, at + 124, 12).trim() || '0', 8);
    const start = at + BLOCK;
    if (!(size >= 0) || start + size > bytes.length) throw new Error('the archive is not complete');
    const content = bytes.subarray(start, start + size);
    const type = String.fromCharCode(bytes[at + 156] ?? 0);
    const prefix = textAt(bytes, at + 345, 155);
    const name: string = longName ?? `${prefix === '' ? '' : `${prefix}/`}${textAt(bytes, at, 100)}`;
    longName = undefined;
    if (type === 'L') longName = textAt(content, 0, size);
    else if (type === 'x') longName = paxPath(content);
    else if ((type === '0' || type === '\0') && isWanted(name)) {
      const seconds = Number.parseInt(textAt(bytes, at + 136, 12).trim() || '0', 8);
      files.push({name, bytes: content, time: seconds > 0 ? seconds * 1000 : undefined});
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** `path` of a pax header: lines of "LENGTH KEY=VALUE". */
function paxPath(content: Uint8Array): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(Buffer.from(content).toString('utf8'))?.[1];
}

export function readZip(bytes: Uint8Array, isWanted: (name: string) => boolean): NamedFile[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = data.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('the archive is not complete');
  const files: NamedFile[] = [];
  let total = 0;
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > data.length) throw new Error('the archive is not complete');
    const method = data.readUInt16LE(at + 10);
    const [packed, size] = [data.readUInt32LE(at + 20), data.readUInt32LE(at + 24)];
    const nameLength = data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    const local = data.readUInt32LE(at + 42);
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
    if (name.endsWith('/') || !isWanted(name)) continue;
    total += size;
    if (total > MAX_ARCHIVE_BYTES) throw new Error('the files of the archive are too large');
    const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const content = data.subarray(start, start + packed);
    if (method !== 0 && method !== 8) throw new Error(`${name} is compressed by an unknown method`);
    files.push({
      name,
      bytes: method === 0 ? content : inflateRawSync(content, {maxOutputLength: MAX_ARCHIVE_BYTES}),
    });
  }
  return files;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return Buffer.from(end < 0 ? field : field.subarray(0, end)).toString('utf8');
}
