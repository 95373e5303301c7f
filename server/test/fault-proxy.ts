// A proxy that damages the connection between a client and an API server: resets, silence, errors, slowness,
// and streams that break, stutter or contain noise.

import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {Agent as HttpsAgent, request as httpsRequest} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import type {BandwidthLimit} from './bandwidth-limit.ts';

export interface Upstream {
  url: string;
  token: string;
  ca: string;
}

/** One request that passed. */
export interface ProxiedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  watch: boolean;
  /** Whether the response may be compressed. */
  gzip: boolean;
  /** The time of the request, by performance.now(). */
  at: number;
}

/** What to do to one request, and from which byte or line of its response on. */
export type Fault =
  | {kind: 'reset'}
  | {kind: 'hang'}
  | {kind: 'answer'; code: number; headers?: Record<string, string>; body?: unknown}
  | {kind: 'slow'; ms: number}
  | {kind: 'reset-after'; bytes: number}
  | {kind: 'truncate-after'; bytes: number}
  | {kind: 'silence-after'; bytes: number}
  | {kind: 'split'; size: number}
  | {kind: 'duplicate'}
  | {kind: 'edit'; line(text: string): string}
  | {kind: 'garbage-after'; lines: number; line?: string};

/** Decides about a request. The first rule with a result wins, and `pass` stops the search. */
type FaultRule = (seen: ProxiedRequest) => Fault | 'pass' | undefined;

export function statusBody(code: number, reason: string, message: string, details?: object): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
    ...(details ? {details} : {}),
  };
}

export class FaultProxy {
  readonly seen: ProxiedRequest[] = [];
  rules: FaultRule[] = [];
  /** The bandwidth of responses; undefined is unlimited. */
  line: BandwidthLimit | undefined;
  /** Accepted bearer tokens; undefined accepts all. */
  tokens: Set<string> | undefined;
  #upstream: Upstream;
  #agent: HttpsAgent;
  #server: Server | undefined;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<ServerResponse>();
  readonly #answers = new Set<Damage>();
  #busy = 0;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
    this.#agent = new HttpsAgent({keepAlive: true, ca: upstream.ca});
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Requests whose response is still to come. */
  get busy(): number {
    return this.#busy;
  }

