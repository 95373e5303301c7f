// Turns a program's messages about its controllers into rows: controllers, requests and attempts.
// Drops the oldest first. Published rows are never changed.
import type {RejectedCause} from '@krtscope/shared/controllers.ts';
import type {FromProgram} from '@krtscope/shared/programs/program.ts';
import type {ControllerFact, ProgramController} from '@krtscope/shared/programs/program-facts.ts';
import {isConflict} from '@krtscope/shared/programs/write-conflict.ts';
import type {ControllerRow, ResultBucket} from '../../engine/link/controller-rows.ts';
import type {SourceChange} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';
import {RequestTracker, type TrackerBudget} from './request-tracker.ts';

export type ControllerMessage = Extract<FromProgram, {type: 'controllers' | 'queue' | 'facts'}>;
type ControllerFactOf<F extends ControllerFact['fact']> = Extract<ControllerFact, {fact: F}>;

const BUCKET_MS = 10_000;
const MAX_BUCKETS = 30;
const MAX_REJECTED = 20;
/** Events whose requests may still come. An enqueue follows its event at once. */
const MAX_EVENTS = 2000;

/** A controller's row, before it is published. */
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

  /** The changed rows, as one batch. */
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

  /** Marks the program as disconnected. Its last messages stay. */
  markAway(): SourceChange[] {
    for (const controller of this.#controllers.values()) this.#set(controller, {away: true});
    return this.#changes();
  }

  #set(controller: TrackedController, changes: Partial<TrackedController>): void {
    Object.assign(controller, changes, {changed: true});
  }

  #list(controllers: readonly ProgramController[]): void {
    const names = new Set(controllers.map(({name}) => name));
    for (const [name, controller] of this.#controllers) {
      if (names.has(name)) continue;
      this.#controllers.delete(name);
      this.#gone.push(
        this.#change(hiddenCollections.controllers, name),
        ...controller.requests.clear(this.#now()),
      );
    }
    for (const about of controllers) {
      const controller = this.#controllers.get(about.name);
      if (controller === undefined)
        this.#controllers.set(about.name, createTrackedController(about, this.#budget));
      else this.#set(controller, {about, away: false});
    }
  }

  #queue({controller, at, requests, done, requeued, failed}: Extract<FromProgram, {type: 'queue'}>): void {
    const tracked = this.#controllers.get(controller);
    if (tracked === undefined) return;
    this.#set(tracked, {done, requeued, failed, away: false, events: new Map()});
    tracked.requests.replace(requests, at);
  }

  #fact(fact: ControllerFact): void {
    const controller = this.#controllers.get(fact.controller);
    if (controller === undefined) return;
    switch (fact.fact) {
      case 'event':
        return this.#event(controller, fact);
      case 'enqueue':
        return this.#enqueue(controller, fact);
      case 'start':
        return controller.requests.start(fact);
      case 'read':
        controller.reads[fact.from] += 1;
        controller.changed = true;
        return controller.requests.record(fact);
      case 'write':
        this.#write(controller, fact);
        return controller.requests.record(fact);
      case 'log':
        return controller.requests.record(fact);
      case 'end':
        this.#end(controller, fact);
    }
  }

  #event(controller: TrackedController, fact: ControllerFactOf<'event'>): void {
    const heard = controller.heard[fact.watch] ?? {events: 0, rejected: 0};
    heard.events += 1;
    if (fact.rejectedBy !== undefined) heard.rejected += 1;
    controller.heard[fact.watch] = heard;
    controller.changed = true;
    if (fact.rejectedBy === undefined) {
      controller.events.set(fact.id, fact);
      if (controller.events.size > MAX_EVENTS)
        controller.events.delete(controller.events.keys().next().value as number);
      return;
    }
    const rejected: RejectedCause = {...causeOf(fact), rejectedBy: fact.rejectedBy};
    controller.rejected = [...controller.rejected, rejected].slice(-MAX_REJECTED);
    // Only an event of the object itself tells the request.
    if (fact.handler === 'object') controller.requests.reject(fact.key, rejected);
  }

  #enqueue(controller: TrackedController, fact: ControllerFactOf<'enqueue'>): void {
    const event = fact.event === undefined ? undefined : controller.events.get(fact.event);
    if (fact.reason === 'event' || fact.reason === 'source') {
      controller.asked += 1;
      if (fact.added === 'folded') controller.folded += 1;
      controller.changed = true;
    }
    controller.requests.enqueue(fact, event && causeOf(event));
  }

  #write(controller: TrackedController, {at, dryRun, error}: ControllerFactOf<'write'>): void {
    controller.writes += 1;
    controller.changed = true;
    if (dryRun) return;
    const bucket = bucketOf(controller, at);
    bucket.writes = (bucket.writes ?? 0) + 1;
    if (isConflict(error)) bucket.conflicts = (bucket.conflicts ?? 0) + 1;
  }

  #end(controller: TrackedController, fact: ControllerFactOf<'end'>): void {
    const count = fact.result === 'done' ? 'done' : fact.result.startsWith('requeue') ? 'requeued' : 'failed';
    controller[count] += 1;
    bucketOf(controller, fact.at)[count] += 1;
    controller.changed = true;
    controller.requests.end(fact);
  }

  #changes(): SourceChange[] {
    const changes = this.#gone;
    this.#gone = [];
    for (const [name, controller] of this.#controllers) {
      if (controller.changed)
        changes.push(this.#change(hiddenCollections.controllers, name, this.#row(name, controller)));
      controller.changed = false;
      changes.push(...controller.requests.changes(this.#now()));
    }
    return changes;
  }

  #change(collection: string, key: string, row?: ControllerRow): SourceChange {
    const received = this.#now();
    return row === undefined
      ? {collection, key, event: 'delete', received}
      : {collection, key, event: 'update', new: row, received};
  }

  #row(
    name: string,
    {events: _, requests: __, changed: ___, ...controller}: TrackedController,
  ): ControllerRow {
    const {reads, heard, results} = controller;
    return {
      ...controller,
      key: name,
      program: this.#program,
      reads: {...reads},
      heard: Object.fromEntries(Object.entries(heard).map(([watch, counts]) => [watch, {...counts}])),
      results: results.map(bucket => ({...bucket})),
    };
  }
}

/** The bucket of this moment; a new one displaces those that are too old. */
function bucketOf(controller: TrackedController, time: number): ResultBucket {
  const at = Math.floor(time / BUCKET_MS) * BUCKET_MS;
  const found = controller.results.findLast(one => one.at === at);
  if (found !== undefined) return found;
  const bucket: ResultBucket = {at, done: 0, requeued: 0, failed: 0};
  controller.results = [...controller.results.filter(one => one.at > at - BUCKET_MS * MAX_BUCKETS), bucket];
  return bucket;
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
