// Asks the engine process once for all sockets with the same question. Keeps the current answer for late joiners and
// the last updates, so that a page that reconnects gets the changes and not everything.

import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Update} from '@krtscope/shared/stream.ts';
import {foldUpdate, joinUpdates} from '@krtscope/shared/subscription-update.ts';
import type {EngineLink} from '../engine/link/engine-link.ts';
import type {OutboxClock} from './outbox.ts';
import {SerializedUpdate} from './serialized-update.ts';

/** Milliseconds until a question ends after its last socket broke. */
const LINGER_MS = 10_000;
/** The number of updates to keep. At most twenty arrive in a second. */
const MAX_RECENT = 256;

export interface SubscriptionListener {
  onUpdate(update: SerializedUpdate, sequence: number): void;
  onFailure(failure: ApiFailure): void;
  /** The page already has the current state. */
  onSame(mark: string): void;
}

export interface SubscriptionHandle {
  snapshot(): SerializedUpdate | undefined;
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
   * Joins the subscription for this question. The listener first gets the current state, if there is one, or the
   * changes since the state that `have` names.
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
  snapshot: SerializedUpdate | undefined;
  #folded: Extract<Update, {snapshot: unknown}> | undefined;
  readonly #name: string;
  #sequence = 0;
  #count = 0;
  /** The last updates; update n leads to the state with mark n. */
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
      (update, sequence, text) => this.#publish({...update, id: ''} as Update, sequence, text),
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
    else if (missed !== undefined)
      listener.onUpdate(new SerializedUpdate(missed, this.#mark()), this.#sequence);
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

  /** The changes from the state with this mark to the current one; undefined if they are no longer kept. */
  #since(have: string | undefined): Update | 'nothing' | undefined {
    if (have === undefined || !have.startsWith(`${this.#name}.`)) return undefined;
    const n = Number(have.slice(this.#name.length + 1));
    if (n === this.#count) return 'nothing';
    const missed = this.#recent.filter(one => one.n > n);
    if (missed.length !== this.#count - n) return undefined;
    return missed.map(one => one.update).reduce(joinUpdates);
  }

  #publish(update: Update, sequence: number, text?: string): void {
    this.#failure = undefined;
    this.#count += 1;
    const published = new SerializedUpdate(update, this.#mark(), text);
    this.#folded = foldUpdate(this.#folded, update);
    if (published.isSnapshot) this.snapshot = published;
    else this.snapshot = this.#folded && new SerializedUpdate(this.#folded, this.#mark());
    this.#sequence = sequence;
    // A snapshot replaces all updates before it.
    if ('snapshot' in update) this.#recent = [];
    this.#recent.push({n: this.#count, update});
    if (this.#recent.length > MAX_RECENT) this.#recent = this.#recent.slice(-MAX_RECENT / 2);
    for (const listener of this.#listeners) listener.onUpdate(published, sequence);
  }
}
