// The requests of one controller and their attempts, within limits.
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
import {writtenVersion} from '../../engine/link/object-version.ts';
import {addStart, OwnWrites} from './unrequested-runs.ts';

type RequestFactOf<F extends ControllerFact['fact']> = Extract<ControllerFact, {fact: F}>;
type QueuedRequest = Extract<FromProgram, {type: 'queue'}>['requests'][number];

const MAX_ATTEMPTS_EACH = 20;
/** Limits for all controllers of a program: attempts, requests, and the size of objects in attempts. */
const MAX_ATTEMPTS = 10_000;
const MAX_TRACKED_REQUESTS = 50_000;
const MAX_CHARACTERS = 32_000_000;
/** Causes, reads, writes and log lines of one attempt. */
const MAX_ENTRIES = 200;
const MAX_WAITING = 50;
const MAX_REJECTED = 10;

/** The total of all controllers of one program. */
export interface TrackerBudget {
  attempts: number;
  requests: number;
  characters: number;
}

interface TrackedRequest {
  row: StoredRequest;
  /** Numbers of its stored attempts, oldest first. */
  attempts: number[];
  /** What follows when the running attempt ends. */
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
  /** Running attempts, by run. */
  readonly #running = new Map<string, string>();
  readonly #changedRequests = new Set<string>();
  readonly #changedAttempts = new Set<string>();
  readonly #budget: TrackerBudget;
  readonly #ownWrites = new OwnWrites();

  constructor(controller: string, budget: TrackerBudget) {
    this.#controller = controller;
    this.#budget = budget;
  }

  enqueue(fact: RequestFactOf<'enqueue'>, event: ReconcileCause | undefined): void {
    const {key, reason, at, added, due, priority} = fact;
    if (added === 'refused') return;
    const tracked = this.#requestOf(key, at);
    const {row} = tracked;
    const cause: ReconcileCause = {
      ...(event ?? {at}),
      reason,
      ...(added === 'folded' ? {folded: true} : {}),
    };
    const waiting = [...row.waiting, cause];
    const changes: Partial<StoredRequest> = {waiting: waiting.slice(-MAX_WAITING), folded: row.folded};
    if (added === 'folded') changes.folded = row.folded + 1;
    if (priority !== undefined) changes.priority = priority;
    tracked.asked ??= event?.at ?? at;
    const next = due === undefined ? ({state: 'ready'} as const) : ({state: 'delayed', due} as const);
    if (added === 'again') changes.again = true;
    else if (added !== 'folded') {
      if (row.state === 'in-flight') tracked.next = next;
      else Object.assign(changes, {state: next.state, since: at, due});
    }
    this.#set(tracked, changes);
  }

  reject(key: string, cause: RejectedCause): void {
    const tracked = this.#requestOf(key, cause.at);
    this.#set(tracked, {rejected: [...tracked.row.rejected, cause].slice(-MAX_REJECTED)});
  }

