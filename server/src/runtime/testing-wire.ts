// A simple server in memory for unit tests: lists, watches, writes, and a log of every request. Integration tests use
// real servers.

import {Readable} from 'node:stream';
import {systemClock} from '../kube/clock.ts';
import {ApiError} from '../kube/error.ts';
import type {KubeObject} from '../kube/object.ts';
import type {Answer, RequestOptions, Wire} from '../kube/transport/transport.ts';

export class TestWire implements Wire {
  readonly server = 'memory';
  readonly readOnly = false;
  readonly clock = systemClock;
  /** Requests in order: `GET /api/v1/pods?…`. */
  readonly log: string[] = [];
  readonly sent: unknown[] = [];
  readonly objects = new Map<string, KubeObject[]>();
  readonly #watches: {path: string; stream: Readable}[] = [];
  #version = 100;
  /** Answers first, if it returns a value. */
  answer: (options: RequestOptions) => unknown = () => undefined;

  /** Adds objects to a path, such as /api/v1/pods. */
  put(path: string, ...objects: KubeObject[]): this {
    this.objects.set(path, [...(this.objects.get(path) ?? []), ...objects]);
    return this;
  }

  emit(path: string, type: string, object: KubeObject): void {
    const line = `${JSON.stringify({type, object: {...object, metadata: {...object.metadata, resourceVersion: String(++this.#version)}}})}\n`;
    for (const watch of this.#watches) if (watch.path === path) watch.stream.push(line);
  }

  async request<T>(options: RequestOptions): Promise<Answer<T>> {
    const {method = 'GET', path} = options;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) query.set(name, String(value));
    this.log.push(`${method} ${path}${query.size ? `?${decodeURIComponent(query.toString())}` : ''}`);
    if (method !== 'GET')
      this.sent.push(typeof options.body === 'string' ? JSON.parse(options.body) : options.body);
    const given = this.answer(options);
    if (given instanceof Error) throw given;
    const body = given ?? (method === 'GET' ? this.#read(path) : options.body);
    return {code: 200, headers: {}, warnings: [], body: body as T};
  }

  async stream(options: RequestOptions): Promise<Answer<Readable>> {
    this.log.push(`WATCH ${options.path}`);
    const stream = new Readable({read() {}});
    this.#watches.push({path: options.path, stream});
    options.signal?.addEventListener('abort', () => stream.destroy());
    stream.on('error', () => {});
    return {code: 200, headers: {}, warnings: [], body: stream};
  }

  async close(): Promise<void> {}

  #read(path: string): unknown {
    if (path === '/api') return {versions: ['v1']};
    if (path === '/apis') return {groups: []};
    const items = this.objects.get(path);
    if (!items) throw new ApiError(404, `${path} not found`);
    return {metadata: {resourceVersion: String(this.#version)}, items};
  }
}
