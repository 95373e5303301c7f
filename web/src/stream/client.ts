// The page's one WebSocket: hello, shared subscriptions, resume after a loss. Leaves folding to shared/apply.ts.
import {foldUpdate} from '@krtscope/shared/apply.ts';
import type {QuestionInput, Topic} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {MarkedUpdate, Pulse, StreamMessage, Update} from '@krtscope/shared/stream.ts';
import {PROTOCOL} from '@krtscope/shared/words.ts';
import {apiPath, Refused, request} from './http.ts';
import {LastAnswers} from './last-answers.ts';
import {initialLink, useLink} from './link.ts';

/** What a subscription holds; a new object for every change, so that React can compare it. */
export interface Held<T = unknown> {
  answer: T | undefined;
  failure: ApiFailure | undefined;
  /** False until the server has answered on the socket that is open now. */
  fresh: boolean;
}

export type Asked = Extract<QuestionInput, {ask: Topic}>;

type Snapshot = Extract<Update, {snapshot: unknown}>;

interface Subscription {
  id: string;
  question: Asked;
  whole: Snapshot | undefined;
  /** Names what it holds, for a server that is asked again. */
  mark: string | undefined;
  held: Held;
  listeners: Set<() => void>;
  users: number;
  ending: ReturnType<typeof setTimeout> | null;
}

const nothing: Held = {answer: undefined, failure: undefined, fresh: false};
/** A live view that is left keeps its subscription a moment: going back shows it at once. */
const lingers = 3000;
/** The server gives a page 64; what lingers may not eat up what is looked at. */
const MOST_LINGERING = 16;
/** How long an answer about a moment waits for the others of it: told one by one each would draw the whole page anew. */
const together = 25;
const pingEvery = 10_000;
const pongWithin = 6000;
/** A server that is just starting takes the connection and may never answer it. */
const welcomeWithin = 4000;
const waits = [500, 1000, 2000, 4000, 5000];

export class StreamClient {
  readonly #open: (session: string | null) => WebSocket;
  readonly #onFailed: () => void;
  readonly #entries = new Map<string, Subscription>();
  readonly #byId = new Map<string, Subscription>();
  readonly #pulses = new Set<(pulse: Pulse, skipped: number) => void>();
  readonly #settled = new Set<() => void>();
  /** Left, not yet ended; the one left longest first. */
  readonly #lingering = new Map<string, Subscription>();
  readonly #last = new LastAnswers();
  /** Answered, and not told yet. */
  readonly #untold = new Set<Subscription>();
  #telling: ReturnType<typeof setTimeout> | null = null;
  #socket: WebSocket | null = null;
  #session: string | null = null;
  #welcomed = false;
  #ids = 0;
  #pings = 0;
  #pong: ReturnType<typeof setTimeout> | null = null;
  #beat: ReturnType<typeof setInterval> | null = null;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #greeting: ReturnType<typeof setTimeout> | null = null;

  /** `open` makes a socket into a session; `onFailed` hears of a socket that was never welcomed. */
  constructor(open: (session: string | null) => WebSocket, onFailed: () => void = () => {}) {
    this.#onFailed = onFailed;
    this.#open = open;
  }

  get session(): string | null {
    return this.#session;
  }