  start({key, run, at, attempt: retry, priority}: RequestFactOf<'start'>): void {
    const tracked = this.#requestOf(key, at);
    const attempt = tracked.row.attempts + 1;
    const row: StoredAttempt = {
      key: attemptKey(this.#controller, key, attempt),
      controller: this.#controller,
      request: key,
      run,
      attempt,
      retry,
      start: at,
      ...(tracked.asked === undefined ? {} : {asked: Math.min(tracked.asked, at)}),
      causes: tracked.row.waiting,
      reads: [],
      writes: [],
      log: [],
    };
    tracked.asked = undefined;
    tracked.next = undefined;
    this.#attempts.set(row.key, {row, characters: 0});
    this.#budget.attempts += 1;
    this.#changedAttempts.add(row.key);
    this.#running.set(run, row.key);
    tracked.attempts.push(attempt);
    while (tracked.attempts.length > MAX_ATTEMPTS_EACH)
      this.#dropAttempt(attemptKey(this.#controller, key, tracked.attempts[0] as number));
    this.#set(tracked, {
      state: 'in-flight',
      since: at,
      due: undefined,
      again: false,
      attempts: attempt,
      waiting: [],
      folded: 0,
      ...(this.#ownWrites.isRequested(row.causes)
        ? {}
        : {unrequested: addStart(tracked.row.unrequested, at)}),
      ...(priority === undefined ? {} : {priority}),
    });
    this.#trim();
  }

  record(fact: RequestFactOf<'read' | 'write' | 'log'>): void {
    const key = this.#running.get(fact.run);
    const attempt = key === undefined ? undefined : this.#attempts.get(key);
    if (key === undefined || attempt === undefined) return;
    const {row} = attempt;
    const {fact: kind, controller: _, run: __, key: ___, ...rest} = fact;
    const list = kind === 'read' ? row.reads : kind === 'write' ? row.writes : row.log;
    if (list.length >= MAX_ENTRIES) attempt.row = {...row, left: (row.left ?? 0) + 1};
    else if (kind === 'read')
      attempt.row = {...row, reads: [...row.reads, rest as Omit<RequestFactOf<'read'>, 'fact'>]};
    else if (kind === 'log')
      attempt.row = {...row, log: [...row.log, rest as Omit<RequestFactOf<'log'>, 'fact'>]};
    else {
      attempt.row = {...row, writes: [...row.writes, rest as Omit<RequestFactOf<'write'>, 'fact'>]};
      const characters = JSON.stringify(rest).length;
      attempt.characters += characters;
      this.#budget.characters += characters;
      this.#ownWrites.add(writtenVersion(fact as RequestFactOf<'write'>));
    }
    this.#changedAttempts.add(key);
    this.#trim();
  }

  end({key, run, at, took, result, after, error}: RequestFactOf<'end'>): void {
    const tracked = this.#requestOf(key, at);
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
    const next = tracked.row.again ? {state: 'ready' as const, due: undefined} : tracked.next;
    tracked.next = undefined;
    this.#set(tracked, {
      state: next?.state ?? 'idle',
      since: at,
      due: next?.due,
      again: false,
      failures: isFailed(result) ? (tracked.row.failures ?? 0) + 1 : 0,
      last: {
        at,
        attempt: attempt?.row.attempt ?? tracked.row.attempts,
        retry: attempt?.row.retry ?? 1,
        ...ended,
      },
    });
  }

  /** Replaces the queue after a gap in the facts. Requests that it does not name are idle. */
  replace(queued: readonly QueuedRequest[], at: number): void {
    const named = new Map(queued.map(one => [one.key, one]));
    for (const [key, tracked] of this.#requests) {
      if (named.has(key) || tracked.row.state === 'idle') continue;
      tracked.next = undefined;
      this.#set(tracked, {state: 'idle', since: at, due: undefined, again: false, waiting: [], folded: 0});
    }
    for (const {key, state, due, priority} of queued) {
      const tracked = this.#requestOf(key, at);
      const since = tracked.row.state === state ? tracked.row.since : at;
      this.#set(tracked, {state, since, due, ...(priority === undefined ? {} : {priority})});
    }
    this.#running.clear();
  }

  /** Drops everything and returns the deletions. */
  clear(received: number): SourceChange[] {
    this.#budget.attempts -= this.#attempts.size;
    this.#budget.requests -= this.#requests.size;
    for (const {characters} of this.#attempts.values()) this.#budget.characters -= characters;
    const deletion = (collection: string, key: string): SourceChange => ({
      collection,
      key,
      event: 'delete',
      received,
    });
    return [
      ...[...this.#requests.values()].map(({row}) => deletion(hiddenCollections.requests, row.key)),
      ...[...this.#attempts.keys()].map(key => deletion(hiddenCollections.attempts, key)),
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
    const existing = this.#requests.get(request);
    if (existing !== undefined) return existing;
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
    const tracked: TrackedRequest = {row, attempts: [], next: undefined, asked: undefined};
    this.#requests.set(request, tracked);
    this.#budget.requests += 1;
    if (this.#budget.requests > MAX_TRACKED_REQUESTS) this.#dropIdle();
    return tracked;
  }

  #set(tracked: TrackedRequest, changes: {[K in keyof StoredRequest]?: StoredRequest[K] | undefined}): void {
    const row = {...tracked.row, ...changes} as StoredRequest;
    // Absent and not undefined: rows are compared and written as JSON.
    if (row.due === undefined) delete row.due;
    tracked.row = row;
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
    // Drop the oldest attempts of this controller, except the current one.
    while (
      this.#attempts.size > 1 &&
      (this.#budget.attempts > MAX_ATTEMPTS || this.#budget.characters > MAX_CHARACTERS)
    )
      this.#dropAttempt(this.#attempts.keys().next().value as string);
  }

  #dropAttempt(key: string): void {
    const attempt = this.#attempts.get(key);
    if (attempt === undefined) return;
    this.#attempts.delete(key);
    this.#changedAttempts.add(key);
    this.#budget.characters -= attempt.characters;
    this.#budget.attempts -= 1;
    this.#running.delete(attempt.row.run);
    const request = this.#requests.get(attempt.row.request);
    if (request !== undefined) request.attempts = request.attempts.filter(n => n !== attempt.row.attempt);
  }
}

function isFailed(result: RequestFactOf<'end'>['result']): boolean {
  return result !== 'done' && result !== 'requeue' && result !== 'requeue-after';
}
