// The page's queries on its socket. Equal queries share one subscription, which outlives its last reader for a
// moment, and the socket. shared/src/subscription-update.ts merges updates.

import type {QuestionInput, Topic} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {BatchPulse, MarkedUpdate, Update} from '@krtscope/shared/stream.ts';
import {foldUpdate} from '@krtscope/shared/subscription-update.ts';
import {LastAnswers} from './last-answers.ts';

/** A subscription's state; a new object for every change, so that React can compare it. */
export interface SubscriptionState<T = unknown> {
  answer: T | undefined;
  failure: ApiFailure | undefined;
  /** False until the server has answered on the current socket. */
  fresh: boolean;
}

export type StreamQuestion = Extract<QuestionInput, {ask: Topic}>;

type SnapshotUpdate = Extract<Update, {snapshot: unknown}>;

interface StreamSubscription {
  id: string;
  question: StreamQuestion;
  whole: SnapshotUpdate | undefined;
  /** Identifies the held answer for a server that resumes. */
  mark: string | undefined;
  state: SubscriptionState;
  listeners: Set<() => void>;
  users: number;
  ending: ReturnType<typeof setTimeout> | null;
}

const noState: SubscriptionState = {answer: undefined, failure: undefined, fresh: false};
/** A closed live view keeps its subscription for a moment: going back shows it at once. */
const lingerMs = 3000;
/** The server allows a page 64 subscriptions; unused ones must not block those on screen. */
const MOST_LINGERING = 16;
/** How long an answer about a moment waits for the others, so that the page is drawn once for all of them. */
const gatherMs = 25;

export class StreamSubscriptions {
  readonly #say: (message: object) => void;
  readonly #entries = new Map<string, StreamSubscription>();
  readonly #byId = new Map<string, StreamSubscription>();
  readonly #pulses = new Set<(pulse: BatchPulse, skipped: number) => void>();
  readonly #settled = new Set<() => void>();
  /** Unused but not yet ended; the oldest first. */
  readonly #lingering = new Map<string, StreamSubscription>();
  readonly #last = new LastAnswers();
  /** Answered, but listeners do not know yet. */
  readonly #unannounced = new Set<StreamSubscription>();
  #telling: ReturnType<typeof setTimeout> | null = null;
  #ids = 0;

  /** `say` sends on the open socket. Without a socket the message is lost, and `again` repeats it. */
  constructor(say: (message: object) => void) {
    this.#say = say;
  }

  stateOf(question: StreamQuestion): SubscriptionState {
    return this.#entries.get(JSON.stringify(question))?.state ?? noState;
  }

  /** Subscribes; equal queries share one subscription. Returns a function that unsubscribes. */
  onAnswer(question: StreamQuestion, listener: () => void): () => void {
    const text = JSON.stringify(question);
    let entry = this.#entries.get(text);
    if (entry === undefined) {
      const id = `s${++this.#ids}`;
      entry = {
        id,
        question,
        whole: undefined,
        mark: undefined,
        state: noState,
        listeners: new Set(),
        users: 0,
        ending: null,
      };
      this.#entries.set(text, entry);
      this.#byId.set(id, entry);
      this.#say({type: 'subscribe', id, question});
    }
    const subscription = entry;
    if (subscription.ending !== null) clearTimeout(subscription.ending);
    subscription.ending = null;
    this.#lingering.delete(text);
    subscription.users++;
    subscription.listeners.add(listener);
    return () => {
      subscription.listeners.delete(listener);
      if (--subscription.users === 0) this.#leave(text, subscription);
    };
  }

  /** How many queries on screen have no answer yet. */
  get waiting(): number {
    let waiting = 0;
    for (const {users, state} of this.#entries.values()) {
      if (users > 0 && !state.fresh && state.failure === undefined) waiting++;
    }
    return waiting;
  }

  /** Calls back whenever the last waiting query got its answer. */
  onSettled(listener: () => void): () => void {
    this.#settled.add(listener);
    return () => this.#settled.delete(listener);
  }

  onPulse(listener: (pulse: BatchPulse, skipped: number) => void): () => void {
    this.#pulses.add(listener);
    return () => this.#pulses.delete(listener);
  }

