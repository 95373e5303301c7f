// Folds what a program says of its controllers into rows: one a controller, one a request, one an attempt. Bounded:
// what is oldest goes first. Rows that were given out are never changed again.
import type {RejectedCause} from '@krtscope/shared/controllers.ts';
import type {FromProgram} from '@krtscope/shared/programs/program.ts';
import type {ControllerFact, ProgramController} from '@krtscope/shared/programs/program-facts.ts';
import type {ControllerRow} from '../../engine/link/controller-rows.ts';
import type {SourceChange} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';
import {RequestTracker, type TrackerBudget} from './request-tracker.ts';

export type ControllerMessage = Extract<FromProgram, {type: 'controllers' | 'queue' | 'facts'}>;
type ControllerFactOf<F extends ControllerFact['fact']> = Extract<ControllerFact, {fact: F}>;

const BUCKET_MS = 10_000;
const MAX_BUCKETS = 30;
const MAX_REJECTED = 20;
/** Events whose requests may still come; an enqueue follows its event at once. */
const MAX_EVENTS = 2000;

/** A row in the making. */
interface TrackedController extends Omit<ControllerRow, 'key' | 'program'> {
  events: Map<number, ControllerFactOf<'event'>>;
  requests: RequestTracker;
  changed: boolean;
}

export class ControllerTracker {
  readonly #program: string;
  readonly #now: () => number;
  readonly #controllers = new Map<string, TrackedController>();
  readonly #budget: TrackerBudget = {attempts: 0, requests: 0, characters: 0};
  #gone: SourceChange[] = [];

  constructor(program: string, now: () => number = Date.now) {
    this.#program = program;
    this.#now = now;
  }

  /** What became of the rows, as one batch. */
  take(message: ControllerMessage): SourceChange[] {
    switch (message.type) {
      case 'controllers':
        this.#list(message.controllers);
        break;
      case 'queue':
        this.#queue(message);
        break;
      case 'facts':
        for (const fact of message.facts) this.#fact(fact);
        break;
    }
    return this.#changes();
  }

  /** The program is not heard any more. What it said last stays. */
  markAway(): SourceChange[] {
    for (const book of this.#controllers.values()) this.#set(book, {away: true});
    return this.#changes();
  }

  #set(book: TrackedController, news: Partial<TrackedController>): void {
    Object.assign(book, news, {changed: true});
  }

  #list(controllers: readonly ProgramController[]): void {
    const names = new Set(controllers.map(({name}) => name));
    for (const [name, book] of this.#controllers) {
      if (names.has(name)) continue;
      this.#controllers.delete(name);
      this.#gone.push(this.#change(hiddenCollections.controllers, name), ...book.requests.clear(this.#now()));
    }
    for (const about of controllers) {
      const book = this.#controllers.get(about.name);
      if (book === undefined) this.#controllers.set(about.name, createTrackedController(about, this.#budget));
      else this.#set(book, {about, away: false});
    }
  }

  #queue({controller, at, requests, done, requeued, failed}: Extract<FromProgram, {type: 'queue'}>): void {
    const book = this.#controllers.get(controller);
    if (book === undefined) return;
    this.#set(book, {done, requeued, failed, away: false, events: new Map()});
    book.requests.replace(requests, at);
  }

  #fact(fact: ControllerFact): void {
    const book = this.#controllers.get(fact.controller);
    if (book === undefined) return;
    switch (fact.fact) {
      case 'event':
        return this.#event(book, fact);
      case 'enqueue':
        return this.#enqueue(book, fact);
      case 'start':
        return book.requests.start(fact);
      case 'read':
        book.reads[fact.from] += 1;
        book.changed = true;
        return book.requests.note(fact);
      case 'write':
        book.writes += 1;
        book.changed = true;
        return book.requests.note(fact);
      case 'log':
        return book.requests.note(fact);
      case 'end':
        this.#end(book, fact);
    }
  }

  #event(book: TrackedController, fact: ControllerFactOf<'event'>): void {
    const heard = book.heard[fact.watch] ?? {events: 0, rejected: 0};
    heard.events += 1;
    if (fact.rejectedBy !== undefined) heard.rejected += 1;
    book.heard[fact.watch] = heard;
    book.changed = true;
    if (fact.rejectedBy === undefined) {
      book.events.set(fact.id, fact);
      if (book.events.size > MAX_EVENTS) book.events.delete(book.events.keys().next().value as number);
      return;
    }
    const rejected: RejectedCause = {...causeOf(fact), rejectedBy: fact.rejectedBy};
    book.rejected = [...book.rejected, rejected].slice(-MAX_REJECTED);
    // Only of the object itself is it known which request it would have been.
    if (fact.handler === 'object') book.requests.reject(fact.key, rejected);
  }

  #enqueue(book: TrackedController, fact: ControllerFactOf<'enqueue'>): void {
    const event = fact.event === undefined ? undefined : book.events.get(fact.event);
    if (fact.reason === 'event' || fact.reason === 'source') {
      book.asked += 1;
      if (fact.added === 'folded') book.folded += 1;
      book.changed = true;
    }
    book.requests.enqueue(fact, event && causeOf(event));
  }

  #end(book: TrackedController, fact: ControllerFactOf<'end'>): void {
    const count = fact.result === 'done' ? 'done' : fact.result.startsWith('requeue') ? 'requeued' : 'failed';
    book[count] += 1;
    const at = Math.floor(fact.at / BUCKET_MS) * BUCKET_MS;
    let bucket = book.results.findLast(one => one.at === at);
    if (bucket === undefined) {
      bucket = {at, done: 0, requeued: 0, failed: 0};
      book.results = [...book.results.filter(one => one.at > at - BUCKET_MS * MAX_BUCKETS), bucket];
    }
    bucket[count] += 1;
    book.changed = true;
    book.requests.end(fact);
  }

  #changes(): SourceChange[] {
    const changes = this.#gone;
    this.#gone = [];
    for (const [name, book] of this.#controllers) {
      if (book.changed)
        changes.push(this.#change(hiddenCollections.controllers, name, this.#row(name, book)));
      book.changed = false;
      changes.push(...book.requests.changes(this.#now()));
    }
    return changes;
  }

  #change(collection: string, key: string, row?: ControllerRow): SourceChange {
    const received = this.#now();
    return row === undefined
      ? {collection, key, event: 'delete', received}
      : {collection, key, event: 'update', new: row, received};
  }

  #row(name: string, {events: _, requests: __, changed: ___, ...book}: TrackedController): ControllerRow {
    const {reads, heard, results} = book;
    return {
      ...book,
      key: name,
      program: this.#program,
      reads: {...reads},
      heard: Object.fromEntries(Object.entries(heard).map(([watch, counts]) => [watch, {...counts}])),
      results: results.map(bucket => ({...bucket})),
    };
  }
}

function createTrackedController(about: ProgramController, budget: TrackerBudget): TrackedController {
  return {
    about,
    away: false,
    heard: {},
    asked: 0,
    folded: 0,
    reads: {cache: 0, api: 0},
    writes: 0,
    done: 0,
    requeued: 0,
    failed: 0,
    results: [],
    rejected: [],
    events: new Map(),
    requests: new RequestTracker(about.name, budget),
    changed: true,
  };
}

function causeOf({
  at,
  watch,
  event,
  kind,
  key,
  resourceVersion,
  unchanged,
  handler,
}: ControllerFactOf<'event'>) {
  return {
    reason: 'event' as const,
    at,
    watch,
    event,
    kind,
    key,
    ...(resourceVersion === undefined ? {} : {resourceVersion}),
    unchanged,
    handler,
  };
}
