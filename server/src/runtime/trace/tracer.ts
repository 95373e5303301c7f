// What a controller tells about itself while somebody listens: the way of each change to a request, of each
// request through the queue, and what each run read, wrote and answered. Costs one check where nobody does.

import type {Level} from '../log/logger.ts';
import type {Added} from '../queue/queue.ts';

/** A change as a watch of the controller heard it, and what became of it. */
export interface SeenEvent {
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
export interface SeenEnqueue {
  key: string;
  reason: EnqueueReason;
  /** The event that led here. */
  event?: number | undefined;
  added: Added;
  after: number;
  priority: number;
}

export type RunResult = 'done' | 'requeue' | 'requeue-after' | 'error' | 'terminal' | 'panic' | 'timeout';

export interface SeenRun {
  /** The reconcileID. */
  id: string;
  key: string;
  /** 1 after a success, one more with each failure in a row. */
  attempt: number;
  priority: number;
}

export interface SeenEnd extends SeenRun {
  took: number;
  result: RunResult;
  /** Milliseconds until the next try, where there is one. */
  after?: number | undefined;
  error?: string | undefined;
}

export interface SeenRead {
  verb: 'get' | 'list';
  kind: string;
  from: 'cache' | 'api';
  namespace?: string | undefined;
  name?: string | undefined;
  count: number;
  error?: string | undefined;
}

export interface SeenWrite {
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

export interface SeenLine {
  level: Level;
  message: string;
  fields: Record<string, unknown>;
}

/** Must not throw, wait or keep what it is given without copying. */
export interface Tracer {
  onEvent(controller: string, event: SeenEvent): void;
  onEnqueue(controller: string, enqueue: SeenEnqueue): void;
  onRun(controller: string, run: SeenRun): void;
  onRead(controller: string, run: SeenRun, read: SeenRead): void;
  onWrite(controller: string, run: SeenRun, write: SeenWrite): void;
  onLine(controller: string, run: SeenRun, line: SeenLine): void;
  onEnd(controller: string, end: SeenEnd): void;
  /** Started, stopped, paused, resumed, elected: its view is to be read again. */
  onState(controller: string): void;
}

/** Where a controller finds whoever listens now. */
export interface TracerPlace {
  current: Tracer | undefined;
}
