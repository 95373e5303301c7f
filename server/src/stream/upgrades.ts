// Upgrades to WebSockets: admits clients, and ends sockets that stop answering pings or whose user lost the right.
import type {IncomingMessage, Server} from 'node:http';
import type {Duplex} from 'node:stream';
import type {WebSocket, WebSocketServer} from 'ws';
import {rejectUpgrade, type UpgradeRefusal} from './upgrade-refusal.ts';

const PING_MS = 30_000;

export interface UpgradeOptions {
  server: Server;
  sockets: WebSocketServer;
  /** Whether this server handles the path. Another one handles the rest. */
  takes(path: string): boolean;
  /** The same checks as for requests. Undefined admits the socket. */
  refuse(req: IncomingMessage): UpgradeRefusal | undefined | Promise<UpgradeRefusal | undefined>;
  /** Asks again for an open socket, with every ping. A refusal closes it. */
  recheck?: UpgradeOptions['refuse'] | undefined;
  /** Milliseconds to wait before a refusal. */
  delay?: ((req: IncomingMessage) => number) | undefined;
  /** What to do with the socket, or the refusal. `lives` reports that it is alive, besides its answers to pings. */
  admit(path: string, query: string): ((socket: WebSocket, lives: () => void) => void) | UpgradeRefusal;
  /** Most sockets at a time, and the refusal of one more. */
  most: number;
  tooMany: UpgradeRefusal;
  /** A socket that does not answer between two pings is ended. */
  pingMs?: number | undefined;
}

/** Handles the upgrades of this server. The returned function stops it and closes every socket. */
export function serveUpgrades(options: UpgradeOptions): () => void {
  const {server, sockets, takes, refuse, recheck, delay, admit, most, tooMany, pingMs = PING_MS} = options;
  const alive = new WeakSet<WebSocket>();
  const requests = new WeakMap<WebSocket, IncomingMessage>();

  const onUpgrade = async (req: IncomingMessage, duplex: Duplex, head: Buffer): Promise<void> => {
    // Do not parse this as a URL: the parser throws at "//", and the error would end the process.
    const [path = '/', query = ''] = (req.url ?? '/').split(/\?(.*)/s);
    if (!takes(path)) return;
    // An error before the socket has its own handler would end the process.
    const onEarlyError = () => duplex.destroy();
    duplex.on('error', onEarlyError);
    const refusal = await refuse(req);
    duplex.off('error', onEarlyError);
    if (duplex.destroyed) return;
    if (refusal !== undefined) return rejectUpgrade(duplex, refusal, delay?.(req));
    const admitted = admit(path, query);
    if (typeof admitted !== 'function') return rejectUpgrade(duplex, admitted);
    if (sockets.clients.size >= most) return rejectUpgrade(duplex, tooMany);
    sockets.handleUpgrade(req, duplex, head, socket => {
      const lives = () => void alive.add(socket);
      lives();
      requests.set(socket, req);
      socket.on('pong', lives);
      // A reset is followed by close. An unhandled error would end the process.
      socket.on('error', () => socket.terminate());
      admitted(socket, lives);
    });
  };
  // A right that is taken away ends open sockets, too: a page would otherwise see everything until it is closed.
  const endIfRefused = async (socket: WebSocket): Promise<void> => {
    const req = requests.get(socket);
    const refusal = req === undefined ? undefined : await recheck?.(req);
    // The reason of a close has at most 123 bytes.
    if (refusal !== undefined) socket.close(1008, refusal.code);
  };
  // A client that vanished or stopped reading would keep its pending data for hours.
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      // A paused socket cannot answer.
      if (!alive.has(socket) && !socket.isPaused) socket.terminate();
      alive.delete(socket);
      socket.ping();
      void endIfRefused(socket);
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
