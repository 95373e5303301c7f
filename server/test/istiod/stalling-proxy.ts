// A TCP proxy in front of an API server that can hold back everything the server sends.
import {type AddressInfo, createConnection, createServer, type Server, type Socket} from 'node:net';

export class StallingProxy {
  readonly #server: Server;
  /** Connections to the API server. */
  readonly #upstream = new Set<Socket>();
  #isHeld = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** In front of an `https://` address. */
  static async start(url: string): Promise<StallingProxy> {
    const {hostname, port} = new URL(url);
    const server = createServer();
    const proxy = new StallingProxy(server);
    server.on('connection', client => proxy.#connect(client, hostname, Number(port)));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()));
    return proxy;
  }

  #connect(client: Socket, host: string, port: number): void {
    const upstream = createConnection({host, port});
    this.#upstream.add(upstream);
    client.pipe(upstream);
    upstream.on('data', data => client.write(data));
    if (this.#isHeld) upstream.pause();
    const end = () => {
      this.#upstream.delete(upstream);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('close', end).on('error', end);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  hold(): void {
    this.#isHeld = true;
    for (const socket of this.#upstream) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const socket of this.#upstream) socket.resume();
  }

  stop(): void {
    for (const socket of this.#upstream) socket.destroy();
    this.#server.close();
  }
}
