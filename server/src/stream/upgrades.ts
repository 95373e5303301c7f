// Upgrades to WebSockets: who is let in, and who is let go because nothing answers any more. What is said is the caller's.
import type {IncomingMessage, Server} from 'node:http';
import type {Duplex} from 'node:stream';
import type {WebSocket, WebSocketServer} from 'ws';
import {rejectUpgrade, type UpgradeRefusal} from './upgrade-refusal.ts';

const PING_MS = 30_000;

export interface UpgradeOptions {
  server: Server;
  sockets: WebSocketServer;
  /** Other paths are somebody else's. */
  takes(path: string): boolean;
  /** The same checks as for requests; undefined lets it in. */
  refuse(req: IncomingMessage): UpgradeRefusal | undefined;
  /** How long such a refusal waits. */
  delay?: ((req: IncomingMessage) => number) | undefined;
  /** What becomes of the socket, or why there is none. `lives` says that it is heard of, besides its answers to pings. */
  admit(path: string, query: string): ((socket: WebSocket, lives: () => void) => void) | UpgradeRefusal;
  /** Sockets at the same time, and what is said to one more. */
  most: number;
  tooMany: UpgradeRefusal;
  /** A socket that has not answered between two pings is ended. */
  pingMs?: number | undefined;
}

/** Takes upgrades of this server; the answer stops it and ends every socket. */
export function serveUpgrades(options: UpgradeOptions): () => void {
  const {server, sockets, takes, refuse, delay, admit, most, tooMany, pingMs = PING_MS} = options;
  const alive = new WeakSet<WebSocket>();

  const onUpgrade = (req: IncomingMessage, duplex: Duplex, head: Buffer): void => {
    // Not parsed as a URL: that throws at "//", and here nobody would catch it.
    const [path = '/', query = ''] = (req.url ?? '/').split(/\?(.*)/s);
    if (!takes(path)) return;
    const refusal = refuse(req);
    if (refusal !== undefined) return rejectUpgrade(duplex, refusal, delay?.(req));
    const admitted = admit(path, query);
    if (typeof admitted !== 'function') return rejectUpgrade(duplex, admitted);
    if (sockets.clients.size >= most) return rejectUpgrade(duplex, tooMany);
    sockets.handleUpgrade(req, duplex, head, socket => {
      const lives = () => void alive.add(socket);
      lives();
      socket.on('pong', lives);
      // A reset is followed by close; unheard it would end the process.
      socket.on('error', () => socket.terminate());
      admitted(socket, lives);
    });
  };
  // A reader that vanished without a word, or reads no more, would keep what waits for it for hours.
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      // One that we do not read cannot answer.
      if (!alive.has(socket) && !socket.isPaused) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, pingMs);
  server.on('upgrade', onUpgrade);
  return () => {
    clearInterval(pings);
    server.off('upgrade', onUpgrade);
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}
