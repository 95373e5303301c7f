// What a controller tells about itself while somebody listens: the way of each change to a request, of each
// request through the queue, and what each run read, wrote and answered. Costs one check where nobody does.

import type {LogLevel} from '../log/logger.ts';
import type {QueueAddOutcome} from '../queue/queue.ts';

/** A change as a watch of the controller heard it, and what became of it. */
export interface TracedEvent {
  /** Another for each event of a controller. */
  id: number;
  /** Which of the controller's watches. */
  watch: string;
  type: 'create' | 'update' | 'delete' | 'generic';
  kind: string;
  key: string;
  resourceVersion?: string | undefined;
  /** It was there at the start, or is told again unchanged. */
  unchanged: boolean;
  handler: string;
  /** The predicate that said no: nothing came of it. */
  rejectedBy?: string | undefined;
}

export type EnqueueReason = 'event' | 'error' | 'requeue' | 'requeue-after' | 'source';

/** A request on its way into the queue. */
export interface TracedEnqueue {
  key: string;
  reason: EnqueueReason;
  /** The event that led here. */
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
  /** 1 after a success, one more with each failure in a row. */
  attempt: number;
  priority: number;
}

export interface TracedRunEnd extends TracedRun {
  took: number;
  result: RunResult;
  /** Milliseconds until the next try, where there is one. */
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
  error?: string | undefined;
}

export interface TracedWrite {
  verb: string;
  kind: string;
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  dryRun: boolean;
  /** The object before, where the cache had it, and after. */
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

/** Must not throw, wait or keep what it is given without copying. */
export interface Tracer {
  onEvent(controller: string, event: TracedEvent): void;
  onEnqueue(controller: string, enqueue: TracedEnqueue): void;
  onRun(controller: string, run: TracedRun): void;
  onRead(controller: string, run: TracedRun, read: TracedRead): void;
  onWrite(controller: string, run: TracedRun, write: TracedWrite): void;
  onLine(controller: string, run: TracedRun, line: TracedLogLine): void;
  onEnd(controller: string, end: TracedRunEnd): void;
  /** Started, stopped, paused, resumed, elected: its view is to be read again. */
  onState(controller: string): void;
}

/** Where a controller finds whoever listens now. */
export interface TracerSlot {
  current: Tracer | undefined;
}
