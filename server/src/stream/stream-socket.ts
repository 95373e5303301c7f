// One browser's socket: reads its requests, joins subscriptions, and passes their updates to its outbox.
import {isTooDeep, MAX_DEPTH} from '@krtscope/shared/json/depth.ts';
import {facetsOf} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import {type StreamRequest, streamRequestSchema} from '@krtscope/shared/stream.ts';
import {PROTOCOL} from '@krtscope/shared/vocabulary.ts';
import type {OpenSession} from '../engine/link/session.ts';
import {Outbox, type OutboxClock, type OutboxSocket} from './outbox.ts';
import type {SharedSubscriptions, SubscriptionHandle} from './shared-subscription.ts';

export const MAX_SUBSCRIPTIONS = 64;
/** Requests that a socket may send in ten seconds. A person stays below a dozen moments a second in a dozen views. */
const MAX_REQUESTS = 4000;
/** Milliseconds until a client that sends no hello is greeted. */
const HELLO_TIMEOUT_MS = 300;

export interface SocketOptions {
  wire: OutboxSocket;
  session: OpenSession;
  shared: SharedSubscriptions;
  /** Finds the session that a subscription names, or undefined if it is not open. */
  find(name: string): {session: OpenSession; shared: SharedSubscriptions} | undefined;
  clock: OutboxClock;
  /** Ends the connection: 1008 policy, 1002 protocol, 1001 the session is gone. */
  close(code: number, reason: string): void;
}

export class StreamSocket {
  readonly #options: SocketOptions;
  readonly #outbox: Outbox;
  readonly #leave = new Map<string, (broken: boolean) => void>();
  #greeted = false;
  #requests = 0;
  #since = 0;
  readonly #stopListening: (() => void)[];
  readonly #stopWaiting: () => void;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#stopWaiting = options.clock.after(HELLO_TIMEOUT_MS, () => {
      if (!this.#greeted) this.#greet({type: 'hello', protocol: PROTOCOL});
    });
    this.#outbox = new Outbox(options.wire, options.clock);
    this.#stopListening = [
      options.session.onChange(() => {
        if (this.#greeted) this.#outbox.sayLast({type: 'session', session: options.session.describe()});
      }),
      // An open socket would show the last state of a closed session as the present.
      options.session.onEnd(() => options.close(1001, 'the session was closed')),
    ];
  }

  receive(text: string): void {
    if (this.#tooMany()) return;
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      this.#fail(undefined, 'the message is not JSON');
      return;
    }
    if (isTooDeep(json)) {
      this.#fail(undefined, `the message is nested more than ${MAX_DEPTH} levels deep`);
      return;
    }
    const parsed = streamRequestSchema.safeParse(normalizeRequest(json));
    if (!parsed.success) {
      const id = (json as {id?: unknown} | null)?.id;
      const issue = parsed.error.issues[0];
      this.#fail(
        typeof id === 'string' ? id : undefined,
        `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`,
      );
      return;
    }
    this.#act(parsed.data);
  }

  stop(): void {
    this.#stopWaiting();
    for (const stop of this.#stopListening) stop();
    // A page that reloads or loses its network comes back soon.
    for (const leave of this.#leave.values()) leave(true);
    this.#leave.clear();
    this.#outbox.stop();
  }

  #act(request: StreamRequest): void {
    if (request.type === 'hello') return this.#greet(request);
    // The welcome is always the first message, whatever the client requests first.
    if (!this.#greeted) this.#greet({type: 'hello', protocol: PROTOCOL});
    if (request.type === 'ping') return this.#outbox.say({type: 'pong', n: request.n});
    if (request.type === 'unsubscribe') return this.#unsubscribe(request.id);
    this.#subscribe(request);
  }

  #greet(hello: Extract<StreamRequest, {type: 'hello'}>): void {
    if (hello.protocol !== PROTOCOL) {
      this.#options.close(1002, `this server speaks protocol ${PROTOCOL}; reload the page`);
      return;
    }
    const session = this.#options.session.describe();
    const newest = session.kept.newest.sequence;
    this.#greeted = true;
    this.#outbox.say({
      type: 'welcome',
      protocol: PROTOCOL,
      recording: session.id,
      session,
      sequence: newest,
      resumed: hello.recording === session.id && hello.since !== undefined && hello.since <= newest,
    });
  }

  #subscribe({id, question, session, have}: Extract<StreamRequest, {type: 'subscribe'}>): void {
    if (facetsOf(question.ask).topic !== true) {
      return this.#fail(id, `"${question.ask}" cannot be subscribed to; ask it over HTTP`);
    }
    if (!this.#leave.has(id) && this.#leave.size >= MAX_SUBSCRIPTIONS) {
      const failure: ApiFailure = {
        code: 'too-many',
        message: `more than ${MAX_SUBSCRIPTIONS} subscriptions`,
        hint: 'unsubscribe some',
      };
      return this.#outbox.say({type: 'failed', id, failure});
    }
    this.#unsubscribe(id);
    const own = session === undefined || session === this.#options.session.name;
    const target = own ? this.#options : this.#options.find(session);
    if (target === undefined) return this.#gone(id, session ?? '');
    let snapshot: SubscriptionHandle['snapshot'] = () => undefined;
    this.#outbox.open(id, () => snapshot());
    const joined = target.shared.join(
      question,
      {
        // A frame's sequence belongs to the socket's own session. Other sessions count their batches separately.
        onUpdate: (update, sequence) => this.#outbox.add(id, update, own ? sequence : 0),
        onFailure: failure => this.#outbox.say({type: 'failed', id, failure}),
        onSame: mark => this.#outbox.say({type: 'same', id, mark}),
      },
      have,
    );
    snapshot = joined.snapshot;
    const stopListening = own ? undefined : target.session.onEnd(() => this.#gone(id, target.session.name));
    this.#leave.set(id, broken => {
      stopListening?.();
      joined.leave(broken);
    });
  }

  #gone(id: string, session: string): void {
    this.#unsubscribe(id);
    const failure: ApiFailure = {
      code: 'unknown-session',
      message: `no session "${session}" is open`,
      hint: 'GET /api/v1/sessions lists them',
    };
    this.#outbox.say({type: 'failed', id, failure});
  }

  #unsubscribe(id: string): void {
    this.#leave.get(id)?.(false);
    this.#leave.delete(id);
    this.#outbox.close(id);
  }

  #tooMany(): boolean {
    const now = this.#options.clock.now();
    if (now - this.#since > 10_000) {
      this.#since = now;
      this.#requests = 0;
    }
    if (++this.#requests <= MAX_REQUESTS) return false;
    this.#options.close(1008, 'too many requests');
    return true;
  }

  #fail(id: string | undefined, message: string): void {
    const failure: ApiFailure = {
      code: 'bad-query',
      message,
      hint: 'docs/protocol.md lists the messages',
    };
    this.#outbox.say({type: 'failed', id, failure});
  }
}

// Accepts `filter`, the contract's name for q, and a session inside the question. They would be ignored
// silently otherwise.
function normalizeRequest(json: unknown): unknown {
  if (!isObject(json) || !isObject(json.question)) return json;
  const {filter, session, ...question} = json.question;
  return {
    ...(session === undefined ? {} : {session}),
    ...json,
    question: {...(filter === undefined ? {} : {q: filter}), ...question},
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
