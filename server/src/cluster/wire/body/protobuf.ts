// Parses protobuf bodies of the kinds that kubectl and Go clients send. Refuses unknown fields instead of
// dropping them.
import type {JsonObject} from '../../object/stored-object.ts';
import {MESSAGES, type ProtoField} from './protobuf-types.ts';

export class ProtobufError extends Error {}

const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

class ProtobufReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || shift > 63n) throw new ProtobufError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  tag(): {number: number; wire: number} {
    const key = this.varint();
    return {number: Number(key >> 3n), wire: Number(key & 7n)};
  }

  bytes(): Buffer {
    const length = Number(this.varint());
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new ProtobufError('unexpected EOF');
    const out = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return out;
  }

  skip(wire: number): void {
    if (wire === 0) this.varint();
    else if (wire === 2) this.bytes();
    else this.#at += wire === 1 ? 8 : 4;
  }
}

function integerOf(value: bigint): unknown {
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(signed));
}

/** The fields of a flat message by number, for Time, Quantity, IntOrString and map entries. */
function readFlatFields(bytes: Buffer): Map<number, Buffer | bigint> {
  const reader = new ProtobufReader(bytes);
  const out = new Map<number, Buffer | bigint>();
  while (!reader.done) {
    const {number, wire} = reader.tag();
    if (wire === 0) out.set(number, reader.varint());
    else if (wire === 2) out.set(number, reader.bytes());
    else reader.skip(wire);
  }
  return out;
}

function textOf(value: Buffer | bigint | undefined): string {
  return Buffer.isBuffer(value) ? value.toString('utf8') : '';
}

function numberOf(value: Buffer | bigint | undefined): number {
  return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0;
}

function timeOf(bytes: Buffer, micro: boolean): unknown {
  const parts = readFlatFields(bytes);
  if (!parts.has(1) && !parts.has(2)) return null;
  const seconds = new Date(numberOf(parts.get(1)) * 1000).toISOString().slice(0, 19);
  if (!micro) return `${seconds}Z`;
  return `${seconds}.${String(Math.floor(numberOf(parts.get(2)) / 1000)).padStart(6, '0')}Z`;
}

function scalarOf(type: string, raw: Buffer | bigint): unknown {
  if (type === 'i') return integerOf(raw as bigint);
  if (type === 'b') return raw === 1n;
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
  switch (type) {
    case 's':
      return bytes.toString('utf8');
    case 'B':
      return bytes.toString('base64');
    case 'q':
      return textOf(readFlatFields(bytes).get(1));
    case 't':
    case 'T':
      return timeOf(bytes, type === 'T');
    case 'o': {
      const parts = readFlatFields(bytes);
      return numberOf(parts.get(1)) === 1 ? textOf(parts.get(3)) : numberOf(parts.get(2));
    }
    case 'json':
      return JSON.parse(textOf(readFlatFields(bytes).get(1)) || '{}') as unknown;
    default:
      return undefined;
  }
}

function readMessage(name: string, bytes: Buffer, path: string): JsonObject {
  if (name === 'Empty') return {};
  const fields = MESSAGES.get(name);
  if (!fields) throw new ProtobufError(`${name} is not known`);
  const reader = new ProtobufReader(bytes);
  const out: JsonObject = {};
  while (!reader.done) {
    const {number: id, wire} = reader.tag();
    const field = fields.get(id);
    if (!field) throw new ProtobufError(`field ${id} of ${name} at ${path || '.'} is not known`);
    const raw = wire === 0 ? reader.varint() : reader.bytes();
    placeField(out, field, raw, path);
  }
  return out;
}

function placeField(out: JsonObject, field: ProtoField, raw: Buffer | bigint, path: string): void {
  const here = path === '' ? field.name : `${path}.${field.name}`;
  if (field.type === 'ms' || field.type === 'mB' || field.type === 'mq') {
    const entry = readFlatFields(raw as Buffer);
    const value = entry.get(2) ?? Buffer.alloc(0);
    const map = (out[field.name] ?? {}) as JsonObject;
    map[textOf(entry.get(1))] = scalarOf(field.type.slice(1), value);
    out[field.name] = map;
    return;
  }
  const nested = MESSAGES.has(field.type) || field.type === 'Empty';
  const value = nested ? readMessage(field.type, raw as Buffer, here) : scalarOf(field.type, raw);
  // Go inlines a field called -: its fields belong to the parent.
  if (field.name === '-') Object.assign(out, value);
  else if (field.many) out[field.name] = [...((out[field.name] as unknown[] | undefined) ?? []), value];
  else out[field.name] = value;
}

/** The object of a protobuf body, with the kind and version of the envelope. */
export function parseProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, 4).equals(MAGIC)) {
    throw new ProtobufError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  const envelope = readFlatFields(body.subarray(4));
  const type = readFlatFields(
    Buffer.isBuffer(envelope.get(1)) ? (envelope.get(1) as Buffer) : Buffer.alloc(0),
  );
  const apiVersion = textOf(type.get(1));
  const kind = textOf(type.get(2));
  const raw = envelope.get(2);
  return {apiVersion, kind, ...readMessage(kind, Buffer.isBuffer(raw) ? raw : Buffer.alloc(0), '')};
}
