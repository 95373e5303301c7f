// /api/v1/programs: sockets of other processes that report what they do. Accepts only the Authorization header, which
// pages cannot set on a socket.
import type {IncomingMessage, Server} from 'node:http';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {type WebSocket, WebSocketServer} from 'ws';
import type {Programs} from '../engine/link/programs.ts';
import type {UpgradeRefusal} from './upgrade-refusal.ts';
import {serveUpgrades} from './upgrades.ts';

export const PROGRAMS_PATH = '/api/v1/programs';
/** Seconds' worth of bytes that may arrive at once. */
const BURST_SECONDS = 10;
/** Sockets that did not send a hello yet. */
const MAX_NAMELESS = 32;
const HELLO_TIMEOUT_MS = 10_000;

export interface ProgramServerOptions {
  server: Server;
  programs: Programs;
  /** Checks host, origin and bearer; undefined lets it in. */
  refuse(req: IncomingMessage): UpgradeRefusal | undefined | Promise<UpgradeRefusal | undefined>;
  /** Asks again for an open socket. A refusal closes it. */
  recheck?: ProgramServerOptions['refuse'] | undefined;
  delay?(req: IncomingMessage): number;
}

/** Serves programs on this server. The returned function stops it and closes every socket. */
export function servePrograms({server, programs, refuse, recheck, delay}: ProgramServerOptions): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    // Twice the limit: a message above the limit gets an error in words, and only a huge one ends the socket.
    maxPayload: programLimits.messageBytes * 2,
    perMessageDeflate: false,
  });
  const attach = (socket: WebSocket, lives: () => void): void => {
    const meter = new SocketRateLimit(socket);
    const receiver = programs.receive({
      say: message => socket.send(JSON.stringify(message), () => {}),
      close: (code, reason) => {
        socket.close(code, reason);
        // Do not wait for a program that does not answer the close.
        setTimeout(() => socket.terminate(), 2000).unref();
      },
      pause: () => meter.setPaused(true),
      resume: () => meter.setPaused(false),
    });
    const nameless = setTimeout(() => socket.close(1008, 'no hello came'), HELLO_TIMEOUT_MS);
    socket.on('message', (bytes: Buffer, binary) => {
      clearTimeout(nameless);
      if (socket.readyState !== socket.OPEN) return;
      lives();
      meter.count(bytes.length);
      if (binary) socket.close(1003, 'send text');
      else receiver.take(bytes.toString());
    });
    socket.on('close', () => {
      clearTimeout(nameless);
      meter.end();
      receiver.gone();
    });
  };
  return serveUpgrades({
    server,
    sockets,
    takes: path => path === PROGRAMS_PATH,
    refuse,
    recheck,
    delay,
    admit: () => attach,
    most: programLimits.programs + MAX_NAMELESS,
    tooMany,
  });
}

/** Reads at most a number of bytes a second, and nothing while it is paused. */
class SocketRateLimit {
  readonly #socket: WebSocket;
  #credit = programLimits.bytesPerSecond * BURST_SECONDS;
  #at = performance.now();
  #paused = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  count(bytes: number): void {
    const now = performance.now();
    const {bytesPerSecond} = programLimits;
    const earned = ((now - this.#at) / 1000) * bytesPerSecond;
    this.#credit = Math.min(bytesPerSecond * BURST_SECONDS, this.#credit + earned) - bytes;
    this.#at = now;
    if (this.#credit >= 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#apply();
      },
      (-this.#credit / bytesPerSecond) * 1000,
    );
    this.#apply();
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    this.#apply();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #apply(): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#paused || this.#timer !== undefined) this.#socket.pause();
    else this.#socket.resume();
  }
}

const tooMany: UpgradeRefusal = {
  code: 'too-many',
  message: 'too many programs are connected',
  hint: 'stop some of them and connect again',
};
