// Requests to one cluster as one user: pooled connections, typed errors, timeouts, Retry-After, cancellation.
// Knows HTTP and Status, not resources: client.ts builds the paths, reflector.ts decides when to ask again.

import type {IncomingHttpHeaders} from 'node:http';
import {arch, platform} from 'node:process';
import type {Readable} from 'node:stream';
import {type Dispatcher, request} from 'undici';
import {type Clock, sleep, systemClock} from '../clock.ts';
import type {Credentials} from '../credentials/credentials.ts';
import type {TlsMaterial} from '../credentials/endpoint.ts';
import {ApiError, ConnectionError, ReadOnlyError} from '../error.ts';
import {makeDispatcher} from './dispatcher.ts';
import {parseBody, type RawResponse, readError, readText, warningsOf} from './response.ts';
import {TimeLimit} from './time-limit.ts';

export const userAgent = `krtscope/0.1.0 (${platform}/${arch})`;

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** Resolves when a request may leave, or when the signal aborts. */
export type RequestGate = (signal: AbortSignal) => Promise<void>;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the server's root, already percent-encoded. */
  path: string;
  query?: Query | undefined;
  accept?: string | undefined;
  /** Sent as JSON unless it is text already. */
  body?: unknown;
  contentType?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which it is given up; for a stream, until its headers. */
  timeout?: number | undefined;
  /** The link is known to be slow: the answer is worth compressing, wherever the server is. */
  compress?: boolean | undefined;
  /** How often 429 and 5xx with Retry-After are waited for and sent again. */
  retries?: number | undefined;
  /** Waited for before each request that leaves, those that are sent again too. */
  turn?: RequestGate | undefined;
}

export interface Answer<T> {
  code: number;
  headers: IncomingHttpHeaders;
  warnings: string[];
  body: T;
}

export interface TransportOptions {
  /** Only GET leaves. On unless switched off: krtscope reads clusters, it never changes them. */
  readOnly?: boolean;
  clock?: Clock;
  /** Told of every answer and failure; `code` 0 is a failure to connect. */
  onAnswer?: (seen: {method: string; path: string; code: number; ms: number}) => void;
  onWarning?: (warning: string) => void;
}

/** What a client needs of a transport: tests and the embedded cluster hand in one without a network. */
export type Wire = Pick<Transport, 'server' | 'readOnly' | 'clock' | 'request' | 'stream' | 'close'>;

const defaultTimeout = 30_000;
const defaultRetries = 10;
/** Bytes a millisecond: below this a link is slow enough for compression to pay. */
const slowLink = 2000;

export class Transport {
  readonly server: string;
  readonly readOnly: boolean;
  readonly clock: Clock;
  readonly #credentials: Credentials;
  readonly #options: TransportOptions;
  #compress: boolean;
  readonly #closing = new AbortController();
  #agent: {dispatcher: Dispatcher; tls: TlsMaterial} | undefined;

  constructor(credentials: Credentials, options: TransportOptions = {}) {
    this.#credentials = credentials;
    this.#options = options;
    this.server = credentials.endpoint.server;
    this.readOnly = options.readOnly ?? true;
    this.clock = options.clock ?? systemClock;
    const {hostname} = new URL(this.server);
    // Compressing what never leaves the machine costs both sides time and saves nothing, unless a tunnel to a far
    // one begins here: #weigh finds out.
    this.#compress = !/^(localhost|127\.|\[::1\])/.test(hostname);
  }

