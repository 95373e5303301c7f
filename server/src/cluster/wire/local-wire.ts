// The API without a network. Requests from this process take the same path as HTTP requests, from
// authorization to the Status, without a socket. The cluster's controllers use it.
import type {IncomingHttpHeaders, OutgoingHttpHeaders} from 'node:http';
import {Readable, Writable} from 'node:stream';
import {type Clock, systemClock} from '../../kube/clock.ts';
import {ApiError} from '../../kube/error.ts';
import {isStatus} from '../../kube/object.ts';
import type {Answer, RequestOptions, Wire} from '../../kube/transport/transport.ts';
import type {Api} from '../api.ts';
import type {RequestSide, ResponseSide} from './exchange.ts';
import {answerRequest} from './https-server.ts';
import type {RbacAccess} from './rbac-access.ts';

interface LocalWireOptions {
  /** The token whose rights the requests have. */
  token: string;
  userAgent: string;
  clock?: Clock | undefined;
}

export class LocalWire implements Wire {
  readonly server = 'in-process';
  readonly readOnly = false;
  readonly clock: Clock;
  readonly #api: Api;
  readonly #access: RbacAccess;
  readonly #options: LocalWireOptions;
  readonly #streams = new Set<LocalResponse>();

  constructor(api: Api, access: RbacAccess, options: LocalWireOptions) {
    this.#api = api;
    this.#access = access;
    this.#options = options;
    this.clock = options.clock ?? systemClock;
  }

  async request<T = unknown>(options: RequestOptions): Promise<Answer<T>> {
    options.signal?.throwIfAborted();
    const response = new LocalResponse();
    const ended = response.ended();
    await answerRequest(this.#api, this.#access, this.#ask(options), response);
    const text = await ended;
    if (response.code >= 400) throw refusalError(response.code, text);
    const body = (text === '' ? undefined : JSON.parse(text)) as T;
    return {code: response.code, headers: response.headers, warnings: [], body};
  }

  async stream(options: RequestOptions): Promise<Answer<Readable>> {
    options.signal?.throwIfAborted();
    const response = new LocalResponse();
    await answerRequest(this.#api, this.#access, this.#ask(options), response);
    if (response.code >= 400) throw refusalError(response.code, await response.ended());
    this.#streams.add(response);
    const body = response.readable();
    const end = () => body.destroy();
    options.signal?.addEventListener('abort', end, {once: true});
    body.on('close', () => {
      options.signal?.removeEventListener('abort', end);
      this.#streams.delete(response);
      response.destroy();
    });
    return {code: 200, headers: {}, warnings: [], body};
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
  }

  #ask({method = 'GET', path, query = {}, accept, body, contentType}: RequestOptions): RequestSide {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
    }
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers: IncomingHttpHeaders = {
      authorization: `Bearer ${this.#options.token}`,
      'user-agent': this.#options.userAgent,
      accept: accept ?? 'application/json',
      ...(text !== undefined && {'content-type': contentType ?? 'application/json'}),
    };
    const url = search.size === 0 ? path : `${path}?${search}`;
    return Object.assign(Readable.from(text === undefined ? [] : [Buffer.from(text)]), {
      method,
      url,
      headers,
    });
  }
}

function refusalError(code: number, text: string): ApiError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // Paths outside the API are refused in plain text.
  }
  return new ApiError(
    code,
    isStatus(body) && body.message ? body.message : text,
    isStatus(body) ? body : undefined,
  );
}

/** A response that is read whole, or in pieces for a watch. */
class LocalResponse extends Writable implements ResponseSide {
  code = 200;
  headers: IncomingHttpHeaders = {};
  headersSent = false;
  #chunks: Buffer[] = [];
  #reader: Readable | undefined;
  #resume: (() => void) | undefined;

  /** Ignores warnings, which are for people, and the content type, which is always JSON. */
  setHeader(): void {}

  writeHead(code: number, headers: OutgoingHttpHeaders): void {
    this.code = code;
    this.headers = {'content-type': String(headers['content-type'])};
    this.headersSent = true;
  }

  flushHeaders(): void {
    this.headersSent = true;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.#reader) this.#chunks.push(chunk);
    else if (!this.#reader.push(chunk)) {
      this.#resume = done;
      return;
    }
    done();
  }

  override _final(done: () => void): void {
    this.#reader?.push(null);
    done();
  }

  /** The whole response, once it has ended. */
  ended(): Promise<string> {
    return new Promise(resolve => {
      this.once('close', () => resolve(Buffer.concat(this.#chunks).toString()));
    });
  }

  /** A stream from the first unread byte. */
  readable(): Readable {
    const reader = new Readable({
      read: () => {
        const resume = this.#resume;
        this.#resume = undefined;
        resume?.();
      },
    });
    this.#reader = reader;
    for (const chunk of this.#chunks) reader.push(chunk);
    this.#chunks = [];
    if (this.writableFinished) reader.push(null);
    this.once('close', () => {
      if (!this.writableFinished) reader.destroy();
    });
    return reader;
  }
}
