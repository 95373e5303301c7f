// One question to the engine process for however many sockets ask it: keeps its folded state for late joiners, and for
// a while what it last told, so that a page whose socket broke hears what changed and not everything.

import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {MarkedUpdate, Update} from '@krtscope/shared/stream.ts';
import {foldUpdate, joinUpdates} from '@krtscope/shared/subscription-update.ts';
import type {EngineLink} from '../engine/link/engine-link.ts';
import type {OutboxClock} from './outbox.ts';

export type MarkedSnapshot = Extract<Update, {snapshot: unknown}> & {mark?: string};

/** How long a question is still asked after its last socket broke. */
const LINGER_MS = 10_000;
/** Updates that are kept: at most twenty a second come. */
const MAX_RECENT = 256;

export interface SubscriptionListener {
  onUpdate(update: MarkedUpdate, sequence: number): void;
  onFailure(failure: ApiFailure): void;
  /** What the socket's page holds is still so. */
  onSame(mark: string): void;
}

export interface SubscriptionHandle {
  snapshot(): MarkedSnapshot | undefined;
  /** `broken`: the socket may come back for it. */
  leave(broken: boolean): void;
}

export class SharedSubscriptions {
  readonly #link: EngineLink;
  readonly #clock: Pick<OutboxClock, 'after'>;
  readonly #byQuestion = new Map<string, SharedSubscription>();
  #started = 0;

  constructor(link: EngineLink, clock: Pick<OutboxClock, 'after'>) {
    this.#link = link;
    this.#clock = clock;
  }

  get size(): number {
    return this.#byQuestion.size;
  }

  /**
   * Joins the subscription for this question; the listener first gets the state so far, if there is one, or what changed
   * in it since the state that `have` names.
   */
  join(question: Question, listener: SubscriptionListener, have?: string): SubscriptionHandle {
    const name = JSON.stringify(question);
    let shared = this.#byQuestion.get(name);
    if (shared === undefined) {
      this.#started += 1;
      shared = new SharedSubscription(`${Date.now().toString(36)}-${this.#started}`);
      this.#byQuestion.set(name, shared);
      shared.start(this.#link, question);
    }
    const joined = shared;
    joined.add(listener, have);
    const end = () => {
      if (joined.listeners > 0) return;
      joined.stop();
      if (this.#byQuestion.get(name) === joined) this.#byQuestion.delete(name);
    };
    return {
      snapshot: () => joined.snapshot,
      leave: broken => {
        if (joined.remove(listener) > 0) return;
        if (broken) this.#clock.after(LINGER_MS, end);
        else end();
      },
    };
  }
}

class SharedSubscription {
  snapshot: MarkedSnapshot | undefined;
  readonly #name: string;
  #sequence = 0;
  #count = 0;
  /** The last updates; the one of number n brings a state to the mark n. */
  #recent: {n: number; update: Update}[] = [];
  #failure: ApiFailure | undefined;
  #stop: () => void = () => {};
  readonly #listeners = new Set<SubscriptionListener>();

  constructor(name: string) {
    this.#name = name;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  start(link: EngineLink, question: Question): void {
    this.#stop = link.subscribe(
      question,
      (update, sequence) => this.#publish({...update, id: ''} as Update, sequence),
      failure => {
        this.#failure = failure;
        for (const listener of this.#listeners) listener.onFailure(failure);
      },
    );
  }

  add(listener: SubscriptionListener, have: string | undefined): void {
    this.#listeners.add(listener);
    const missed = this.#since(have);
    if (missed === 'nothing') listener.onSame(this.#mark());
    else if (missed !== undefined) listener.onUpdate({...missed, mark: this.#mark()}, this.#sequence);
    else if (this.snapshot !== undefined) listener.onUpdate(this.snapshot, this.#sequence);
    if (this.#failure !== undefined) listener.onFailure(this.#failure);
  }

  remove(listener: SubscriptionListener): number {
    this.#listeners.delete(listener);
    return this.#listeners.size;
  }

  stop(): void {
    this.#stop();
  }

  #mark(): string {
    return `${this.#name}.${this.#count}`;
  }

  /** What leads from the state that was marked so to the present one; undefined: it is not known any more. */
  #since(have: string | undefined): Update | 'nothing' | undefined {
    if (have === undefined || !have.startsWith(`${this.#name}.`)) return undefined;
    const n = Number(have.slice(this.#name.length + 1));
    if (n === this.#count) return 'nothing';
    const missed = this.#recent.filter(one => one.n > n);
    if (missed.length !== this.#count - n) return undefined;
    return missed.map(one => one.update).reduce(joinUpdates);
  }

  #publish(update: Update, sequence: number): void {
    this.#failure = undefined;
    this.#count += 1;
    const folded = foldUpdate(this.snapshot, update);
    this.snapshot = folded && {...folded, mark: this.#mark()};
    this.#sequence = sequence;
    // A whole state makes those before it useless.
    if ('snapshot' in update) this.#recent = [];
    this.#recent.push({n: this.#count, update});
    if (this.#recent.length > MAX_RECENT) this.#recent = this.#recent.slice(-MAX_RECENT / 2);
    for (const listener of this.#listeners) listener.onUpdate({...update, mark: this.#mark()}, sequence);
  }
}
