// What a controller can be told, and what it does when it is not.

import {type Clock, systemClock} from '../../kube/clock.ts';
import {jsonLogger, type Logger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import type {Queue, QueueObserver} from '../queue/queue.ts';
import type {RateLimiter} from '../queue/rate-limiter.ts';
import type {TracerSlot} from '../trace/tracer.ts';

export interface ControllerOptions {
  /** Reconciles that may be under way at once; of one request never more than one. 1. */
  maxConcurrentReconciles?: number | undefined;
  /** How long the watches have to begin and to hand on what was there. 2 min. */
  cacheSyncTimeout?: number | undefined;
  /** False: a panic ends the controller, and with it the manager. True. */
  recoverPanic?: boolean | undefined;
  /** False: runs without leading. True. */
  needLeaderElection?: boolean | undefined;
  /** True: the watches begin before this process leads, so that it can begin at once when it does. False. */
  enableWarmup?: boolean | undefined;
  /** After this many milliseconds the signal of a run aborts. None. */
  reconciliationTimeout?: number | undefined;
  /** False: the plain queue. True. */
  usePriorityQueue?: boolean | undefined;
  rateLimiter?: RateLimiter | undefined;
  /** Makes the queue instead. */
  newQueue?: ((name: string, observer: QueueObserver) => Queue) | undefined;
  /** What an event is worth whose predicate threw: nothing is lost by `pass`. */
  onPredicateError?: 'pass' | 'drop' | undefined;
  /** A name may be used twice: their metrics are then one. False. */
  skipNameValidation?: boolean | undefined;
}

/** What a manager lends to its controllers. */
export interface ControllerDependencies {
  clock?: Clock | undefined;
  log?: Logger | undefined;
  metrics?: Metrics | undefined;
  tracer?: TracerSlot | undefined;
}

export function completeOptions(options: ControllerOptions & ControllerDependencies) {
  const workers = options.maxConcurrentReconciles ?? 1;
  if (!Number.isInteger(workers) || workers < 1)
    throw new RangeError(`maxConcurrentReconciles is ${workers}; it must be a whole number of at least 1`);
  return {
    workers,
    cacheSyncTimeout: options.cacheSyncTimeout ?? 120_000,
    recoverPanic: options.recoverPanic ?? true,
    needLeaderElection: options.needLeaderElection ?? true,
    enableWarmup: options.enableWarmup ?? false,
    reconciliationTimeout: options.reconciliationTimeout ?? 0,
    usePriorityQueue: options.usePriorityQueue ?? true,
    rateLimiter: options.rateLimiter,
    newQueue: options.newQueue,
    onPredicateError: options.onPredicateError ?? 'pass',
    clock: options.clock ?? systemClock,
    log: options.log ?? jsonLogger(),
    metrics: options.metrics ?? new Metrics(),
    tracer: options.tracer ?? {current: undefined},
  } as const;
}

export type CompleteOptions = ReturnType<typeof completeOptions>;
