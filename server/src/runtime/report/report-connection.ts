// A WebSocket to krtscope that reconnects. It never keeps the program alive, and it refuses messages beyond its limit
// of unsent bytes.

import type {ToProgram} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {WebSocket} from 'ws';
import {findTarget, type ReportTarget} from './report-target.ts';

export interface ReportConnectionEvents {
  /** The socket is open; send hello now. */
  onOpen(): void;
  onMessage(message: ToProgram): void;
  onClose(): void;
}

/** A connection to krtscope: a socket, or the process channel of the demo. */
export interface ReportChannel {
  /** Accepted bytes that have not been sent. */
  readonly unsent: number;
  /** Returns false if too many bytes wait or there is no connection. */
  send(text: string): boolean;
  /** krtscope has accepted the program. */
  welcomed(): void;
  /** krtscope has rejected the program. `retry`: a later try may succeed. */
  reject(retry: boolean): void;
  end(): void;
}

export interface ReportConnectionOptions {
  env?: Record<string, string | undefined> | undefined;
  /** Milliseconds between two tries, doubled with each failure up to 30 s. */
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
    // Most characters are one byte. An exact count would cost as much as sending.
    if (socket.bufferedAmount + text.length > this.#limit) return false;
    try {
      socket.send(text);
    } catch {
      return false;
    }
    return true;
  }

  /** Ends the connection. Accepted messages are sent first, within a second. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    setTimeout(() => socket.terminate(), 1000).unref();
  }

  /** Closes, and reconnects later if `retry` is set. */
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
      // The address is invalid.
      this.#again();
    }
  }

  #open({url, token}: ReportTarget): void {
    const socket = new WebSocket(url, {
      headers: token ? {authorization: `Bearer ${token}`} : {},
      handshakeTimeout: 5000,
      perMessageDeflate: false,
      // krtscope sends only short messages.
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

  /** Resets the retry delay. */
  welcomed(): void {
    this.#failures = 0;
  }

  #again(): void {
    const wait = Math.min((this.#options.retry ?? 1000) * 2 ** this.#failures++, longestWait);
    this.#wait(wait * (0.5 + Math.random()));
  }

  /** An error in a callback must not end the program. */
  #safely(act: () => void): void {
    try {
      act();
    } catch {
      this.#socket?.terminate();
    }
  }
}