  /** The messages to send to a server that just sent its welcome. */
  resubscribeMessages(): object[] {
    return [...this.#entries.values()].map(({id, question, whole, mark}) => ({
      type: 'subscribe',
      id,
      question,
      ...(whole === undefined ? {} : {have: mark}),
    }));
  }

  /** Forgets the answers of another session. */
  clear(): void {
    this.#last.clear();
    for (const entry of this.#entries.values()) {
      entry.whole = undefined;
      this.#set(entry, noState);
    }
  }

  /** Freezes answers instead of clearing them: the last known state is needed for debugging. */
  freeze(): void {
    for (const entry of this.#entries.values()) this.#set(entry, {...entry.state, fresh: false});
  }

  update(update: MarkedUpdate): void {
    const entry = this.#byId.get(update.id);
    if (entry === undefined) return;
    entry.whole = foldUpdate(entry.whole, this.#shared(entry, update));
    entry.mark = update.mark;
    const answer = entry.whole?.snapshot;
    if (update.topic === 'graph' && 'delta' in update) {
      // Unused subscriptions draw no pulses: they would run over a past moment.
      if (entry.users === 0) update = {...update, delta: {...update.delta, pulses: []}};
      for (const pulse of update.delta.pulses) {
        for (const listener of this.#pulses) listener(pulse, update.delta.skipped);
      }
      if (update.delta.collections.length === 0 && entry.state.fresh) return;
    }
    if (answer === undefined) return;
    this.#last.set(entry.question, answer);
    this.#settle(entry, {answer, failure: undefined, fresh: true});
  }

  /** The first answer about a moment shares its unchanged objects with the moment before. */
  #shared({whole, question}: StreamSubscription, update: MarkedUpdate): MarkedUpdate {
    if (whole !== undefined || !('snapshot' in update) || !isPast(question)) return update;
    return {...update, snapshot: this.#last.share(question, update.snapshot)} as MarkedUpdate;
  }

  confirm({id, mark}: {id: string; mark: string}): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    entry.mark = mark;
    this.#settle(entry, {answer: entry.state.answer, failure: undefined, fresh: true});
  }

  fail(id: string, failure: ApiFailure): void {
    const entry = this.#byId.get(id);
    if (entry !== undefined) this.#settle(entry, {answer: entry.state.answer, failure, fresh: false});
  }

  #leave(text: string, entry: StreamSubscription): void {
    // End a moment's subscription at once while scrubbing: fifteen of them would use up the page's limit.
    const past = isPast(entry.question);
    entry.ending = setTimeout(() => this.#end(text, entry), past ? 0 : lingerMs);
    if (past) return;
    this.#lingering.set(text, entry);
    for (const [oldest, left] of this.#lingering) {
      if (this.#lingering.size <= MOST_LINGERING) break;
      if (left.ending !== null) clearTimeout(left.ending);
      this.#end(oldest, left);
    }
  }

  #end(text: string, entry: StreamSubscription): void {
    this.#entries.delete(text);
    this.#lingering.delete(text);
    this.#byId.delete(entry.id);
    this.#say({type: 'unsubscribe', id: entry.id});
  }

  #settle(entry: StreamSubscription, state: SubscriptionState): void {
    const waited = !entry.state.fresh && entry.state.failure === undefined;
    entry.state = state;
    this.#unannounced.add(entry);
    const waiting = this.waiting > 0;
    if (waiting && isPast(entry.question)) this.#telling ??= setTimeout(() => this.#tell(), gatherMs);
    else this.#tell();
    if (waited && !waiting) for (const listener of this.#settled) listener();
  }

  #tell(): void {
    if (this.#telling !== null) clearTimeout(this.#telling);
    this.#telling = null;
    const changed = [...this.#unannounced];
    this.#unannounced.clear();
    for (const entry of changed) for (const listener of entry.listeners) listener();
  }

  #set(entry: StreamSubscription, state: SubscriptionState): void {
    entry.state = state;
    for (const listener of entry.listeners) listener();
  }
}

function isPast(question: StreamQuestion): boolean {
  return 'at' in question && question.at !== undefined;
}