  /** One request and its whole JSON answer. Throws ApiError, ConnectionError, ReadOnlyError or the abort reason. */
  async request<T = unknown>(options: RequestOptions): Promise<Answer<T>> {
    const retries = options.retries ?? defaultRetries;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once<T>(options);
      } catch (error) {
        const wait =
          error instanceof ApiError && (error.code === 429 || error.code >= 500)
            ? error.retryAfter
            : undefined;
        if (wait === undefined || attempt >= retries) throw error;
        await sleep(this.clock, wait * 1000, options.signal);
        options.signal?.throwIfAborted();
      }
    }
  }

  /** Opens an answer that does not end, as a watch does. Aborting the signal closes it. */
  async stream(options: RequestOptions): Promise<Answer<Readable>> {
    const limit = new TimeLimit(this.clock, options.timeout ?? defaultTimeout, [
      options.signal,
      this.#closing.signal,
    ]);
    try {
      const answer = await this.#send(options, limit, true);
      if (answer.statusCode !== 200) throw this.#told(await readError(answer, limit));
      return {code: 200, headers: answer.headers, warnings: warningsOf(answer.headers), body: answer.body};
    } finally {
      limit.lift();
    }
  }

  /** Ends every request and stream; nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#closing.abort(new ConnectionError('other', 'request', 'the transport was closed'));
    await this.#agent?.dispatcher.destroy();
  }

  async #once<T>(options: RequestOptions): Promise<Answer<T>> {
    const limit = new TimeLimit(this.clock, options.timeout ?? defaultTimeout, [
      options.signal,
      this.#closing.signal,
    ]);
    try {
      const answer = await this.#send(options, limit, false);
      if (answer.statusCode >= 400) throw this.#told(await readError(answer, limit));
      const started = this.clock.now();
      const text = await readText(answer, limit, bytes => this.#weigh(bytes, this.clock.now() - started));
      const warnings = warningsOf(answer.headers);
      for (const warning of warnings) this.#options.onWarning?.(warning);
      return {code: answer.statusCode, headers: answer.headers, warnings, body: parseBody(text, answer) as T};
    } finally {
      limit.lift();
    }
  }

  /** "Unauthorized" alone leaves a person guessing. */
  #told(error: ApiError): ApiError {
    const why = error.code === 401 ? this.#credentials.why?.() : undefined;
    if (why === undefined) return error;
    return new ApiError(error.code, `${error.message}: ${why}`, error.status, error.retryAfter);
  }

  /** A large answer that came slowly: the next one is asked for in a smaller form. */
  #weigh(bytes: number, ms: number): void {
    if (bytes > 32 * 1024 && ms > 0 && bytes / ms < slowLink) this.#compress = true;
  }

  async #send(options: RequestOptions, limit: TimeLimit, streaming: boolean): Promise<RawResponse> {
    const method = options.method ?? 'GET';
    if (this.readOnly && method !== 'GET')
      throw new ReadOnlyError(`krtscope only reads: ${method} ${options.path} was not sent`);
    const what = `${method} ${this.server}${options.path}`;
    let stale = false;
    for (let attempt = 0; ; attempt++) {
      if (options.turn !== undefined) {
        await options.turn(limit.signal);
        limit.heard();
      }
      if (limit.signal.aborted) throw limit.explain(limit.signal.reason, 'request', what);
      const started = this.clock.now();
      const told = (code: number) =>
        this.#options.onAnswer?.({method, path: options.path, code, ms: this.clock.now() - started});
      let answer: RawResponse;
      try {
        answer = await this.#raw(method, options, limit, streaming);
      } catch (error) {
        told(0);
        const problem = limit.explain(error, 'request', what);
        // A kept connection that the server closed meanwhile says nothing about the server: ask once more.
        const again = method === 'GET' && attempt === 0 && problem instanceof ConnectionError;
        if (again && problem.failure === 'reset') continue;
        throw problem;
      }
      told(answer.statusCode);
      if (answer.statusCode === 401 && !stale && this.#credentials.refresh()) {
        stale = true;
        answer.body.resume();
        continue;
      }
      return answer;
    }
  }

  async #raw(
    method: string,
    options: RequestOptions,
    limit: TimeLimit,
    streaming: boolean,
  ): Promise<RawResponse> {
    const {headers, tls} = await this.#credentials.authorize();
    const text =
      options.body === undefined || typeof options.body === 'string'
        ? options.body
        : JSON.stringify(options.body);
    return request(`${this.server}${options.path}${encodeQuery(options.query)}`, {
      dispatcher: this.#dispatcher(tls),
      method: method as Dispatcher.HttpMethod,
      headers: {
        accept: options.accept ?? 'application/json',
        'user-agent': userAgent,
        ...((this.#compress || options.compress === true) && !streaming ? {'accept-encoding': 'gzip'} : {}),
        ...(text === undefined ? {} : {'content-type': options.contentType ?? 'application/json'}),
        ...headers,
      },
      body: text ?? null,
      signal: limit.signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  #dispatcher(tls: TlsMaterial): Dispatcher {
    const current = this.#agent;
    if (current && isSameMaterial(current.tls.cert, tls.cert) && isSameMaterial(current.tls.key, tls.key))
      return current.dispatcher;
    // Rotated client certificates: running answers end on the old connections, new ones use the new.
    if (current) void current.dispatcher.close().catch(() => {});
    const dispatcher = makeDispatcher(
      {...this.#credentials.endpoint.tls, ...tls},
      this.#credentials.endpoint.proxy,
    );
    this.#agent = {dispatcher, tls};
    return dispatcher;
  }
}

function isSameMaterial(a: Buffer | string | undefined, b: Buffer | string | undefined): boolean {
  return a === b || String(a) === String(b);
}

function encodeQuery(query: Query | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) pairs.append(name, one);
    else pairs.append(name, String(value));
  }
  const text = pairs.toString();
  return text && `?${text}`;
}
