// /api/v1/stream: the sockets of pages.
import type {IncomingMessage, Server} from 'node:http';
import {pickProtocol} from '@krtscope/shared/access/socket-token.ts';
import {type WebSocket, WebSocketServer} from 'ws';
import type {OpenSession, Sessions} from '../engine/link/session.ts';
import type {OutboxClock} from './outbox.ts';
import {PROGRAMS_PATH} from './program-server.ts';
import {SharedSubscriptions} from './shared-subscription.ts';
import {StreamSocket} from './stream-socket.ts';
import type {UpgradeRefusal} from './upgrade-refusal.ts';
import {serveUpgrades} from './upgrades.ts';

const PATH = '/api/v1/stream';
const MAX_SOCKETS = 512;

export interface StreamOptions {
  server: Server;
  sessions: Sessions;
  /** The same checks as for requests. Undefined admits the socket. */
  refuse(req: IncomingMessage): UpgradeRefusal | undefined | Promise<UpgradeRefusal | undefined>;
  /** Asks again for an open socket. A refusal closes it. */
  recheck?: StreamOptions['refuse'] | undefined;
  /** Milliseconds to wait before a refusal. */
  delay?(req: IncomingMessage): number;
  /** Milliseconds between two pings of a socket. */
  pingMs?: number;
}

const clock: OutboxClock = {
  now: Date.now,
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    // A timer for a page that may come back must not delay the end of the process.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Serves the stream on this server. The returned function stops it and closes every socket. */
export function serveStream({server, sessions, refuse, recheck, delay, pingMs}: StreamOptions): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    handleProtocols: pickProtocol,
    // Frames are already coalesced. Compression pays only for large ones to remote browsers.
    perMessageDeflate: {threshold: 8 * 1024, zlibDeflateOptions: {level: 1}, serverNoContextTakeover: true},
  });
  const shared = new WeakMap<OpenSession, SharedSubscriptions>();
  const sharedOf = (session: OpenSession) => {
    const subscriptions = shared.get(session) ?? new SharedSubscriptions(session.link, clock);
    shared.set(session, subscriptions);
    return subscriptions;
  };
  const attach = (socket: WebSocket, session: OpenSession) => {
    const stream = new StreamSocket({
      wire: socket,
      session,
      shared: sharedOf(session),
      find: name => {
        const other = sessions.find(name);
        return other && {session: other, shared: sharedOf(other)};
      },
      clock,
      close: (code, reason) => socket.close(code, reason),
    });
    socket.on('message', (bytes, binary) => {
      if (binary) socket.close(1003, 'send text');
      else stream.receive(bytes.toString());
    });
    socket.on('close', () => stream.stop());
  };
  return serveUpgrades({
    server,
    sockets,
    takes: path => path !== PROGRAMS_PATH,
    refuse,
    recheck,
    delay,
    admit: (path, query) => {
      if (path !== PATH) return noSuchPath;
      const session = sessions.find(new URLSearchParams(query).get('session') || undefined);
      return session === undefined ? noSuchSession : socket => attach(socket, session);
    },
    most: MAX_SOCKETS,
    tooMany,
    pingMs,
  });
}

const noSuchPath: UpgradeRefusal = {
  code: 'not-found',
  message: 'there is no such stream',
  hint: `sockets are at ${PATH}`,
};
const noSuchSession: UpgradeRefusal = {
  code: 'unknown-session',
  message: 'no such session is open',
  hint: 'GET /api/v1/sessions lists them',
};
const tooMany: UpgradeRefusal = {
  code: 'too-many',
  message: `more than ${MAX_SOCKETS} sockets`,
  hint: 'close some, or ask over HTTP',
};
