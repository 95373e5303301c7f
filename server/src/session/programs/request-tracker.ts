// The requests of one controller and their attempts, as far as they are kept.
import type {ReconcileCause, RejectedCause} from '@krtscope/shared/controllers.ts';
import type {FromProgram} from '@krtscope/shared/programs/program.ts';
import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import {
  attemptKey,
  requestKey,
  type StoredAttempt,
  type StoredRequest,
} from '../../engine/link/controller-rows.ts';
import type {SourceChange} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';

type RequestFactOf<F extends ControllerFact['fact']> = Extract<ControllerFact, {fact: F}>;
type QueuedRequest = Extract<FromProgram, {type: 'queue'}>['requests'][number];

const MAX_ATTEMPTS_EACH = 20;
/** Of all controllers of a program: attempts, requests, and what the objects in attempts may weigh. */
const MAX_ATTEMPTS = 10_000;
const MAX_TRACKED_REQUESTS = 50_000;
const MAX_CHARACTERS = 32_000_000;
/** Causes, reads, writes and lines of one attempt. */
const MAX_NOTES = 200;
const MAX_WAITING = 50;
const MAX_REJECTED = 10;

/** What the controllers of one program hold together. */
export interface TrackerBudget {
  attempts: number;
  requests: number;
  characters: number;
}

interface TrackedRequest {
  row: StoredRequest;
  /** Numbers of its kept attempts, oldest first. */
  attempts: number[];
  /** What follows when the run that goes on ends. */
  next: {state: 'ready' | 'delayed'; due?: number | undefined} | undefined;
  asked: number | undefined;
}

interface TrackedAttempt {
  row: StoredAttempt;
  characters: number;
}

export class RequestTracker {
  readonly #controller: string;
  readonly #requests = new Map<string, TrackedRequest>();
  /** Oldest first. */
  readonly #attempts = new Map<string, TrackedAttempt>();
  /** Attempts that go on, by run. */
  readonly #running = new Map<string, string>();
  readonly #changedRequests = new Set<string>();
  readonly #changedAttempts = new Set<string>();
  readonly #budget: TrackerBudget;

  constructor(controller: string, budget: TrackerBudget) {
    this.#controller = controller;
    this.#budget = budget;
  }

  enqueue(fact: RequestFactOf<'enqueue'>, event: ReconcileCause | undefined): void {
    const {key, reason, at, added, due, priority} = fact;
    if (added === 'refused') return;
    const held = this.#requestOf(key, at);
    const {row} = held;
    const cause: ReconcileCause = {
      ...(event ?? {at}),
      reason,
      ...(added === 'folded' ? {folded: true} : {}),
    };
    const waiting = [...row.waiting, cause];
    const news: Partial<StoredRequest> = {waiting: waiting.slice(-MAX_WAITING), folded: row.folded};
    if (added === 'folded') news.folded = row.folded + 1;
    if (priority !== undefined) news.priority = priority;
    held.asked ??= event?.at ?? at;
    const next = due === undefined ? ({state: 'ready'} as const) : ({state: 'delayed', due} as const);
    if (added === 'again') news.again = true;
    else if (added !== 'folded') {
      if (row.state === 'in-flight') held.next = next;
      else Object.assign(news, {state: next.state, since: at, due});
    }
    this.#set(held, news);
  }

  reject(key: string, cause: RejectedCause): void {
    const held = this.#requestOf(key, cause.at);
    this.#set(held, {rejected: [...held.row.rejected, cause].slice(-MAX_REJECTED)});
  }

