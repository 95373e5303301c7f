// The options of a controller and their defaults.

import {type Clock, systemClock} from '../../kube/clock.ts';
import type {WriteAwareCache} from '../client/client-writes.ts';
import {jsonLogger, type Logger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import type {Queue, QueueObserver} from '../queue/queue.ts';
import type {RateLimiter} from '../queue/rate-limiter.ts';
import type {TracerSlot} from '../trace/tracer.ts';

export interface ControllerOptions {
  /** Concurrent reconciles; never two of the same request. Default: 1. */
  maxConcurrentReconciles?: number | undefined;
  /** How long the watches may take to sync, in milliseconds. Default: 2 min. */
  cacheSyncTimeout?: number | undefined;
  /** False: a panic ends the controller and the manager. Default: true. */
  recoverPanic?: boolean | undefined;
  /** False: runs without leader election. Default: true. */
  needLeaderElection?: boolean | undefined;
  /** True: the watches start before this process leads, so that a takeover is quick. Default: false. */
  enableWarmup?: boolean | undefined;
  /** Milliseconds after which the signal of a run aborts. Default: no limit. */
  reconciliationTimeout?: number | undefined;
  /**
   * True: a run starts when the cache has received the writes of this controller's earlier runs, so that it does not
   * repeat them. Default: false.
   */
  waitForOwnWrites?: boolean | undefined;
  /** False: use the queue without priorities. Default: true. */
  usePriorityQueue?: boolean | undefined;
  rateLimiter?: RateLimiter | undefined;
  /** Creates another queue. */
  newQueue?: ((name: string, observer: QueueObserver) => Queue) | undefined;
  /** What to do with an event whose predicate threw. Default: `pass`, so that no event is lost. */
  onPredicateError?: 'pass' | 'drop' | undefined;
  /** True: allows equal names, whose metrics are then summed. Default: false. */
  skipNameValidation?: boolean | undefined;
}

/** The parts of a manager that its controllers use. */
export interface ControllerDependencies {
  clock?: Clock | undefined;
  log?: Logger | undefined;
  metrics?: Metrics | undefined;
  tracer?: TracerSlot | undefined;
  /** For `waitForOwnWrites`. */
  cache?: WriteAwareCache | undefined;
}

export function completeOptions(options: ControllerOptions & ControllerDependencies) {
  const workers = options.maxConcurrentReconciles ?? 1;
  if (!Number.isInteger(workers) || workers < 1)
    throw new RangeError(`maxConcurrentReconciles is ${workers}; it must be a whole number of at least 1`);
  checkMilliseconds('reconciliationTimeout', options.reconciliationTimeout);
  checkMilliseconds('cacheSyncTimeout', options.cacheSyncTimeout);
  return {
    workers,
    cacheSyncTimeout: options.cacheSyncTimeout ?? 120_000,
    recoverPanic: options.recoverPanic ?? true,
    needLeaderElection: options.needLeaderElection ?? true,
    enableWarmup: options.enableWarmup ?? false,
    reconciliationTimeout: options.reconciliationTimeout ?? 0,
    waitForOwnWrites: options.waitForOwnWrites ?? false,
    cache: options.cache,
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

export function checkMilliseconds(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isFinite(value) && value >= 0)) return;
  throw new RangeError(`${name} is ${value}; it must be a number of milliseconds of at least 0`);
}