  /** Looks into this session from now on. What another session answered is forgotten. */
  start(session: string | null): void {
    if (this.#socket !== null && session === this.#session) return;
    const other = this.#session !== null && session !== this.#session;
    this.#session = session;
    if (other) {
      useLink.setState({...initialLink, skew: useLink.getState().skew});
      this.#last.clear();
      for (const entry of this.#entries.values()) {
        entry.whole = undefined;
        this.#set(entry, nothing);
      }
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
    if (useLink.getState().socket !== 'open') this.#connect();
  }

  /** Asks whether the socket is alive; a machine that slept has sockets that only look open. */
  check(): void {
    if (this.#socket === null || !this.#welcomed) return this.retryNow();
    this.#send({type: 'ping', n: ++this.#pings});
    this.#pong ??= setTimeout(() => this.#lost(), pongWithin);
  }

  held(question: Asked): Held {
    return this.#entries.get(JSON.stringify(question))?.held ?? nothing;
  }

  /** Subscribes; equal questions share one subscription. Returns its own end. */
  onAnswer(question: Asked, listener: () => void): () => void {
    const text = JSON.stringify(question);
    let entry = this.#entries.get(text);
    if (entry === undefined) {
      const id = `s${++this.#ids}`;
      entry = {
        id,
        question,
        whole: undefined,
        mark: undefined,
        held: nothing,
        listeners: new Set(),
        users: 0,
        ending: null,
      };
      this.#entries.set(text, entry);
      this.#byId.set(id, entry);
      if (this.#welcomed) this.#send({type: 'subscribe', id, question});
    }
    const asked = entry;
    if (asked.ending !== null) clearTimeout(asked.ending);
    asked.ending = null;
    this.#lingering.delete(text);
    asked.users++;
    asked.listeners.add(listener);
    return () => {
      asked.listeners.delete(listener);
      if (--asked.users === 0) this.#leave(text, asked);
    };
  }

  /** How many questions that are looked at have no answer yet. */
  get waiting(): number {
    let waiting = 0;
    for (const {users, held} of this.#entries.values()) {
      if (users > 0 && !held.fresh && held.failure === undefined) waiting++;
    }
    return waiting;
  }

  /** Calls back whenever the last question that waited got its answer. */
  onSettled(listener: () => void): () => void {
    this.#settled.add(listener);
    return () => this.#settled.delete(listener);
  }

  onPulse(listener: (pulse: Pulse, skipped: number) => void): () => void {
    this.#pulses.add(listener);
    return () => this.#pulses.delete(listener);
  }

  #leave(text: string, entry: Subscription): void {
    // A moment that is left is not come back to while one scrubs: kept, fifteen of them would use up the page's share.
    const past = isPast(entry.question);
    entry.ending = setTimeout(() => this.#end(text, entry), past ? 0 : lingers);
    if (past) return;
    this.#lingering.set(text, entry);
    for (const [oldest, left] of this.#lingering) {
      if (this.#lingering.size <= MOST_LINGERING) break;
      if (left.ending !== null) clearTimeout(left.ending);
      this.#end(oldest, left);
    }
  }

  #end(text: string, entry: Subscription): void {
    this.#entries.delete(text);
    this.#lingering.delete(text);
    this.#byId.delete(entry.id);
    if (this.#welcomed) this.#send({type: 'unsubscribe', id: entry.id});
  }

  #connect(): void {
    this.#clear();
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    if (useLink.getState().socket !== 'lost') useLink.setState({socket: 'connecting'});
    useLink.setState({retryAt: null});
    const socket = this.#open(this.#session);
    this.#socket = socket;
    this.#greeting = setTimeout(() => this.#lost(), welcomeWithin);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      const {recording, sequence} = useLink.getState();
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
    const {attempt, lostAt} = useLink.getState();
    const wait = waits[Math.min(attempt, waits.length - 1)]!;
    const now = Date.now();
    useLink.setState({socket: 'lost', lostAt: lostAt ?? now, retryAt: now + wait, attempt: attempt + 1});
    // Frozen, not cleared: the last known state is what one debugs with.
    for (const entry of this.#entries.values()) this.#set(entry, {...entry.held, fresh: false});
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
        useLink.setState(link => ({
          sequence: Math.max(link.sequence, message.sequence),
          skew: message.at - Date.now(),
        }));
        for (const update of message.updates) this.#update(update);
        return;
      case 'session':
        useLink.setState({session: message.session});
        return;
      case 'same':
        return this.#same(message);
      case 'failed':
        return this.#failed(message.id, message.failure);
      case 'pong':
        if (this.#pong !== null) clearTimeout(this.#pong);
        this.#pong = null;
    }
  }

  #welcome(message: Extract<StreamMessage, {type: 'welcome'}>): void {
    this.#welcomed = true;
    if (this.#greeting !== null) clearTimeout(this.#greeting);
    this.#greeting = null;
    const {recording, resets} = useLink.getState();
    const reset = recording !== null && !message.resumed;
    useLink.setState({
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
    for (const {id, question, whole, mark} of this.#entries.values())
      this.#send({type: 'subscribe', id, question, ...(whole === undefined ? {} : {have: mark})});
    this.#beat = setInterval(() => this.check(), pingEvery);
  }

  #update(update: MarkedUpdate): void {
    const entry = this.#byId.get(update.id);
    if (entry === undefined) return;
    entry.whole = foldUpdate(entry.whole, this.#shared(entry, update));
    entry.mark = update.mark;
    const answer = entry.whole?.snapshot;
    if (update.topic === 'graph' && 'delta' in update) {
      // What lingers is not looked at: its pulses would run over a picture of the past.
      if (entry.users === 0) update = {...update, delta: {...update.delta, pulses: []}};
      for (const pulse of update.delta.pulses) {
        for (const listener of this.#pulses) listener(pulse, update.delta.skipped);
      }
      if (update.delta.collections.length === 0 && entry.held.fresh) return;
    }
    if (answer === undefined) return;
    this.#last.keep(entry.question, answer);
    this.#settle(entry, {answer, failure: undefined, fresh: true});
  }

  /** The first answer about a moment holds what it has in common with the moment before as the same objects. */
  #shared({whole, question}: Subscription, update: MarkedUpdate): MarkedUpdate {
    if (whole !== undefined || !('snapshot' in update) || !isPast(question)) return update;
    return {...update, snapshot: this.#last.share(question, update.snapshot)} as MarkedUpdate;
  }

  #same({id, mark}: {id: string; mark: string}): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.mark = mark;
    this.#settle(entry, {answer: entry.held.answer, failure: undefined, fresh: true});
  }

  #failed(id: string | undefined, failure: ApiFailure): void {
    if (id === undefined) {
      useLink.setState({failure});
      return;
    }
    const entry = this.#byId.get(id);
    if (entry !== undefined) this.#settle(entry, {answer: entry.held.answer, failure, fresh: false});
  }

  #settle(entry: Subscription, held: Held): void {
    const waited = !entry.held.fresh && entry.held.failure === undefined;
    entry.held = held;
    this.#untold.add(entry);
    const waiting = this.waiting > 0;
    if (waiting && isPast(entry.question)) this.#telling ??= setTimeout(() => this.#tell(), together);
    else this.#tell();
    if (waited && !waiting) for (const listener of this.#settled) listener();
  }

  #tell(): void {
    if (this.#telling !== null) clearTimeout(this.#telling);
    this.#telling = null;
    const told = [...this.#untold];
    this.#untold.clear();
    for (const entry of told) for (const listener of entry.listeners) listener();
  }

  #set(entry: Subscription, held: Held): void {
    entry.held = held;
    for (const listener of entry.listeners) listener();
  }
}

function isPast(question: Asked): boolean {
  return 'at' in question && question.at !== undefined;
}

function address(session: string | null): string {
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  const query = session === null ? '' : `?session=${encodeURIComponent(session)}`;
  return `${scheme}://${window.location.host}/api/v1/stream${query}`;
}

/** A refused socket says nothing; the same question by HTTP names the reason (no session, no token). */
async function findReason(): Promise<void> {
  const session = stream.session;
  try {
    await request(apiPath('/session', {session}));
  } catch (error) {
    if (error instanceof Refused && session === stream.session) useLink.setState({failure: error.failure});
  }
}

/** The page's own; tests make theirs. */
export const stream = new StreamClient(session => new WebSocket(address(session)), findReason);
