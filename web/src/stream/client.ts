// The page's one WebSocket: hello, heartbeats, resume after a loss. subscriptions.ts holds the queries.
import {protocolsWithToken} from '@krtscope/shared/access/socket-token.ts';
import type {StreamMessage} from '@krtscope/shared/stream.ts';
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import {useAccessToken} from './access-token.ts';
import {apiPath, RequestError, request} from './http.ts';
import {initialConnection, useConnection} from './server-connection.ts';
import {StreamSubscriptions} from './subscriptions.ts';

const pingEvery = 10_000;
const pongWithin = 6000;
/** A server that is just starting may accept a connection and never answer it. */
const welcomeWithin = 4000;
const waits = [500, 1000, 2000, 4000, 5000];

export class StreamClient {
  readonly #open: (session: string | null) => WebSocket;
  readonly #onFailed: () => void;
  readonly subscriptions = new StreamSubscriptions(message => {
    if (this.#welcomed) this.#send(message);
  });
  #socket: WebSocket | null = null;
  #session: string | null = null;
  #welcomed = false;
  #pings = 0;
  #pong: ReturnType<typeof setTimeout> | null = null;
  #beat: ReturnType<typeof setInterval> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #greeting: ReturnType<typeof setTimeout> | null = null;

  /** `open` creates a socket for a session; `onFailed` runs for a socket that got no welcome. */
  constructor(open: (session: string | null) => WebSocket, onFailed: () => void = () => {}) {
    this.#onFailed = onFailed;
    this.#open = open;
  }

  get session(): string | null {
    return this.#session;
  }

  /** Switches to this session and forgets the answers of the last one. */
  start(session: string | null): void {
    if (this.#socket !== null && session === this.#session) return;
    const other = this.#session !== null && session !== this.#session;
    this.#session = session;
    if (other) {
      useConnection.setState({...initialConnection, skew: useConnection.getState().skew});
      this.subscriptions.clear();
    }
    this.#connect();
  }

  stop(): void {
    this.#clear();
    this.#socket?.close();
    this.#socket = null;
  }

  /** Tries now instead of waiting for the countdown. */
  retryNow(): void {
    if (useConnection.getState().socket !== 'open') this.#connect();
  }

  /** Checks that the socket is alive: after sleep, a dead socket still looks open. */
  check(): void {
    if (this.#socket === null || !this.#welcomed) return this.retryNow();
    this.#send({type: 'ping', n: ++this.#pings});
    this.#pong ??= setTimeout(() => this.#lost(), pongWithin);
  }

  #connect(): void {
    this.#clear();
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    if (useConnection.getState().socket !== 'lost') useConnection.setState({socket: 'connecting'});
    useConnection.setState({retryAt: null});
    const socket = this.#open(this.#session);
    this.#socket = socket;
    this.#greeting = setTimeout(() => this.#lost(), welcomeWithin);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      const {recording, sequence} = useConnection.getState();
      this.#send({
        type: 'hello',
        protocol: PROTOCOL,
        ...(this.#session === null ? {} : {session: this.#session}),
        ...(recording === null ? {} : {recording, since: sequence}),
      });
    };
    socket.onmessage = message => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(message.data)) as StreamMessage);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #lost(): void {
    const welcomed = this.#welcomed;
    this.#clear();
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    const {attempt, lostAt} = useConnection.getState();
    const wait = waits[Math.min(attempt, waits.length - 1)]!;
    const now = Date.now();
    useConnection.setState({
      socket: 'lost',
      lostAt: lostAt ?? now,
      retryAt: now + wait,
      attempt: attempt + 1,
    });
    this.subscriptions.freeze();
    this.#retry = setTimeout(() => this.#connect(), wait);
    if (!welcomed) this.#onFailed();
  }

  #clear(): void {
    this.#welcomed = false;
    if (this.#pong !== null) clearTimeout(this.#pong);
    if (this.#beat !== null) clearInterval(this.#beat);
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#greeting !== null) clearTimeout(this.#greeting);
    this.#pong = this.#beat = this.#retry = this.#greeting = null;
  }

  #send(message: object): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  #receive(message: StreamMessage): void {
    switch (message.type) {
      case 'welcome':
        return this.#welcome(message);
      case 'frame':
        useConnection.setState(link => ({
          sequence: Math.max(link.sequence, message.sequence),
          skew: message.at - Date.now(),
        }));
        for (const update of message.updates) this.subscriptions.update(update);
        return;
      case 'session':
        useConnection.setState({session: message.session});
        return;
      case 'same':
        return this.subscriptions.confirm(message);
      case 'failed':
        if (message.id === undefined) useConnection.setState({failure: message.failure});
        else this.subscriptions.fail(message.id, message.failure);
        return;
      case 'pong':
        if (this.#pong !== null) clearTimeout(this.#pong);
        this.#pong = null;
    }
  }

  #welcome(message: Extract<StreamMessage, {type: 'welcome'}>): void {
    this.#welcomed = true;
    if (this.#greeting !== null) clearTimeout(this.#greeting);
    this.#greeting = null;
    const {recording, resets} = useConnection.getState();
    const reset = recording !== null && !message.resumed;
    useConnection.setState({
      socket: 'open',
      lostAt: null,
      retryAt: null,
      attempt: 0,
      failure: null,
      recording: message.recording,
      session: message.session,
      sequence: message.sequence,
      resets: reset ? resets + 1 : resets,
    });
    for (const message of this.subscriptions.resubscribeMessages()) this.#send(message);
    this.#beat = setInterval(() => this.check(), pingEvery);
  }
}

function address(session: string | null): string {
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  const query = session === null ? '' : `?session=${encodeURIComponent(session)}`;
  return `${scheme}://${window.location.host}/api/v1/stream${query}`;
}

/** A refused socket gives no reason, so ask by HTTP, which names it (no session, no token). */
async function findReason(): Promise<void> {
  const session = stream.session;
  try {
    await request(apiPath('/session', {session}));
  } catch (error) {
    if (error instanceof RequestError && session === stream.session)
      useConnection.setState({failure: error.failure});
  }
}

function openSocket(session: string | null): WebSocket {
  const {token} = useAccessToken.getState();
  return new WebSocket(address(session), token === null ? [] : protocolsWithToken(token));
}

/** The page's client; tests create their own. */
export const stream = new StreamClient(openSocket, findReason);