  /** Open watches. */
  get watches(): number {
    return this.#watches.size;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => this.#serve(request, response));
    server.keepAliveTimeout = 0;
    server.on('connection', socket => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    await new Promise<void>(resolve => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Refuses connections and breaks open ones until `start`. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.resetAll();
    await new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
  }

  async close(): Promise<void> {
    this.line?.stop();
    await this.stop();
    this.#agent.destroy();
  }

  resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Stops all data on open connections without closing them, like a half-open link. */
  silenceAll(): void {
    for (const damage of this.#answers) damage.silent = true;
  }

  /** Ends every open watch, as a server does after its timeout. */
  endWatches(): void {
    for (const response of this.#watches) response.end();
  }

  /** Sends later requests to another server. */
  switchTo(upstream: Upstream): void {
    this.#agent.destroy();
    this.#upstream = upstream;
    this.#agent = new HttpsAgent({keepAlive: true, ca: upstream.ca});
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://proxy');
    const watch = url.searchParams.get('watch') === 'true';
    const seen: ProxiedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      watch,
      gzip: request.headers['accept-encoding']?.includes('gzip') === true,
      at: performance.now(),
    };
    this.seen.push(seen);
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (this.tokens && !this.tokens.has(token)) {
      answer(response, {code: 401, body: statusBody(401, 'Unauthorized', 'Unauthorized')});
      return;
    }
    const fault = this.#decide(seen);
    const settled = fault?.kind === 'hang' ? () => {} : this.#count(response);
    switch (fault?.kind) {
      case 'reset':
        request.socket.resetAndDestroy();
        return;
      case 'hang':
        return;
      case 'answer':
        answer(response, fault);
        return;
      case 'slow':
        setTimeout(() => this.#forward(request, response, seen, undefined, settled), fault.ms);
        return;
      default:
        this.#forward(request, response, seen, fault, settled);
    }
  }

  /** Counts the request as busy until it is settled. */
  #count(response: ServerResponse): () => void {
    let counted = true;
    this.#busy++;
    const settled = () => {
      if (counted) this.#busy--;
      counted = false;
    };
    response.on('close', settled);
    return settled;
  }

  #decide(seen: ProxiedRequest): Fault | undefined {
    for (const rule of this.rules) {
      const fault = rule(seen);
      if (fault) return fault === 'pass' ? undefined : fault;
    }
    return undefined;
  }

  #forward(
    request: IncomingMessage,
    response: ServerResponse,
    seen: ProxiedRequest,
    fault: Fault | undefined,
    settled: () => void,
  ): void {
    if (response.destroyed) return;
    const {url, token, ca} = this.#upstream;
    const headers = {...request.headers, host: new URL(url).host, authorization: `Bearer ${token}`};
    const onward = httpsRequest(
      `${url}${request.url}`,
      {method: request.method ?? 'GET', headers, agent: this.#agent, ca},
      upstream => {
        const {'content-length': _, 'transfer-encoding': __, connection: ___, ...rest} = upstream.headers;
        response.writeHead(upstream.statusCode ?? 500, rest);
        response.flushHeaders();
        if (seen.watch) {
          this.#watches.add(response);
          settled();
        }
        if (this.line !== undefined) {
          const {line} = this;
          upstream.on('data', (chunk: Buffer) => line.write(response, chunk));
          upstream.on('end', () => line.end(response));
          upstream.on('error', () => response.destroy());
          return;
        }
        const damage = new Damage(fault, response, settled);
        this.#answers.add(damage);
        response.on('close', () => this.#answers.delete(damage));
        upstream.on('data', (chunk: Buffer) => damage.pass(chunk));
        upstream.on('end', () => damage.silent || response.end());
        upstream.on('error', () => response.destroy());
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => {
      this.#watches.delete(response);
      onward.destroy();
    });
    request.pipe(onward);
  }
}

function answer(
  response: ServerResponse,
  fault: {code: number; headers?: Record<string, string>; body?: unknown},
): void {
  const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {});
  response.writeHead(fault.code, {'content-type': 'application/json', ...fault.headers});
  response.end(text);
}

/** Damages the bytes of one response. */
class Damage {
  silent = false;
  readonly #fault: Fault | undefined;
  readonly #response: ServerResponse;
  readonly #onSilent: () => void;
  #passed = 0;
  #lines = 0;
  #pending = Buffer.alloc(0);

  constructor(fault: Fault | undefined, response: ServerResponse, onSilent: () => void) {
    this.#fault = fault;
    this.#response = response;
    this.#onSilent = onSilent;
  }

  pass(chunk: Buffer): void {
    if (this.silent || this.#response.writableEnded) return;
    switch (this.#fault?.kind) {
      case 'reset-after':
      case 'truncate-after':
      case 'silence-after':
        this.#cut(chunk, this.#fault);
        return;
      case 'split':
        for (let at = 0; at < chunk.length; at += this.#fault.size)
          this.#response.write(chunk.subarray(at, at + this.#fault.size));
        return;
      case 'duplicate':
        this.#eachLine(chunk, line => this.#response.write(Buffer.concat([line, line])));
        return;
      case 'edit': {
        const {line: edit} = this.#fault;
        this.#eachLine(chunk, line => this.#response.write(edit(line.toString('utf8'))));
        return;
      }
      case 'garbage-after':
        this.#garble(chunk, this.#fault);
        return;
      default:
        this.#response.write(chunk);
    }
  }

  #cut(chunk: Buffer, fault: {kind: string; bytes: number}): void {
    const room = fault.bytes - this.#passed;
    this.#passed += chunk.length;
    if (chunk.length < room) {
      this.#response.write(chunk);
      return;
    }
    this.silent = true;
    this.#onSilent();
    const last = chunk.subarray(0, room);
    if (fault.kind === 'silence-after') this.#response.write(last);
    else if (fault.kind === 'truncate-after') this.#response.end(last);
    else this.#response.write(last, () => this.#response.socket?.resetAndDestroy());
  }

  #garble(chunk: Buffer, fault: {lines: number; line?: string}): void {
    this.#eachLine(chunk, line => {
      if (this.#lines++ === fault.lines) this.#response.write(`${fault.line ?? '{"type":"ADDED","obj'}\n`);
      this.#response.write(line);
    });
  }

  #eachLine(chunk: Buffer, write: (line: Buffer) => void): void {
    let rest = Buffer.concat([this.#pending, chunk]);
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      write(rest.subarray(0, at + 1));
      rest = rest.subarray(at + 1);
    }
    this.#pending = rest;
  }
}
