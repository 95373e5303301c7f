// Subscriptions inside the engine process: the same question of many pages is answered once a frame, after settled
// batches, and only when what it shows may have changed.
import {facetsOf, type Question} from '@krtscope/shared/questions.ts';
import type {Run} from '@krtscope/shared/run.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Sheet} from '@krtscope/shared/sheet.ts';
import type {Batch} from '../../history/batch.ts';
import {journals} from '../../history/journal.ts';
import {hidden} from '../link/hidden.ts';
import type {UpdateWithoutId} from '../link/link.ts';
import type {FromHost} from '../link/messages.ts';
import {type Differ, GraphDiffer, SheetDiffer, WholeDiffer, WindowDiffer} from './deltas.ts';
import {failureOf} from './failures.ts';
import {FRAME, Pace} from './pace.ts';
import {PULSES, pulseOf} from './pulses.ts';
import {runToWire} from './wire.ts';

/** Answers that look at the whole recording, or that nobody reads twenty times a second. */
const SLOW = 250;
/** Rates fall also while nothing happens. */
const TICK = 1000;

interface Group {
  readonly question: Question;
  readonly ids: Set<number>;
  readonly differ: Differ<unknown>;
  readonly interval: number;
  /** Runs since the last frame, of a trace that may be sent as a delta. */
  news: Run[] | undefined;
  skipped: number;
  /** Collections that a change must touch to matter; undefined: any. */
  concerns: ReadonlySet<string> | undefined;
  dirty: boolean;
  /** An answer that takes long is under way: the next one waits for its end. */
  pending: boolean;
  sent: number;
  cost: number;
  failure: string | undefined;
}

export interface SubscriptionsOptions {
  answer(question: Question): unknown;
  /** Answers what takes long when it is done: others are answered meanwhile. False for all other questions. */
  later(question: Question, done: (answer: unknown) => void, failed: (error: unknown) => void): boolean;
  send(message: FromHost): void;
  sequence(): number;
  /** Called before answers are made: tells the views what changed. */
  refresh(): void;
  now(): number;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #groups = new Map<string, Group>();
  readonly #byId = new Map<number, Group>();
  readonly #pace = new Pace();
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    setInterval(() => this.#tick(), TICK).unref();
  }

  /** Milliseconds between two frames at the moment. */
  get frame(): number {
    return this.#pace.frame(this.#options.now());
  }

  subscribe(id: number, question: Question): void {
    this.unsubscribe(id);
    const text = JSON.stringify(question);
    let group = this.#groups.get(text);
    if (group === undefined) {
      group = newGroup(question);
      this.#groups.set(text, group);
    }
    group.ids.add(id);
    this.#byId.set(id, group);
    if (group.ids.size === 1) this.#answer(group);
    else this.#welcome(group, id);
  }

  unsubscribe(id: number): void {
    const group = this.#byId.get(id);
    if (group === undefined) return;
    this.#byId.delete(id);
    group.ids.delete(id);
    if (group.ids.size === 0) this.#groups.delete(JSON.stringify(group.question));
  }

  /** After a settled batch. */
  batch(batch: Batch): void {
    this.#pace.add(batch.rootPlaces.length, this.#options.now());
    if (this.#groups.size === 0) return;
    let pulse: ReturnType<typeof pulseOf> | undefined;
    for (const group of this.#groups.values()) {
      if (isPinned(group.question)) continue;
      if (group.differ instanceof GraphDiffer) {
        pulse ??= pulseOf(batch);
        group.differ.pulse(pulse, PULSES);
      } else if (group.question.ask === 'trace') collect(group, batch);
      if (group.dirty) continue;
      group.dirty = touches(group.concerns, batch);
      if (group.dirty) this.#schedule(group);
    }
  }

  /** Everything may be different: sources report, an old recording has come back. */
  all(): void {
    for (const group of this.#groups.values()) {
      group.dirty = true;
      this.#schedule(group);
    }
  }

  // An expensive answer waits longer, or it would leave no time for the batches themselves.
  #dueAt({sent, interval, cost}: Group): number {
    return sent + Math.max(interval, cost * 5, this.frame);
  }

  #schedule(group: Group): void {
    const at = this.#dueAt(group);
    if (at >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = at;
    this.#timer = setTimeout(() => this.#frame(), Math.max(0, at - this.#options.now()));
  }

  #frame(): void {
    this.#due = Infinity;
    const now = this.#options.now();
    this.#options.refresh();
    for (const group of this.#groups.values()) {
      if (!group.dirty || group.pending) continue;
      if (this.#dueAt(group) > now + 1) this.#schedule(group);
      else this.#answer(group);
    }
  }

