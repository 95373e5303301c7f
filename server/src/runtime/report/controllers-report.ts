// Reports a manager's controllers to krtscope: their definition, their queues, and the steps of each request.

import type {ProgramFactInput} from '@krtscope/shared/programs/program.ts';
import type {ProgramController} from '@krtscope/shared/programs/program-facts.ts';
import {isRecord} from '../../kube/object.ts';
import type {Controller} from '../controller/controller.ts';
import type {LeaderView} from '../leader/leader-election.ts';
import type {
  TracedEnqueue,
  TracedEvent,
  TracedLogLine,
  TracedRead,
  TracedRun,
  TracedRunEnd,
  TracedWrite,
  Tracer,
  TracerSlot,
} from '../trace/tracer.ts';
import {JsonWriter} from './json-writer.ts';
import type {ProgramPart, Send} from './program.ts';

/** The part of a manager that the report uses. */
export interface ReportedManager {
  readonly controllers: readonly Controller[];
  readonly tracer: TracerSlot;
  readonly clock: {now(): number};
  readonly leader: LeaderView | undefined;
  readonly leading: boolean;
}

/** Milliseconds to collect facts for one message, which is cheaper than one message for each. */
const flushAfter = 50;
const flushCharacters = 500_000;
/** The most keys of a queue in one message. */
const mostRequests = 20_000;

type ReportedFact = Omit<ProgramFactInput, 'at' | 'controller'> & Record<string, unknown>;

interface ReconcileTotals {
  done: number;
  requeued: number;
  failed: number;
}

export class ControllersReport implements ProgramPart, Tracer {
  readonly #reported: ReportedManager;
  readonly #json = new JsonWriter();
  readonly #totals = new Map<string, ReconcileTotals>();
  #send: Send | undefined;
  #facts: string[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastSent = '';

  constructor(reported: ReportedManager) {
    this.#reported = reported;
  }

  begin(send: Send, _lose: () => void, redactionKey?: string): void {
    this.#json.setRedactionKey(redactionKey);
    this.#send = send;
    this.#lastSent = '';
    this.#reported.tracer.current = this;
  }

  end(): void {
    if (this.#reported.tracer.current === this) this.#reported.tracer.current = undefined;
    this.#send = undefined;
    this.#facts = [];
    this.#characters = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  *state(): Iterable<string> {
    // The state includes all earlier facts.
    this.#flush();
    this.#lastSent = this.#controllers();
    yield this.#lastSent;
    for (const controller of this.#reported.controllers) yield this.#queue(controller);
  }

  onState(): void {
    if (!this.#send) return;
    const text = this.#controllers();
    if (text === this.#lastSent) return;
    this.#lastSent = text;
    this.#flush();
    this.#send?.(text);
  }

  onEvent(controller: string, seen: TracedEvent): void {
    const {type, id, watch, kind, key, resourceVersion, unchanged, handler, rejectedBy} = seen;
    this.#fact(controller, {
      fact: 'event',
      event: type,
      id,
      watch,
      kind,
      key,
      resourceVersion,
      unchanged,
      handler,
      rejectedBy,
    });
  }

  onEnqueue(controller: string, {after, ...seen}: TracedEnqueue): void {
    const due = after > 0 ? Date.now() + after : undefined;
    this.#fact(controller, {fact: 'enqueue', ...seen, due});
  }

  onRun(controller: string, {id, key, attempt, priority}: TracedRun): void {
    this.#fact(controller, {fact: 'start', run: id, key, attempt, priority});
  }

  onRead(controller: string, {id, key}: TracedRun, read: TracedRead): void {
    this.#fact(controller, {fact: 'read', run: id, key, ...read}, {error: read.error});
  }

  onWrite(controller: string, {id, key}: TracedRun, write: TracedWrite): void {
    const {before, after, sent: _, error, ...rest} = write;
    this.#fact(
      controller,
      {fact: 'write', run: id, key, ...rest},
      {error},
      {before: [withoutManagedFields(before), write.kind], after: [withoutManagedFields(after), write.kind]},
    );
  }

  onLine(controller: string, {id, key}: TracedRun, {level, message, fields}: TracedLogLine): void {
    const shown = this.#json.fields(fields);
    this.#push(
      controller,
      {fact: 'log', run: id, key, level},
      `,"message":${this.#json.text(message)},"fields":${shown}`,
    );
  }

