// A connection in memory whose requests, responses and watch events take virtual time. The seed decides how
// long, and so in which order they arrive.

import {Readable} from 'node:stream';
import type {Answer, RequestOptions, Wire} from '../../kube/transport/transport.ts';
import type {VirtualClock} from './virtual-clock.ts';

/** The range of the time that a message takes, in milliseconds. */
export interface MessageDelays {
  min: number;
  max: number;
}

export class DelayedWire implements Wire {
  readonly server: string;
  readonly readOnly = false;
  readonly clock: VirtualClock;
  readonly #inner: Wire;
  readonly #delays: MessageDelays;
  readonly #onRequest: (line: string) => void;

  constructor(inner: Wire, clock: VirtualClock, delays: MessageDelays, onRequest: (line: string) => void) {
    this.server = inner.server;
    this.#inner = inner;
    this.clock = clock;
    this.#delays = delays;
    this.#onRequest = onRequest;
  }

  async request<T = unknown>(options: RequestOptions): Promise<Answer<T>> {
    await this.#travel(options.signal);
    this.#onRequest(describeRequest(options));
    try {
      return await this.#inner.request<T>(options);
    } finally {
      await this.#travel(options.signal);
    }
  }

  async stream(options: RequestOptions): Promise<Answer<Readable>> {
    await this.#travel(options.signal);
    this.#onRequest(describeRequest(options));
    const answer = await this.#inner.stream(options);
    return {...answer, body: this.#delayLines(answer.body)};
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Events of one watch keep their order. Those of two watches may overtake each other. */
  #delayLines(source: Readable): Readable {
    let rest = '';
    let due = 0;
    const body = new Readable({read() {}});
    const deliver = (act: () => void) => {
      due = Math.max(due, this.clock.now() + this.#delay());
      this.clock.after(due - this.clock.now(), act);
    };
    source.setEncoding('utf8');
    source.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) deliver(() => body.push(`${line}\n`));
    });
    source.on('end', () => deliver(() => body.push(null)));
    source.on('close', () => {
      if (!source.readableEnded) body.destroy();
    });
    body.on('close', () => source.destroy());
    return body;
  }

  #delay(): number {
    const {min, max} = this.#delays;
    return min + this.clock.random() * (max - min);
  }

  /** Rejects when the signal aborts on the way. */
  #travel(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.clock.after(this.#delay(), () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, {once: true});
    });
  }
}

function describeRequest({method = 'GET', path, query = {}}: RequestOptions): string {
  const search = Object.entries(query)
    // The client chooses the timeout of a watch at random.
    .filter(([name, value]) => value !== undefined && name !== 'timeoutSeconds')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('&');
  return `${method} ${path}${search === '' ? '' : `?${search}`}`;
}
