// Subscriptions inside the engine process. Each is answered at most once a frame, after batches that may have changed
// its answer. Main shares one subscription among pages with the same question.
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';
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

/** Rates fall even when nothing happens, so some answers are refreshed every second. */
const TICK = 1000;

export interface HostSubscriptionsOptions {
  answer(question: Question): unknown;
  /**
   * Starts a slow answer, so that other questions can be answered in between. Returns false for all other questions.
   */
  answerInSlices(
    question: Question,
    done: (answer: unknown) => void,
    failed: (error: unknown) => void,
  ): boolean;
  send(message: FromHost): void;
  sequence(): number;
  /** Called before answers are made. Tells the views what changed. */
  refresh(): void;
  now(): number;
}

export class HostSubscriptions {
  readonly #options: HostSubscriptionsOptions;
  readonly #subscriptions = new Map<number, HostSubscription>();
  readonly #frameRate = new FrameRate();
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: HostSubscriptionsOptions) {
    this.#options = options;
    setInterval(() => this.#tick(), TICK).unref();
  }

  /** The current number of milliseconds between two frames. */
  get frame(): number {
    return this.#frameRate.interval(this.#options.now());
  }

  subscribe(id: number, question: Question): void {
    const subscription = createSubscription(id, question);
    this.#subscriptions.set(id, subscription);
    this.#answer(subscription);
  }

  unsubscribe(id: number): void {
    this.#subscriptions.delete(id);
  }

  /** Call it after each settled batch. */
  markBatch(batch: Batch): void {
    this.#frameRate.add(batch.rootPlaces.length, this.#options.now());
    if (this.#subscriptions.size === 0) return;
    let pulse: BatchPulse | undefined;
    // Most batches of a busy frame have no pulse on the page.
    const pulseOf = () => {
      pulse ??= batchPulseOf(batch);
      return pulse;
    };
    for (const one of this.#subscriptions.values()) {
      if (isPinned(one.question)) continue;
      if (one.differ instanceof GraphDiffer) {
        one.differ.pulse(pulseOf, MAX_PULSES);
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

  /** Any answer may differ now: sources reported, or an old recording came back. */
  markAll(): void {
    for (const one of this.#subscriptions.values()) this.#stale(one);
  }

  #stale(one: HostSubscription): void {
    one.dirty = true;
    one.beside = false;
    this.#schedule(one);
  }

  // An expensive answer waits longer, because batches need the time. It always waits for the next frame, so that all
  // answers that are due go out together.
  #dueAt({sent, interval, cost, beside, question}: HostSubscription): number {
    const counts = question.ask === 'graph' ? this.#frameRate.countsInterval(this.#options.now()) : 0;
    const apart = Math.max(beside ? SLOW_INTERVAL_MS : interval, cost * 5, this.frame, counts);
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

  /**
   * Starts an answer that takes long. Returns true if one is under way; a change in between leads to one more answer.
   */
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