  onEnd(controller: string, {id, key, attempt, took, result, after, error}: TracedRunEnd): void {
    const totals = this.#totalsOf(controller);
    if (result === 'done') totals.done++;
    else if (result === 'requeue' || result === 'requeue-after') totals.requeued++;
    else totals.failed++;
    this.#fact(controller, {fact: 'end', run: id, key, attempt, took, result, after}, {error});
  }

  #fact(
    controller: string,
    fact: ReportedFact,
    texts: Record<string, string | undefined> = {},
    values: Record<string, [unknown, string]> = {},
  ): void {
    let more = '';
    for (const [name, text] of Object.entries(texts))
      if (text !== undefined) more += `,"${name}":${this.#json.text(text)}`;
    for (const [name, [value, kind]] of Object.entries(values))
      if (value !== undefined) more += `,"${name}":${this.#json.value(value, kind)}`;
    const {error: _, ...plain} = fact as ReportedFact & {error?: unknown};
    this.#push(controller, plain as ReportedFact, more);
  }

  /** `more` is JSON text. The fact becomes text at once, because objects may change later. */
  #push(controller: string, fact: ReportedFact, more: string): void {
    if (!this.#send) return;
    const head = JSON.stringify({...fact, controller, at: Date.now()});
    const text = `${head.slice(0, -1)}${more}}`;
    this.#facts.push(text);
    this.#characters += text.length;
    if (this.#characters > flushCharacters) return this.#flush();
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#flush(), flushAfter);
    this.#timer.unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#facts.length === 0) return;
    const facts = this.#facts;
    this.#facts = [];
    this.#characters = 0;
    this.#send?.(`{"type":"facts","facts":[${facts.join(',')}]}`);
  }

  #controllers(): string {
    return JSON.stringify({
      type: 'controllers',
      controllers: this.#reported.controllers.map(one => this.#about(one)),
    });
  }

  #about(controller: Controller): ProgramController {
    const {name, workers, watches, state} = controller.view();
    const {leader, leading} = this.#reported;
    const kinds = (role: string) => watches.filter(one => one.role === role).map(one => one.kind);
    const waits = controller.needLeaderElection() && !leading;
    const [of] = kinds('for');
    return {
      name,
      for: of,
      owns: kinds('owns'),
      watches: watches.map(({name: watch, kind, handler, predicates}) => ({
        name: watch,
        kind,
        handler,
        predicates: [...predicates],
      })),
      workers,
      state: waits && state !== 'stopped' ? 'waiting' : state,
      ...(leader ? {leader: leaderOf(leader)} : {}),
    };
  }

  #queue(controller: Controller): string {
    const {ready, delayed, inFlight} = controller.view();
    const now = Date.now();
    const clock = this.#reported.clock.now();
    const requests = [
      ...inFlight.map(key => ({key, state: 'in-flight'})),
      ...ready.map(({key, priority}) => ({key, state: 'ready', priority})),
      ...delayed.map(({key, priority, due}) => ({key, state: 'delayed', priority, due: now + due - clock})),
    ].slice(0, mostRequests);
    const {name} = controller;
    return JSON.stringify({type: 'queue', controller: name, at: now, requests, ...this.#totalsOf(name)});
  }

  #totalsOf(controller: string): ReconcileTotals {
    let totals = this.#totals.get(controller);
    if (!totals) {
      totals = {done: 0, requeued: 0, failed: 0};
      this.#totals.set(controller, totals);
    }
    return totals;
  }
}

/** The cache has no managedFields, so an object of the server would look changed. */
function withoutManagedFields(object: unknown): unknown {
  if (!isRecord(object) || !isRecord(object.metadata)) return object;
  const {managedFields: _, ...metadata} = object.metadata;
  return {...object, metadata};
}

function leaderOf({identity, lease, leading, renewTime, duration}: LeaderView) {
  const renewed = renewTime ? Date.parse(renewTime) : Number.NaN;
  return {identity, lease, leading, ...(Number.isNaN(renewed) ? undefined : {renewed, duration})};
}
