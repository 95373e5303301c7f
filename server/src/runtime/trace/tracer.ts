// The events of a controller for a tracer: changes, requests, and the reads, writes and result of each run. Without a
// tracer each event costs one check.

import type {LogLevel} from '../log/logger.ts';
import type {QueueAddOutcome} from '../queue/queue.ts';

/** A change that a watch of the controller received, and its effect. */
export interface TracedEvent {
  /** Unique for each event of a controller. */
  id: number;
  /** The name of the controller's watch. */
  watch: string;
  type: 'create' | 'update' | 'delete' | 'generic';
  kind: string;
  key: string;
  resourceVersion?: string | undefined;
  /** True for an initial object and for a resync. */
  unchanged: boolean;
  handler: string;
  /** The predicate that filtered out the event. */
  rejectedBy?: string | undefined;
}

export type EnqueueReason = 'event' | 'error' | 'requeue' | 'requeue-after' | 'source';

/** A request that is added to the queue. */
export interface TracedEnqueue {
  key: string;
  reason: EnqueueReason;
  /** The event that caused the request. */
  event?: number | undefined;
  added: QueueAddOutcome;
  after: number;
  priority: number;
}

export type RunResult = 'done' | 'requeue' | 'requeue-after' | 'error' | 'terminal' | 'panic' | 'timeout';

export interface TracedRun {
  /** The reconcileID. */
  id: string;
  key: string;
  /** 1 after a success, plus one for each failure in a row. */
  attempt: number;
  priority: number;
}

export interface TracedRunEnd extends TracedRun {
  took: number;
  result: RunResult;
  /** Milliseconds until the next run, if any. */
  after?: number | undefined;
  error?: string | undefined;
}

export interface TracedRead {
  verb: 'get' | 'list';
  kind: string;
  from: 'cache' | 'api';
  namespace?: string | undefined;
  name?: string | undefined;
  count: number;
  /** Milliseconds from the call to its end. */
  took: number;
  /** True if the cache had not received an earlier write of the program to what was read. */
  stale?: boolean | undefined;
  error?: string | undefined;
}

export interface TracedWrite {
  verb: string;
  kind: string;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  dryRun: boolean;
  took: number;
  /** The cached object before the write, if any. */
  before?: unknown;
  after?: unknown;
  sent?: unknown;
  error?: string | undefined;
}

export interface TracedLogLine {
  level: LogLevel;
  message: string;
  fields: Record<string, unknown>;
}

/** Must not throw, wait, or keep objects without copying them. */
export interface Tracer {
  onEvent(controller: string, event: TracedEvent): void;
  onEnqueue(controller: string, enqueue: TracedEnqueue): void;
  onRun(controller: string, run: TracedRun): void;
  onRead(controller: string, run: TracedRun, read: TracedRead): void;
  onWrite(controller: string, run: TracedRun, write: TracedWrite): void;
  onLine(controller: string, run: TracedRun, line: TracedLogLine): void;
  onEnd(controller: string, end: TracedRunEnd): void;
  /** The state of a controller changed, so read its view again. */
  onState(controller: string): void;
}

/** Holds the current tracer of a controller. */
export interface TracerSlot {
  current: Tracer | undefined;
}
