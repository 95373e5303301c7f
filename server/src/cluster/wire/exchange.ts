// One HTTP request and its response: headers, negotiation, pretty printing, warnings.
import {randomUUID} from 'node:crypto';
import type {IncomingMessage, OutgoingHttpHeaders} from 'node:http';
import type {Readable, Writable} from 'node:stream';
import type {JsonObject} from '../object/stored-object.ts';
import {StatusError} from './responses/status-error.ts';

/** The used part of an HTTP request. Local requests have it, too. */
export type RequestSide = Readable & Pick<IncomingMessage, 'method' | 'url' | 'headers'>;
export interface ResponseSide extends Writable {
  readonly headersSent: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  writeHead(code: number, headers: OutgoingHttpHeaders): unknown;
  flushHeaders(): void;
}

export class Exchange {
  readonly request: RequestSide;
  readonly response: ResponseSide;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly warnings: string[] = [];
  /** Set once the request is authenticated. */
  user: {name: string; groups: string[]} | undefined;

  constructor(request: RequestSide, response: ResponseSide) {
    this.request = request;
    this.response = response;
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
    response.setHeader('audit-id', randomUUID());
    response.setHeader('cache-control', 'no-cache, private');
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get accept(): string {
    return this.request.headers.accept ?? '';
  }

  get contentType(): string {
    return this.request.headers['content-type'] ?? '';
  }

  get userAgent(): string {
    return this.request.headers['user-agent'] ?? '';
  }

  /** The field manager defaults to the first word of the user agent. */
  get manager(): string {
    const named = this.query.get('fieldManager') ?? '';
    if (named !== '') return named;
    return this.userAgent.split('/')[0]!.slice(0, 128) || 'unknown';
  }

  get pretty(): boolean {
    const pretty = this.query.get('pretty');
    if (pretty !== null) return pretty === 'true' || pretty === '1' || pretty === '';
    return /^(curl|Wget|Mozilla\/5\.0)/.test(this.userAgent);
  }

  json(code: number, body: JsonObject | object, contentType = 'application/json'): void {
    this.text(code, JSON.stringify(body, undefined, this.pretty ? 2 : undefined), contentType);
  }

  text(code: number, body: string, contentType: string): void {
    this.sendWarnings();
    this.response.writeHead(code, {'content-type': contentType, 'content-length': Buffer.byteLength(body)});
    this.response.end(body);
  }

  /** Sends each warning once, as the real server does. */
  sendWarnings(): void {
    const unique = [...new Set(this.warnings)];
    if (unique.length > 0)
      this.response.setHeader(
        'warning',
        unique.map(w => `299 - ${JSON.stringify(w)}`),
      );
  }

  fail(error: unknown): void {
    const status = error instanceof StatusError ? error : internal(error);
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    const retry = status.details?.retryAfterSeconds;
    if (retry !== undefined) this.response.setHeader('retry-after', String(retry));
    this.json(status.code, status.body());
  }
}

function internal(error: unknown): StatusError {
  const message = error instanceof Error ? error.message : String(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {causes: [{message}]});
}
