// Subscriptions inside the engine process: answered once a frame, after settled batches, and only when what they show
// may have changed. Main shares equal questions among pages; here each is asked once.
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import type {Batch} from '../../../history/batch.ts';
import type {FromHost} from '../../link/host-messages.ts';
import {failureOf} from '../failures.ts';
import {batchPulseOf, MAX_PULSES} from './batch-pulse.ts';
import {GraphDiffer} from './deltas.ts';
import {FrameRate} from './frame-rate.ts';
import {
  collectionsOf,
  collectRuns,
  createSubscription,
  type HostSubscription,
  isAbout,
  isPinned,
  isTouchedBy,
  SLOW_INTERVAL_MS,
} from './subscription.ts';

/** Rates fall also while nothing happens. */
const TICK = 1000;

export interface HostSubscriptionsOptions {
  answer(question: Question): unknown;
  /** Answers what takes long when it is done: others are answered meanwhile. False for all other questions. */
  answerInSlices(
    question: Question,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): boolean;
  send(message: FromHost): void;
  sequence(): number;
  /** Called before answers are made: tells the views what changed. */
  refresh(): void;
  now(): number;
}

export class HostSubscriptions {
  readonly #options: HostSubscriptionsOptions;
  readonly #subscriptions = new Map<number, HostSubscription>();
  readonly #pace = new FrameRate();
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: HostSubscriptionsOptions) {
    this.#options = options;
    setInterval(() => this.#tick(), TICK).unref();
  }

  /** Milliseconds between two frames at the moment. */
  get frame(): number {
    return this.#pace.interval(this.#options.now());
  }

  subscribe(id: number, question: Question): void {
    const subscription = createSubscription(id, question);
    this.#subscriptions.set(id, subscription);
    this.#answer(subscription);
  }

  unsubscribe(id: number): void {
    this.#subscriptions.delete(id);
  }

  /** After a settled batch. */
  markBatch(batch: Batch): void {
    this.#pace.add(batch.rootPlaces.length, this.#options.now());
    if (this.#subscriptions.size === 0) return;
    let pulse: ReturnType<typeof batchPulseOf> | undefined;
    for (const one of this.#subscriptions.values()) {
      if (isPinned(one.question)) continue;
      if (one.differ instanceof GraphDiffer) {
        pulse ??= batchPulseOf(batch);
        one.differ.pulse(pulse, MAX_PULSES);
      } else if (one.question.ask === 'trace') collectRuns(one, batch);
      if (one.dirty && !one.beside) continue;
      if (!isTouchedBy(one.concerns, batch)) continue;
      const beside = !isAbout(one.question, batch);
      if (one.dirty && beside) continue;
      one.dirty = true;
      one.beside = beside;
      this.#schedule(one);
    }
  }

  /** Everything may be different: sources report, an old recording has come back. */
  markAll(): void {
    for (const one of this.#subscriptions.values()) this.#stale(one);
  }

  #stale(one: HostSubscription): void {
    one.dirty = true;
    one.beside = false;
    this.#schedule(one);
  }

  // An expensive answer waits longer, or it would leave no time for the batches themselves. Never before the next frame:
  // what is due within one goes out together, and nothing after this paces it again.
  #dueAt({sent, interval, cost, beside}: HostSubscription): number {
    const apart = Math.max(beside ? SLOW_INTERVAL_MS : interval, cost * 5, this.frame);
    return Math.max(sent + apart, this.#last + this.frame);
  }

  #schedule(one: HostSubscription): void {
    const at = this.#dueAt(one);
    if (at >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = at;
    this.#timer = setTimeout(() => this.#frame(), Math.max(0, at - this.#options.now()));
  }

  #frame(): void {
    this.#due = Infinity;
    const now = this.#options.now();
    const waiting = [...this.#subscriptions.values()].filter(one => one.dirty && !one.pending);
    const ready = waiting.filter(one => this.#dueAt(one) <= now + 1);
    if (ready.length > 0) {
      this.#last = now;
      this.#options.refresh();
      for (const one of ready) this.#answer(one);
    }
    for (const one of waiting) if (one.dirty) this.#schedule(one);
  }

  #tick(): void {
    for (const one of this.#subscriptions.values()) {
      if (facetsOf(one.question.ask).ticks && !isPinned(one.question)) this.#stale(one);
    }
  }

  #answer(one: HostSubscription): void {
    if (this.#answerLater(one)) return;
    const start = this.#options.now();
    one.dirty = false;
    try {
      const update = this.#updateOf(one);
      one.failure = undefined;
      if (update !== undefined) this.#send(one.id, update);
    } catch (error) {
      this.#trouble(one, failureOf(error));
    }
    this.#spent(one, start);
  }

  #spent(one: HostSubscription, start: number): void {
    one.sent = this.#options.now();
    const took = one.sent - start;
    one.cost = Math.min(took, one.took);
    one.took = took;
  }

  /** As an answer, but it comes in its own time. Whoever asks for it meanwhile gets it with the others. */
  #answerLater(one: HostSubscription): boolean {
    if (one.pending) {
      one.dirty = true;
      return true;
    }
    const {question} = one;
    const start = this.#options.now();
    const end = (tell: () => void): void => {
      one.pending = false;
      if (this.#subscriptions.get(one.id) !== one) return;
      tell();
      this.#spent(one, start);
      if (one.dirty) this.#schedule(one);
    };
    const done = (answer: unknown): void =>
      end(() => {
        if (question.ask === 'sheet') one.concerns = collectionsOf(answer as Sheet);
        const update = one.differ.next(answer);
        one.failure = undefined;
        if (update !== undefined) this.#send(one.id, update);
      });
    const wasDirty = one.dirty;
    one.dirty = false;
    one.pending = true;
    if (
      this.#options.answerInSlices(question, done, error => end(() => this.#trouble(one, failureOf(error))))
    )
      return true;
    one.pending = false;
    one.dirty = wasDirty;
    return false;
  }

  #updateOf(one: HostSubscription): string | undefined {
    const {question, news, skipped} = one;
    if (question.ask === 'trace' && news !== undefined) {
      one.news = [];
      one.skipped = 0;
      if (news.length === 0 && skipped === 0) return undefined;
      return JSON.stringify({topic: 'trace', delta: {runs: news, skipped}});
    }
    const answer = this.#options.answer(question);
    if (question.ask === 'trace') one.news = [];
    if (question.ask === 'sheet') one.concerns = collectionsOf(answer as Sheet);
    return one.differ.next(answer);
  }

  #send(id: number, update: string): void {
    this.#options.send({type: 'update', id, update, sequence: this.#options.sequence()});
  }

  #trouble(one: HostSubscription, failure: ApiFailure): void {
    const text = JSON.stringify(failure);
    if (text === one.failure) return;
    one.failure = text;
    this.#options.send({type: 'trouble', id: one.id, failure});
  }
}
