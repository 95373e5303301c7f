// Protobuf bodies: a Go client's ConfigMap, and refused bodies.
import {expect, test} from 'vitest';
import {parseProtobuf} from './protobuf.ts';

const field = (number: number, bytes: Buffer) =>
  Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
const text = (number: number, value: string) => field(number, Buffer.from(value));

function envelope(kind: string, raw: Buffer): Buffer {
  const type = Buffer.concat([text(1, 'v1'), text(2, kind)]);
  return Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0]), field(1, type), field(2, raw)]);
}

test('a ConfigMap is read with its metadata and data', () => {
  const entry = Buffer.concat([text(1, 'key'), text(2, 'value')]);
  const raw = Buffer.concat([field(1, Buffer.concat([text(1, 'name'), text(3, 'space')])), field(2, entry)]);
  expect(parseProtobuf(envelope('ConfigMap', raw))).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'name', namespace: 'space'},
    data: {key: 'value'},
  });
});

test('a field or a kind that is not known is refused, never dropped', () => {
  expect(() => parseProtobuf(envelope('ConfigMap', text(15, 'x')))).toThrow('field 15 of ConfigMap');
  expect(() => parseProtobuf(envelope('Odd', Buffer.alloc(0)))).toThrow('Odd is not known');
  expect(() => parseProtobuf(Buffer.from('xxxxx'))).toThrow('does not appear to be a protobuf message');
});
