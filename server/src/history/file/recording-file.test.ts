import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {runToEnd} from '../incremental-work.ts';
import {MemoryBudget} from './memory-budget.ts';
import {decodeFile, encodeFile, type RecordingFile, RecordingFileWriter} from './recording-file.ts';

const file: RecordingFile = {
  header: {recording: 'id', redacted: true, written: 1, newest: 2, oldest: 1, facts: {session: 'demo'}},
  state: new Map([['Pods', new Map<string, unknown>([['ns/a', {metadata: {name: 'a'}}]])]]),
  blocks: [{sequence: 2, bytes: Buffer.from('{"runs":[]}')}],
  dump: ['[{"uid":1,', '"name":"Pods"}]'],
};

test('a file reads back as it was written', () => {
  const {header, state, blocks, dump} = runToEnd(decodeFile(encodeFile(file)));
  expect(dump).toEqual(file.dump);
  expect(header).toEqual(file.header);
  expect(state).toEqual(file.state);
  expect(blocks.map(({sequence, bytes}) => [sequence, Buffer.from(bytes).toString()])).toEqual([
    [2, '{"runs":[]}'],
  ]);
});

test('another version is refused in words', () => {
  const bytes = Buffer.from(encodeFile(file));
  bytes.write('9', 'krtrec '.length);
  expect(() => runToEnd(decodeFile(bytes))).toThrow(
    'this recording has version 9: a newer krtscope wrote it, open it with that one',
  );
  bytes.write('4', 'krtrec '.length);
  expect(() => runToEnd(decodeFile(bytes))).toThrow(
    'this recording has version 4: the oldest version that this krtscope reads is 5',
  );
});

test('a file that is no recording is refused in words', () => {
  expect(() => runToEnd(decodeFile(Buffer.from('PK\u0003\u0004 something')))).toThrow(
    'not a krtscope recording',
  );
  expect(() => runToEnd(decodeFile(new Uint8Array()))).toThrow('not a krtscope recording');
});

test('a file cut off anywhere is refused in words', () => {
  const bytes = encodeFile(file);
  for (let length = 10; length < bytes.byteLength; length += 7) {
    expect(() => runToEnd(decodeFile(bytes.subarray(0, length)))).toThrow('cut off');
  }
});

test('a damaged body is refused in words', () => {
  const bytes = Buffer.from(encodeFile(file));
  bytes[bytes.byteLength - 3] = (bytes[bytes.byteLength - 3] as number) ^ 255;
  expect(() => runToEnd(decodeFile(bytes))).toThrow('damaged');
});

test('everything large is compressed', () => {
  const facts = {dump: Array.from({length: 5000}, (_, n) => ({name: `pod-${n}`, image: 'registry/app:1'}))};
  const bytes = encodeFile({...file, header: {...file.header, facts}});
  expect(bytes.byteLength).toBeLessThan(JSON.stringify(facts).length / 4);
  expect(runToEnd(decodeFile(bytes)).header.facts).toEqual(facts);
});

test('a body that unpacks to more than is taken is refused in words', () => {
  const state = new Map([['Pods', new Map<string, unknown>([['a', ' '.repeat(4 << 20)]])]]);
  const bytes = encodeFile({...file, state});
  expect(bytes.byteLength).toBeLessThan(10_000);
  expect(() => runToEnd(decodeFile(bytes, new MemoryBudget(4 << 20)))).toThrow(
    'too large: a piece of it unpacks to more than 1 MB; start krtscope with more --engine-memory to open it',
  );
  expect(runToEnd(decodeFile(bytes)).state).toEqual(state);
});

test('a header that is JSON and no header is refused in words, not by what stumbles over it', () => {
  const bytes = Buffer.from(encodeFile(file));
  const start = bytes.indexOf('\n') + 1;
  const length = bytes.readUInt32BE(start);
  const head = JSON.parse(bytes.toString('utf8', start + 4, start + 4 + length)) as Record<string, unknown>;
  const {body: _, ...sumless} = head;
  const wrong: unknown[] = [null, 1, [], {}, sumless, {...head, newest: -1}, {...head, oldest: 1e300}];
  for (const body of [{bytes: -1, sha256: ''}, {bytes: 1}]) wrong.push({...head, body});
  for (const part of Object.keys(head)) wrong.push({...head, [part]: null}, {...head, [part]: []});
  for (const header of wrong) {
    const made = Buffer.from(JSON.stringify(header));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(made.byteLength);
    const crafted = Buffer.concat([bytes.subarray(0, start), size, made, bytes.subarray(start + 4 + length)]);
    expect(() => runToEnd(decodeFile(crafted)), made.toString()).toThrow(
      'this recording is damaged: its header cannot be read',
    );
  }
});

test('a file of many frames reads back, and one that is cut inside a frame does not, whatever its checksum says', () => {
  const noise = (n: number) => createHash('sha512').update(String(n)).digest('base64');
  const items = Array.from({length: 60}, (_, n) => [`a/${n}`, noise(n).repeat(800)] as [string, string]);
  const writer = new RecordingFileWriter();
  writer.facts({});
  for (const item of items) writer.items('Pods', [item]);
  const bytes = Buffer.from(writer.end({recording: 'r', redacted: true, written: 1, newest: 1, oldest: 1}));
  const shares: number[] = [];
  const read = runToEnd(decodeFile(bytes, new MemoryBudget(), share => shares.push(share)));
  expect([...(read.state.get('Pods') ?? [])]).toEqual(items);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares.at(-1)).toBe(1);
  const start = bytes.indexOf('\n') + 1;
  const body = start + 4 + bytes.readUInt32BE(start);
  const {body: _, ...header} = JSON.parse(bytes.toString('utf8', start + 4, body)) as Record<string, unknown>;
  for (let cut = 1; cut < bytes.byteLength - body; cut += 997) {
    const packed = bytes.subarray(body, bytes.byteLength - cut);
    const sum = {bytes: packed.byteLength, sha256: createHash('sha256').update(packed).digest('hex')};
    const head = Buffer.from(JSON.stringify({...header, body: sum}));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(head.byteLength);
    const crafted = Buffer.concat([bytes.subarray(0, start), size, head, packed]);
    expect(() => runToEnd(decodeFile(crafted)), String(cut)).toThrow(/^this recording is damaged: /);
  }
});
