// Collects the facts of spans (engine/link/span-facts.ts) and sends them once per turn of the event loop.
import {rootPlaces} from '../../../history/recording.ts';
import type {BatchTrace, Cause, Published, Run} from '../../../krt/index.ts';
import type {FromHost} from '../../link/host-messages.ts';
import type {BatchSpan, RunSpan, SpanChange} from '../../link/span-facts.ts';
import type {BatchWriteOrigin} from '../live-graph/live-graph.ts';

/** A first list has thousands of changes and runs. Its first ones are enough for a trace. */
const MAX_CHANGES = 32;
const MAX_RUNS = 256;
const MAX_CAUSES = 32;
const MAX_ERROR = 500;
/** Batches of one turn. Later ones have no trace. */
const MAX_BATCHES = 1000;

export class BatchSpans {
  readonly #send: (message: FromHost) => void;
  #batches: BatchSpan[] = [];

  constructor(send: (message: FromHost) => void) {
    this.#send = send;
  }

  add(trace: BatchTrace, {writers}: BatchWriteOrigin): void {
    if (this.#batches.length >= MAX_BATCHES) return;
    const roots = rootPlaces(trace).map(place => trace.published[place] as Published);
    const visible = roots.filter(({collection}) => !collection.startsWith('krtscope:'));
    // Only krtscope's own rows changed, and nothing ran.
    if (visible.length === 0 && trace.runs.length === 0) return;
    this.#batches.push({
      sequence: trace.sequence,
      received: trace.received,
      settled: trace.settled,
      changes: visible
        .slice(0, MAX_CHANGES)
        .map(change => changeOf(change, writers.get(`${change.collection} ${change.key}`)?.manager)),
      runs: trace.runs.slice(0, MAX_RUNS).map(runOf),
      changeCount: visible.length,
      runCount: trace.runs.length,
    });
  }

  flush(): void {
    if (this.#batches.length === 0) return;
    const batches = this.#batches;
    this.#batches = [];
    this.#send({type: 'spans', batches: JSON.stringify(batches)});
  }
}

function changeOf(change: Published, writer: string | undefined): SpanChange {
  const {collection, key, event} = change;
  const object = (change.new ?? change.old) as
    | {metadata?: {resourceVersion?: unknown; uid?: unknown}}
    | undefined;
  const {resourceVersion: version, uid} = object?.metadata ?? {};
  return {
    collection,
    key,
    event,
    ...(typeof version === 'string' ? {resourceVersion: version} : {}),
    ...(event === 'add' && typeof uid === 'string' ? {uid} : {}),
    ...(writer === undefined ? {} : {writer}),
  };
}

function runOf({collection, input, outcome, start, duration, causes, error}: Run): RunSpan {
  const span: RunSpan = {collection, input, outcome, start, duration};
  const [first] = causes;
  if (first !== undefined) span.cause = causeText(first);
  const from = new Set<number>();
  for (const {run} of causes.slice(0, MAX_CAUSES)) if (run !== undefined && run < MAX_RUNS) from.add(run);
  if (from.size > 0) span.from = [...from];
  if (error !== undefined) span.error = error.slice(0, MAX_ERROR);
  return span;
}

function causeText({kind, collection, key}: Cause): string {
  if (collection === undefined) return kind;
  return key === undefined ? `${kind} ${collection}` : `${kind} ${collection} ${key}`;
}
