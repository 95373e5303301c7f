import {createHash} from 'node:crypto';
import {zstdCompressSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {FILE_VERSION} from '../../../history/file/recording-file.ts';
import {runToEnd} from '../../../history/incremental-work.ts';
import {decodeRecording} from './recording-codec.ts';

test('content that is no recording, with a checksum that fits, is refused in words', () => {
  for (const body of ['', 'f\x00\x00\x00\x02{]', 's\x00\x00\x00\x04null', 'b\x7f\xff\xff\xff', 'x']) {
    const packed = zstdCompressSync(Buffer.from(body, 'latin1'));
    const sum = {bytes: packed.byteLength, sha256: createHash('sha256').update(packed).digest('hex')};
    const head = Buffer.from(JSON.stringify({recording: 'r', body: sum}));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(head.byteLength);
    const bytes = Buffer.concat([Buffer.from(`krtrec ${FILE_VERSION}\n`), length, head, packed]);
    expect(() => runToEnd(decodeRecording(bytes)), body).toThrow(/^this recording is damaged: /);
  }
});
