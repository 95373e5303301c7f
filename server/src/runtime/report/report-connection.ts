// One socket to krtscope, opened again and again. It never keeps the program alive, and never takes in more
// unsent bytes than the limit: what goes beyond it is refused to the caller.

import type {ToProgram} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {WebSocket} from 'ws';
import {findTarget, type ReportTarget} from './report-target.ts';

export interface ReportConnectionEvents {
  /** The socket is open: say hello. */
  onOpen(): void;
  onMessage(message: ToProgram): void;
  onClose(): void;
}

/** A way to whoever listens: a socket here, in the demo the channel between two processes. */
export interface ReportChannel {
  /** Bytes that were taken and have not left. */
  readonly unsent: number;
  /** False: it was not taken, because too much waits already or nobody listens. */
  send(text: string): boolean;
  /** It is heard. */
  welcomed(): void;
  /** It is not wanted; `retry`: coming back later may help. */
  reject(retry: boolean): void;
  end(): void;
}

export interface ReportConnectionOptions {
  env?: Record<string, string | undefined> | undefined;
  /** Milliseconds between two looks for somebody who listens, doubled with each failure up to 30 s. */
  retry?: number | undefined;
  unsentBytes?: number | undefined;
}

const longestWait = 30_000;

export class ReportConnection implements ReportChannel {
  readonly #events: ReportConnectionEvents;
  readonly #options: ReportConnectionOptions;
  readonly #limit: number;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #ended = false;

  constructor(events: ReportConnectionEvents, options: ReportConnectionOptions = {}) {
    this.#events = events;
    this.#options = options;
    this.#limit = options.unsentBytes ?? programLimits.unsentBytes;
    this.#wait(0);
  }

  get unsent(): number {
    return this.#socket?.bufferedAmount ?? 0;
  }

  send(text: string): boolean {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return false;
    // A character is at most three bytes; most are one. Counting exactly costs as much as sending.
    if (socket.bufferedAmount + text.length > this.#limit) return false;
    try {
      socket.send(text);
    } catch {
      return false;
    }
    return true;
  }

  /** No further tries; what was taken is sent first, if that takes less than a second. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    setTimeout(() => socket.terminate(), 1000).unref();
  }

  /** Comes back later, if at all. */
  reject(retry: boolean): void {
    if (!retry) this.#ended = true;
    this.#failures = Math.max(this.#failures, 5);
    this.#socket?.terminate();
  }

  #wait(ms: number): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => this.#connect(), ms);
    this.#timer.unref();
  }

  #connect(): void {
    const target = findTarget(this.#options.env);
    if (target === 'off') return;
    if (!target) return this.#again();
    try {
      this.#open(target);
    } catch {
      // An address that no socket takes.
      this.#again();
    }
  }

  #open({url, token}: ReportTarget): void {
    const socket = new WebSocket(url, {
      headers: token ? {authorization: `Bearer ${token}`} : {},
      handshakeTimeout: 5000,
      perMessageDeflate: false,
      // What the server says is short; more than this is not krtscope.
      maxPayload: 64 * 1024,
      finishRequest: request => {
        request.on('socket', tcp => tcp.unref());
        request.end();
      },
    });
    this.#socket = socket;
    socket.on('open', () => this.#safely(() => this.#events.onOpen()));
    socket.on('message', data =>
      this.#safely(() => this.#events.onMessage(JSON.parse(String(data)) as ToProgram)),
    );
    // Every error is followed by a close.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#safely(() => this.#events.onClose());
      this.#again();
    });
  }

  /** It is heard: the next interruption is looked after quickly again. */
  welcomed(): void {
    this.#failures = 0;
  }

  #again(): void {
    const wait = Math.min((this.#options.retry ?? 1000) * 2 ** this.#failures++, longestWait);
    this.#wait(wait * (0.5 + Math.random()));
  }

  /** Whatever the other side says, the program goes on. */
  #safely(act: () => void): void {
    try {
      act();
    } catch {
      this.#socket?.terminate();
    }
  }
}