  start({key, run, at, attempt: retry, priority}: RequestFactOf<'start'>): void {
    const held = this.#requestOf(key, at);
    const attempt = held.row.attempts + 1;
    const row: StoredAttempt = {
      key: attemptKey(this.#controller, key, attempt),
      controller: this.#controller,
      request: key,
      run,
      attempt,
      retry,
      start: at,
      ...(held.asked === undefined ? {} : {asked: Math.min(held.asked, at)}),
      causes: held.row.waiting,
      reads: [],
      writes: [],
      log: [],
    };
    held.asked = undefined;
    held.next = undefined;
    this.#attempts.set(row.key, {row, characters: 0});
    this.#budget.attempts += 1;
    this.#changedAttempts.add(row.key);
    this.#running.set(run, row.key);
    held.attempts.push(attempt);
    while (held.attempts.length > MAX_ATTEMPTS_EACH)
      this.#dropAttempt(attemptKey(this.#controller, key, held.attempts[0] as number));
    this.#set(held, {
      state: 'in-flight',
      since: at,
      due: undefined,
      again: false,
      attempts: attempt,
      waiting: [],
      folded: 0,
      ...(priority === undefined ? {} : {priority}),
    });
    this.#trim();
  }

  note(fact: RequestFactOf<'read' | 'write' | 'log'>): void {
    const key = this.#running.get(fact.run);
    const held = key === undefined ? undefined : this.#attempts.get(key);
    if (key === undefined || held === undefined) return;
    const {row} = held;
    const {fact: kind, controller: _, run: __, key: ___, ...rest} = fact;
    const list = kind === 'read' ? row.reads : kind === 'write' ? row.writes : row.log;
    if (list.length >= MAX_NOTES) held.row = {...row, left: (row.left ?? 0) + 1};
    else if (kind === 'read')
      held.row = {...row, reads: [...row.reads, rest as Omit<RequestFactOf<'read'>, 'fact'>]};
    else if (kind === 'log')
      held.row = {...row, log: [...row.log, rest as Omit<RequestFactOf<'log'>, 'fact'>]};
    else {
      held.row = {...row, writes: [...row.writes, rest as Omit<RequestFactOf<'write'>, 'fact'>]};
      const characters = JSON.stringify(rest).length;
      held.characters += characters;
      this.#budget.characters += characters;
    }
    this.#changedAttempts.add(key);
    this.#trim();
  }

  end({key, run, at, took, result, after, error}: RequestFactOf<'end'>): void {
    const held = this.#requestOf(key, at);
    const ended = {
      took,
      result,
      ...(after === undefined ? {} : {after}),
      ...(error === undefined ? {} : {error}),
    };
    const attempt = this.#attempts.get(this.#running.get(run) ?? '');
    this.#running.delete(run);
    if (attempt !== undefined) {
      attempt.row = {...attempt.row, ...ended};
      this.#changedAttempts.add(attempt.row.key);
    }
    const next = held.row.again ? {state: 'ready' as const, due: undefined} : held.next;
    held.next = undefined;
    this.#set(held, {
      state: next?.state ?? 'idle',
      since: at,
      due: next?.due,
      again: false,
      last: {
        at,
        attempt: attempt?.row.attempt ?? held.row.attempts,
        retry: attempt?.row.retry ?? 1,
        ...ended,
      },
    });
  }

  /** The queue as it is, where facts were not heard: what it does not name is idle. */
  replace(queued: readonly QueuedRequest[], at: number): void {
    const named = new Map(queued.map(one => [one.key, one]));
    for (const [key, held] of this.#requests) {
      if (named.has(key) || held.row.state === 'idle') continue;
      held.next = undefined;
      this.#set(held, {state: 'idle', since: at, due: undefined, again: false, waiting: [], folded: 0});
    }
    for (const {key, state, due, priority} of queued) {
      const held = this.#requestOf(key, at);
      const since = held.row.state === state ? held.row.since : at;
      this.#set(held, {state, since, due, ...(priority === undefined ? {} : {priority})});
    }
    this.#running.clear();
  }

  /** Everything goes. */
  clear(received: number): SourceChange[] {
    this.#budget.attempts -= this.#attempts.size;
    this.#budget.requests -= this.#requests.size;
    for (const {characters} of this.#attempts.values()) this.#budget.characters -= characters;
    const gone = (collection: string, key: string): SourceChange => ({
      collection,
      key,
      event: 'delete',
      received,
    });
    return [
      ...[...this.#requests.values()].map(({row}) => gone(hiddenCollections.requests, row.key)),
      ...[...this.#attempts.keys()].map(key => gone(hiddenCollections.attempts, key)),
    ];
  }

  /** What changed since the last call. */
  changes(received: number): SourceChange[] {
    const change = (collection: string, key: string, row: object | undefined): SourceChange =>
      row === undefined
        ? {collection, key, event: 'delete', received}
        : {collection, key, event: 'update', new: row, received};
    const changes = [
      ...[...this.#changedRequests].map(key =>
        change(hiddenCollections.requests, requestKey(this.#controller, key), this.#requests.get(key)?.row),
      ),
      ...[...this.#changedAttempts].map(key =>
        change(hiddenCollections.attempts, key, this.#attempts.get(key)?.row),
      ),
    ];
    this.#changedRequests.clear();
    this.#changedAttempts.clear();
    return changes;
  }

  #requestOf(request: string, at: number): TrackedRequest {
    const known = this.#requests.get(request);
    if (known !== undefined) return known;
    const row: StoredRequest = {
      key: requestKey(this.#controller, request),
      controller: this.#controller,
      request,
      state: 'idle',
      since: at,
      folded: 0,
      attempts: 0,
      again: false,
      waiting: [],
      rejected: [],
    };
    const held: TrackedRequest = {row, attempts: [], next: undefined, asked: undefined};
    this.#requests.set(request, held);
    this.#budget.requests += 1;
    if (this.#budget.requests > MAX_TRACKED_REQUESTS) this.#dropIdle();
    return held;
  }

  #set(held: TrackedRequest, news: {[K in keyof StoredRequest]?: StoredRequest[K] | undefined}): void {
    const row = {...held.row, ...news} as StoredRequest;
    // Absent, not undefined: rows are compared and written as JSON.
    if (row.due === undefined) delete row.due;
    held.row = row;
    this.#changedRequests.add(row.request);
  }

  #dropIdle(): void {
    for (const [key, {row, attempts}] of this.#requests) {
      if (row.state !== 'idle') continue;
      for (const attempt of [...attempts]) this.#dropAttempt(attemptKey(this.#controller, key, attempt));
      this.#requests.delete(key);
      this.#budget.requests -= 1;
      this.#changedRequests.add(key);
      return;
    }
  }

  #trim(): void {
    const {attempts, characters} = this.#budget;
    if (attempts <= MAX_ATTEMPTS && characters <= MAX_CHARACTERS) return;
    // Its own go first, but for the one that is being told.
    while (
      this.#attempts.size > 1 &&
      (this.#budget.attempts > MAX_ATTEMPTS || this.#budget.characters > MAX_CHARACTERS)
    )
      this.#dropAttempt(this.#attempts.keys().next().value as string);
  }

  #dropAttempt(key: string): void {
    const held = this.#attempts.get(key);
    if (held === undefined) return;
    this.#attempts.delete(key);
    this.#changedAttempts.add(key);
    this.#budget.characters -= held.characters;
    this.#budget.attempts -= 1;
    this.#running.delete(held.row.run);
    const request = this.#requests.get(held.row.request);
    if (request !== undefined) request.attempts = request.attempts.filter(n => n !== held.row.attempt);
  }
}
