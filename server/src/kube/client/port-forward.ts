// A connection to a port of a Pod, through the API server. One WebSocket carries one connection: channel 0 has its
// bytes, channel 1 its errors, and each begins with the number of the port.
import {Duplex} from 'node:stream';
import type {ServerSocket} from '../transport/server-socket.ts';
import type {Transport} from '../transport/transport.ts';

const PROTOCOL = 'v4.channel.k8s.io';
const DATA = 0;
const ERROR = 1;

export interface PodPort {
  namespace: string;
  pod: string;
  port: number;
}

/** Needs the right to create pods/portforward. Rejects if the API server refuses. */
export async function openPodPort(transport: Transport, {namespace, pod, port}: PodPort): Promise<Duplex> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward`;
  const socket = await transport.webSocket(path, {ports: port}, [PROTOCOL]);
  return new PodConnection(socket, `${namespace}/${pod}:${port}`);
}

class PodConnection extends Duplex {
  readonly #socket: ServerSocket;
  /** The channels whose first frame, the port, has arrived. */
  readonly #begun = new Set<number>();

  constructor(socket: ServerSocket, name: string) {
    super();
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({data}) => this.#receive(Buffer.from(data as ArrayBuffer), name));
    socket.addEventListener('close', () => this.push(null));
    socket.addEventListener('error', ({message}) => this.destroy(new Error(`${name}: ${message}`)));
  }

  /** The http module treats a connection as a socket. */
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#socket.send(Buffer.concat([Buffer.of(DATA), piece]));
    done();
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.close();
    done(error);
  }

  #receive(frame: Buffer, name: string): void {
    const channel = frame[0] ?? DATA;
    const bytes = frame.subarray(1);
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      return;
    }
    if (channel === DATA) this.push(bytes);
    else if (channel === ERROR && bytes.length > 0)
      this.destroy(new Error(`${name}: ${bytes.toString('utf8').trim().slice(0, 300)}`));
  }
}
