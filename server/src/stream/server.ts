// /api/v1/stream: upgrades that pass the access check become stream sockets. Leaves their talk to socket.ts.
import type {IncomingMessage, Server} from 'node:http';
import type {Duplex} from 'node:stream';
import {type WebSocket, WebSocketServer} from 'ws';
import type {OpenSession, Sessions} from '../engine/link/session.ts';
import type {OutboxClock} from './outbox.ts';
import {PROGRAMS_PATH} from './programs.ts';
import {type Refusal, reject} from './refusal.ts';
import {SharedSubscriptions} from './shared-subscription.ts';
import {StreamSocket} from './socket.ts';

const PATH = '/api/v1/stream';
const MAX_SOCKETS = 512;
const PING_MS = 30_000;

export interface StreamOptions {
  server: Server;
  sessions: Sessions;
  /** The same checks as for requests; undefined lets it in. */
  refuse(req: IncomingMessage): Refusal | undefined;
  /** How long such a refusal waits. */
  delay?(req: IncomingMessage): number;
}

const clock: OutboxClock = {
  now: Date.now,
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    // What lingers for a page that may come back does not hold up the end.
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Serves the stream on this server; the answer stops it and ends every socket. */
export function serveStream({server, sessions, refuse, delay}: StreamOptions): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    // Frames are already coalesced; deflate pays only for remote readers, and only for large ones.
    perMessageDeflate: {threshold: 8 * 1024, zlibDeflateOptions: {level: 1}, serverNoContextTakeover: true},
  });
  const shared = new WeakMap<OpenSession, SharedSubscriptions>();
  const sharedOf = (session: OpenSession) => {
    const known = shared.get(session) ?? new SharedSubscriptions(session.link, clock);
    shared.set(session, known);
    return known;
  };
  const alive = new WeakSet<WebSocket>();

  const onUpgrade = (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    // Not parsed as a URL: that throws at "//", and here nobody would catch it.
    const [path, query = ''] = (req.url ?? '/').split(/\?(.*)/s);
    if (path === PROGRAMS_PATH) return;
    const refusal = refuse(req);
    if (refusal !== undefined) return reject(duplex, refusal, delay?.(req));
    if (path !== PATH) return reject(duplex, noSuchPath);
    const session = sessions.find(new URLSearchParams(query).get('session') || undefined);
    if (session === undefined) return reject(duplex, noSuchSession);
    if (sockets.clients.size >= MAX_SOCKETS) return reject(duplex, tooMany);
    sockets.handleUpgrade(req, duplex, head, socket => attach(socket, session));
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
    alive.add(socket);
    socket.on('pong', () => alive.add(socket));
    socket.on('message', (bytes, binary) => {
      if (binary) socket.close(1003, 'send text');
      else stream.receive(bytes.toString());
    });
    socket.on('close', () => stream.stop());
    // A reset is followed by close; unheard it would end the process.
    socket.on('error', () => socket.terminate());
  };
  // A browser that vanished without a word would keep its subscriptions for hours.
  const pings = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.has(socket)) socket.terminate();
      alive.delete(socket);
      socket.ping();
    }
  }, PING_MS);
  server.on('upgrade', onUpgrade);
  return () => {
    clearInterval(pings);
    server.off('upgrade', onUpgrade);
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

const noSuchPath: Refusal = {
  code: 'not-found',
  message: 'there is no such stream',
  hint: `sockets are at ${PATH}`,
};
const noSuchSession: Refusal = {
  code: 'unknown-session',
  message: 'no such session is open',
  hint: 'GET /api/v1/sessions lists them',
};
const tooMany: Refusal = {
  code: 'too-many',
  message: `more than ${MAX_SOCKETS} sockets`,
  hint: 'close some, or ask over HTTP',
};
