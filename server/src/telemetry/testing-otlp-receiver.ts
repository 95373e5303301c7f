// For tests: an OTLP/HTTP receiver that decodes the protobuf of traces, field by field, without a library of the sender.
import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {gunzipSync} from 'node:zlib';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  start: bigint;
  end: bigint;
  attributes: Record<string, unknown>;
  links: {traceId: string; spanId: string}[];
  /** 2 is an error. */
  status: number;
  resource: Record<string, unknown>;
}

type Field = {field: number; value: Buffer | bigint};

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly requests: {path: string; headers: IncomingHttpHeaders}[] = [];
  /** The status of the next answers. */
  status = 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver(createServer());
    receiver.#server.on('request', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', chunk => chunks.push(chunk));
      req.on('end', () => {
        receiver.requests.push({path: req.url ?? '', headers: req.headers});
        const body = Buffer.concat(chunks);
        if (receiver.status === 200)
          receiver.spans.push(
            ...readExport(req.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body),
          );
        res.writeHead(receiver.status, {'content-type': 'application/x-protobuf'}).end();
      });
    });
    await new Promise<void>(resolve => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }
}

function readExport(body: Buffer): ReceivedSpan[] {
  return messages(body, 1).flatMap(resourceSpans => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1);
    return messages(resourceSpans, 2).flatMap(scope =>
      messages(scope, 2).map(span => readSpan(span, resource)),
    );
  });
}

function readSpan(bytes: Buffer, resource: Record<string, unknown>): ReceivedSpan {
  const [status] = messages(bytes, 15);
  return {
    traceId: hex(bytes, 1),
    spanId: hex(bytes, 2),
    parentSpanId: hex(bytes, 4),
    name: messages(bytes, 5)[0]?.toString('utf8') ?? '',
    kind: Number(number(bytes, 6)),
    start: number(bytes, 7),
    end: number(bytes, 8),
    attributes: attributesOf(bytes, 9),
    links: messages(bytes, 13).map(link => ({traceId: hex(link, 1), spanId: hex(link, 2)})),
    status: status === undefined ? 0 : Number(number(status, 3)),
    resource,
  };
}

function attributesOf(bytes: Buffer, field: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(bytes, field).map(pair => [
      messages(pair, 1)[0]?.toString('utf8') ?? '',
      anyValue(messages(pair, 2)[0] ?? Buffer.alloc(0)),
    ]),
  );
}

function anyValue(bytes: Buffer): unknown {
  const [one] = fields(bytes);
  if (one === undefined) return undefined;
  if (typeof one.value === 'bigint') return one.field === 2 ? one.value !== 0n : Number(one.value);
  return one.field === 1 ? one.value.toString('utf8') : one.value;
}

const messages = (bytes: Buffer, field: number): Buffer[] =>
  fields(bytes).flatMap(one => (one.field === field && typeof one.value !== 'bigint' ? [one.value] : []));

const hex = (bytes: Buffer, field: number): string => messages(bytes, field)[0]?.toString('hex') ?? '';

function number(bytes: Buffer, field: number): bigint {
  const found = fields(bytes).find(one => one.field === field)?.value;
  return typeof found === 'bigint' ? found : 0n;
}

function fields(bytes: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('the message ends inside a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('the message ends inside a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field = tag >> 3;
    const wire = tag & 7;
    if (wire === 0) found.push({field, value: varint()});
    else if (wire === 1) found.push({field, value: take(8).readBigUInt64LE()});
    else if (wire === 2) found.push({field, value: take(Number(varint()))});
    else if (wire === 5) found.push({field, value: BigInt(take(4).readUInt32LE())});
    else throw new Error(`wire type ${wire} does not exist`);
  }
  return found;
}
