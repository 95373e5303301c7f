// A thousand changes a second: writes labels and annotations to Pods at a fixed rate. Pipelines requests over
// several connections so that the writer is not the bottleneck.
import {connect, type TLSSocket} from 'node:tls';
import type {DynamicClient} from '../../server/src/kube/client/dynamic-client.ts';
import {type Kubeconfig, readKubeconfig} from '../../server/src/kube/credentials/kubeconfig.ts';
import {resources} from '../../server/src/kube/resource.ts';

const CONNECTIONS = 40;
/** Pipelined requests per connection. Node's server stalls with many more. */
const MAX_UNDER_WAY = 4;
/**
 * One write in this many is a label, which makes formulas run; the others are annotations, which mostly stop at
 * once.
 */
const LABELS = 20;

export interface WriteLoad {
  written: number;
  refused: number;
  seconds: number;
}

/** Writes for `seconds` at `rate` a second and waits for the last answer. */
export async function runWriteLoad(
  kubeconfig: string,
  client: DynamicClient,
  rate: number,
  seconds: number,
): Promise<WriteLoad> {
  const {items} = await client.list(resources.Pods);
  const paths = items.map(
    ({metadata}) => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}?fieldManager=storm`,
  );
  const lines = await Promise.all(
    Array.from({length: CONNECTIONS}, () => WriteConnection.open(readKubeconfig([kubeconfig]))),
  );
  const started = performance.now();
  let asked = 0;
  while (performance.now() - started < seconds * 1000) {
    const due = ((performance.now() - started) / 1000) * rate;
    for (const line of lines) {
      while (asked < due && line.underWay < MAX_UNDER_WAY) {
        const number = asked++;
        const what = number % LABELS === 0 ? 'labels' : 'annotations';
        line.patch(paths[number % paths.length]!, `{"metadata":{"${what}":{"tick":"${number}"}}}`);
      }
    }
    await new Promise(resolve => setTimeout(resolve, 4));
  }
  await Promise.all(lines.map(line => line.close()));
  const sum = (of: (line: WriteConnection) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    written: sum(line => line.written),
    refused: sum(line => line.refused),
    seconds: (performance.now() - started) / 1000,
  };
}

/** One connection: sends without waiting and only counts answers. */
class WriteConnection {
  underWay = 0;
  written = 0;
  refused = 0;
  readonly #socket: TLSSocket;
  readonly #head: string;
  #rest = Buffer.alloc(0);
  #skip = 0;
  #idle: () => void = () => {};

  constructor(socket: TLSSocket, host: string, token: string) {
    this.#socket = socket;
    this.#head = [
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      'Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      'Content-Type: application/merge-patch+json',
    ].join('\r\n');
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
  }

  static open({clusters, users}: Kubeconfig): Promise<WriteConnection> {
    const [cluster] = clusters.values();
    const [user] = users.values();
    const {hostname, port, host} = new URL(cluster!.server);
    const ca = Buffer.from(cluster!['certificate-authority-data'] ?? '', 'base64');
    return new Promise((resolve, reject) => {
      const socket = connect({host: hostname, port: Number(port), ca}, () =>
        resolve(new WriteConnection(socket, host, user?.token ?? '')),
      );
      socket.once('error', reject);
    });
  }

  patch(path: string, body: string): void {
    this.underWay++;
    const length = Buffer.byteLength(body);
    this.#socket.write(`PATCH ${path} HTTP/1.1\r\n${this.#head}\r\nContent-Length: ${length}\r\n\r\n${body}`);
  }

  async close(): Promise<void> {
    if (this.underWay > 0) await new Promise<void>(resolve => (this.#idle = resolve));
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    let at = Math.min(this.#skip, bytes.length);
    this.#skip -= at;
    if (at === bytes.length) return;
    let rest = Buffer.concat([this.#rest, bytes.subarray(at)]);
    at = 0;
    for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n', at)) {
      const head = rest.toString('latin1', at, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      this.#answered(head);
      const next = end + 4 + length;
      this.#skip = Math.max(0, next - rest.length);
      at = Math.min(next, rest.length);
      if (at === rest.length) break;
    }
    rest = rest.subarray(at);
    this.#rest = rest;
  }

  #answered(head: string): void {
    this.underWay--;
    if (/^HTTP\/1\.1 200 /.test(head)) this.written++;
    else this.refused++;
    if (this.underWay === 0) this.#idle();
  }
}
