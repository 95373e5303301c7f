// Joins batches, reconciles and API calls into traces: a write, the runs and reconciles that it caused, their writes,
// and so on. Facts wait a moment, because a watch event may arrive before the answer to the write that caused it.
import {readPath} from '@krtscope/shared/path.ts';
import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import type {BatchSpan, SpanChange} from '../engine/link/span-facts.ts';
import type {SpanWriter} from './span-writer.ts';
import {
  BatchNode,
  type CallFact,
  CallNode,
  type FactOf,
  ReconcileNode,
  type TraceNode,
} from './trace-nodes.ts';
import {creationOf, VersionIndex, versionOf} from './version-index.ts';

/** How long facts wait for the facts of their causes. */
const WAIT_MS = 1500;
const TICK_MS = 250;
/** The facts that wait. Beyond it the newest are dropped. */
const MAX_WAITING = 20_000;
/** Running reconciles, events without a request, requests without a start, and last attempts. */
const MAX_TRACKED = 5000;

export class TraceAssembler {
  readonly #writer: SpanWriter;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  /** Oldest first. */
  #waiting: {at: number; write(): void}[] = [];
  readonly #calls = new VersionIndex();
  readonly #batches = new VersionIndex();
  readonly #events = new BoundedMap<FactOf<'event'>>(MAX_TRACKED);
  /** The versions that woke a request, until it starts. */
  readonly #causes = new BoundedMap<(string | undefined)[]>(MAX_TRACKED);
  readonly #running = new BoundedMap<ReconcileNode>(MAX_TRACKED);
  readonly #lastAttempts = new BoundedMap<ReconcileNode>(MAX_TRACKED);

  constructor(writer: SpanWriter, now: () => number = () => performance.now()) {
    this.#writer = writer;
    this.#now = now;
    this.#timer = setInterval(() => this.writeBefore(this.#now() - WAIT_MS), TICK_MS);
    this.#timer.unref();
  }

  takeBatch(session: string, batch: BatchSpan): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    const versions = batch.changes.map(changeVersion);
    const node = new BatchNode(this.#writer, session, batch, () =>
      batch.changes.map(
        ({uid}, place) => this.#calls.get(versions[place]) ?? this.#calls.get(creationOf(uid)),
      ),
    );
    for (const version of versions) this.#batches.set(version, node);
    this.#wait(() => void node.open());
  }

  takeFacts(program: string, facts: readonly ControllerFact[]): void {
    for (const fact of facts) this.#takeFact(program, fact);
  }

  /** Writes everything that waits. */
  stop(): void {
    clearInterval(this.#timer);
    this.writeBefore(Number.POSITIVE_INFINITY);
  }

  /** Writes the facts that arrived until then. */
  writeBefore(time: number): void {
    const count = this.#waiting.findIndex(({at}) => at > time);
    const due = this.#waiting.splice(0, count < 0 ? this.#waiting.length : count);
    for (const {write} of due) write();
  }

  #wait(write: () => void): void {
    this.#waiting.push({at: this.#now(), write});
  }

  #takeFact(program: string, fact: ControllerFact): void {
    const of = `${program}\n${fact.controller}\n`;
    switch (fact.fact) {
      case 'event':
        if (fact.rejectedBy === undefined) this.#events.set(`${of}${fact.id}`, fact);
        return;
      case 'enqueue': {
        const event = fact.event === undefined ? undefined : this.#events.get(`${of}${fact.event}`);
        if (event === undefined || fact.added === 'refused') return;
        const request = `${of}${fact.key}`;
        const causes = this.#causes.get(request) ?? [];
        if (causes.length < 100) causes.push(versionOf(event.key, event.resourceVersion));
        this.#causes.set(request, causes);
        return;
      }
      case 'start':
        return this.#start(program, `${of}${fact.key}`, fact);
      case 'read':
        if (fact.from === 'api') this.#call(`${of}${fact.run}`, fact);
        return;
      case 'write':
        return this.#call(`${of}${fact.run}`, fact);
      case 'end': {
        const node = this.#running.take(`${of}${fact.run}`);
        if (node !== undefined) this.#wait(() => node.end(fact));
        return;
      }
      case 'log':
        return;
    }
  }

  #start(program: string, request: string, fact: FactOf<'start'>): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    const versions = this.#causes.take(request) ?? [];
    // A retry has no event: it belongs to the trace of the attempt before it.
    const previous = versions.length === 0 ? this.#lastAttempts.get(request) : undefined;
    const node = new ReconcileNode(this.#writer, program, fact, () =>
      previous === undefined ? versions.map(version => this.#sourceOf(version)) : [previous],
    );
    this.#running.set(`${program}\n${fact.controller}\n${fact.run}`, node);
    this.#lastAttempts.set(request, node);
    this.#wait(() => void node.open());
  }

  #call(run: string, fact: CallFact): void {
    const reconcile = this.#running.get(run);
    if (reconcile === undefined || this.#waiting.length >= MAX_WAITING) return;
    const node = new CallNode(this.#writer, withoutObjects(fact), reconcile);
    if (fact.fact === 'write') this.#noteWrite(fact, node);
    this.#wait(() => void node.open());
  }

  #noteWrite(fact: FactOf<'write'>, node: CallNode): void {
    if (fact.dryRun || fact.error !== undefined) return;
    const name = fact.name ?? readPath(fact.after, 'metadata.name');
    const namespace = fact.namespace ?? readPath(fact.after, 'metadata.namespace');
    const key = typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : name;
    this.#calls.set(versionOf(key, readPath(fact.after, 'metadata.resourceVersion')), node);
    if (fact.verb === 'create') this.#calls.set(creationOf(readPath(fact.after, 'metadata.uid')), node);
  }

  /** A version that no session shows is only known from the call that wrote it. */
  #sourceOf(version: string | undefined): TraceNode | undefined {
    return this.#batches.get(version) ?? this.#calls.get(version);
  }
}

/** Drops the oldest entry when it is full. */
class BoundedMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  take(key: string): V | undefined {
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    return value;
  }
}

const changeVersion = ({key, event, resourceVersion}: SpanChange) =>
  event === 'delete' ? undefined : versionOf(key, resourceVersion);

/** The node stays for a while; whole objects would take much memory. */
function withoutObjects(fact: CallFact): CallFact {
  if (fact.fact === 'read') return fact;
  const {before: _, after: __, ...rest} = fact;
  return rest;
}
