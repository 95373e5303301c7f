// One question to the engine process for however many sockets ask it: keeps its folded state for late joiners.
import {foldUpdate} from '@krtscope/shared/apply.ts';
import type {Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Update} from '@krtscope/shared/stream.ts';
import type {EngineLink} from '../engine/link/link.ts';

export type Snapshot = Extract<Update, {snapshot: unknown}>;

export interface Listener {
  onUpdate(update: Update, sequence: number): void;
  onFailure(failure: ApiFailure): void;
}

export class SharedSubscriptions {
  readonly #link: EngineLink;
  readonly #byQuestion = new Map<string, SharedSubscription>();

  constructor(link: EngineLink) {
    this.#link = link;
  }

  get size(): number {
    return this.#byQuestion.size;
  }

  /** Joins the subscription for this question; the listener first gets the state so far, if there is one. */
  join(question: Question, listener: Listener): {snapshot: () => Snapshot | undefined; leave: () => void} {
    const name = JSON.stringify(question);
    let shared = this.#byQuestion.get(name);
    if (shared === undefined) {
      shared = new SharedSubscription();
      this.#byQuestion.set(name, shared);
      shared.start(this.#link, question);
    }
    const joined = shared;
    joined.add(listener);
    return {
      snapshot: () => joined.snapshot,
      leave: () => {
        if (joined.remove(listener) > 0) return;
        joined.stop();
        if (this.#byQuestion.get(name) === joined) this.#byQuestion.delete(name);
      },
    };
  }
}

class SharedSubscription {
  snapshot: Snapshot | undefined;
  #sequence = 0;
  #failure: ApiFailure | undefined;
  #stop: () => void = () => {};
  readonly #listeners = new Set<Listener>();

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

  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.snapshot !== undefined) listener.onUpdate(this.snapshot, this.#sequence);
    if (this.#failure !== undefined) listener.onFailure(this.#failure);
  }

  remove(listener: Listener): number {
    this.#listeners.delete(listener);
    return this.#listeners.size;
  }

  stop(): void {
    this.#stop();
  }

  #publish(update: Update, sequence: number): void {
    this.#failure = undefined;
    this.snapshot = foldUpdate(this.snapshot, update);
    this.#sequence = sequence;
    for (const listener of this.#listeners) listener.onUpdate(update, sequence);
  }
}