  #tick(): void {
    for (const group of this.#groups.values()) {
      if (!facetsOf(group.question.ask).ticks || isPinned(group.question)) continue;
      group.dirty = true;
      this.#schedule(group);
    }
  }

  #answer(group: Group): void {
    if (this.#answerLater(group)) return;
    const start = this.#options.now();
    group.dirty = false;
    try {
      const update = this.#updateOf(group);
      group.failure = undefined;
      if (update !== undefined) this.#send([...group.ids], update);
    } catch (error) {
      this.#trouble(group, failureOf(error));
    }
    group.sent = this.#options.now();
    group.cost = group.sent - start;
  }

  /** As an answer, but it comes in its own time. Whoever asks for it meanwhile gets it with the others. */
  #answerLater(group: Group): boolean {
    if (group.pending) {
      group.dirty = true;
      return true;
    }
    const {question} = group;
    const start = this.#options.now();
    const end = (tell: () => void): void => {
      group.pending = false;
      if (this.#groups.get(JSON.stringify(question)) !== group) return;
      tell();
      group.sent = this.#options.now();
      group.cost = group.sent - start;
      if (group.dirty) this.#schedule(group);
    };
    const done = (answer: unknown): void =>
      end(() => {
        const update = group.differ.next(answer);
        group.failure = undefined;
        if (update !== undefined) this.#send([...group.ids], update);
      });
    const wasDirty = group.dirty;
    group.dirty = false;
    group.pending = true;
    if (this.#options.later(question, done, error => end(() => this.#trouble(group, failureOf(error)))))
      return true;
    group.pending = false;
    group.dirty = wasDirty;
    return false;
  }

  #updateOf(group: Group): UpdateWithoutId | undefined {
    const {question, news, skipped} = group;
    if (question.ask === 'trace' && news !== undefined) {
      group.news = [];
      group.skipped = 0;
      return news.length === 0 && skipped === 0 ? undefined : {topic: 'trace', delta: {runs: news, skipped}};
    }
    const answer = this.#options.answer(question);
    if (question.ask === 'trace') group.news = [];
    if (question.ask === 'sheet') group.concerns = collectionsOf(answer as Sheet);
    return group.differ.next(answer);
  }

  /** One more page with a question that others have: it needs the whole, they do not. */
  #welcome(group: Group, id: number): void {
    const {question} = group;
    const isHere = (): boolean => this.#byId.get(id) === group;
    const isLater = this.#options.later(
      question,
      snapshot => isHere() && this.#send([id], {topic: question.ask, snapshot} as UpdateWithoutId),
      error => isHere() && this.#options.send({type: 'trouble', ids: [id], failure: failureOf(error)}),
    );
    if (isLater) return;
    try {
      this.#options.refresh();
      const snapshot = this.#options.answer(group.question);
      this.#send([id], {topic: group.question.ask, snapshot} as UpdateWithoutId);
    } catch (error) {
      this.#options.send({type: 'trouble', ids: [id], failure: failureOf(error)});
    }
  }

  #send(ids: number[], update: UpdateWithoutId): void {
    this.#options.send({
      type: 'update',
      ids,
      update: JSON.stringify(update),
      sequence: this.#options.sequence(),
    });
  }

  #trouble(group: Group, failure: ApiFailure): void {
    const text = JSON.stringify(failure);
    if (text === group.failure) return;
    group.failure = text;
    this.#options.send({type: 'trouble', ids: [...group.ids], failure});
  }
}

function newGroup(question: Question): Group {
  return {
    question,
    ids: new Set(),
    differ: differFor(question),
    interval: facetsOf(question.ask).slow ? SLOW : FRAME,
    news: undefined,
    skipped: 0,
    concerns: concernsOf(question),
    dirty: false,
    pending: false,
    sent: 0,
    cost: 0,
    failure: undefined,
  };
}

/** What programs say of their controllers. */
const told: ReadonlySet<string> = new Set([hidden.controllers, hidden.requests, hidden.attempts]);

function concernsOf(question: Question): ReadonlySet<string> | undefined {
  if (question.ask === 'window') return new Set([question.collection]);
  if (question.ask === 'controllers' || question.ask === 'requests' || question.ask === 'request')
    return told;
  return question.ask === 'incidents' ? new Set([journals.incidents]) : undefined;
}

function differFor(question: Question): Differ<unknown> {
  switch (question.ask) {
    case 'graph':
      return new GraphDiffer() as Differ<unknown>;
    case 'window':
      return new WindowDiffer() as Differ<unknown>;
    case 'sheet':
      return new SheetDiffer() as Differ<unknown>;
    default:
      return new WholeDiffer(question.ask);
  }
}

/** A question about one moment of the past has one answer for good. */
function isPinned(question: Question): boolean {
  return 'at' in question && question.at !== undefined;
}

function collectionsOf(sheet: Sheet): ReadonlySet<string> {
  return new Set([sheet.root, ...sheet.columns.map(({collection}) => collection)]);
}

function touches(concerns: ReadonlySet<string> | undefined, batch: Batch): boolean {
  if (concerns === undefined) return true;
  for (const {collection} of batch.roots) if (concerns.has(collection)) return true;
  for (const {collection} of batch.runs) if (concerns.has(collection)) return true;
  // Views without runs, such as indexes.
  for (const node of batch.changeNodes)
    if (node !== undefined && concerns.has(node.published.collection)) return true;
  return false;
}

function collect(group: Group, batch: Batch): void {
  const {question, news} = group;
  if (question.ask !== 'trace' || news === undefined) return;
  for (const node of batch.runNodes) {
    if (node === undefined) continue;
    const {run} = node;
    if (question.collection !== undefined && question.collection !== run.collection) continue;
    if (question.outcome !== undefined && question.outcome !== run.outcome) continue;
    if (
      question.key !== undefined &&
      question.key !== run.input &&
      !run.outputs.some(({key}) => key === question.key)
    ) {
      continue;
    }
    if (news.length < question.limit) news.push(runToWire(node));
    else group.skipped += 1;
  }
}
