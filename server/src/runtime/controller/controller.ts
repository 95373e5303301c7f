// A controller: watches fill its queue, and workers take requests from it. Two workers never have the same request.

import {sleep} from '../../kube/clock.ts';
import type {Logger} from '../log/logger.ts';
import {queueMetrics, watchInFlight} from '../metrics/queue-metrics.ts';
import {PlainQueue} from '../queue/plain-queue.ts';
import {PriorityQueue} from '../queue/priority-queue.ts';
import type {Queue, QueueObserver, QueueView} from '../queue/queue.ts';
import {keyText} from '../scheme/kind.ts';
import {
  type CompleteOptions,
  type ControllerDependencies,
  type ControllerOptions,
  completeOptions,
} from './controller-options.ts';
import type {SourceContext} from './event-dispatcher.ts';
import {EventLoopYield} from './event-loop-yield.ts';
import type {Source, WatchOutline} from './event-source.ts';
import {ReconcileRunner} from './reconcile-runner.ts';
import type {ReconcileFunction, Reconciler} from './reconciler.ts';

export interface ControllerView extends QueueView {
  readonly name: string;
  readonly workers: number;
  /** `waiting`: the workers wait for the lease or for the watches. */
  readonly state: 'waiting' | 'running' | 'paused' | 'stopped';
  readonly watches: readonly Readonly<WatchOutline & {role: Source['role']}>[];
}

export class Controller {
  readonly name: string;
  readonly #options: CompleteOptions;
  readonly #log: Logger;
  readonly #runner: ReconcileRunner;
  readonly #sources: Source[] = [];
  #queue: Queue | undefined;
  #stopping: AbortSignal | undefined;
  #watching: Promise<void> | undefined;
  #working = false;
  #state: 'waiting' | 'running' | 'stopped' = 'waiting';
  #events = 0;
  #resume: {promise: Promise<void>; resolve: () => void} | undefined;

  constructor(
    name: string,
    reconciler: Reconciler | ReconcileFunction,
    options: ControllerOptions & ControllerDependencies = {},
  ) {
    if (!name) throw new TypeError('a controller needs a name for its metrics, logs and queue');
    if (!reconciler) throw new TypeError(`controller ${name}: no reconciler; pass a function`);
    this.name = name;
    this.#options = completeOptions(options);
    this.#log = this.#options.log.with({controller: name});
    const reconcile = typeof reconciler === 'function' ? reconciler : reconciler.reconcile.bind(reconciler);
    this.#runner = new ReconcileRunner(name, reconcile, this.#log, this.#options);
  }

  needLeaderElection(): boolean {
    return this.#options.needLeaderElection;
  }

  /** Adds a watch. It starts at once if the controller has started. */
  async watch(source: Source): Promise<void> {
    this.#sources.push(source);
    if (this.#queue && this.#stopping) await this.#begin(source, this.#queue, this.#stopping);
  }

  /** Starts the watches before this process leads, if enableWarmup is set. */
  async warmup(signal: AbortSignal): Promise<void> {
    if (!this.#options.enableWarmup) return;
    // A process that never leads has no workers that end the queue, and delayed keys would keep the process alive.
    const shut = () => this.#working || this.#queue?.shutDown();
    signal.addEventListener('abort', shut, {once: true});
    await this.#watchAll(signal);
  }

  /** Resolves when the signal has aborted and every run has ended. Rejects when a watch does not sync in time. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#working) throw new Error(`controller ${this.name} has already started; create another one`);
    this.#working = true;
    await this.#watchAll(signal);
    const queue = this.#queue!;
    if (signal.aborted) return queue.shutDown();
    const end = watchInFlight(this.#options.metrics, this.name, queue);
    const shut = () => {
      queue.shutDown();
      this.#resume?.resolve();
    };
    signal.addEventListener('abort', shut, {once: true});
    if (signal.aborted) shut();
    this.#state = 'running';
    this.#tellState();
    const turns = new EventLoopYield();
    const work = async () => {
      try {
        await this.#work(queue, signal, turns);
      } catch (error) {
        // An unrecovered panic ends the other workers too.
        shut();
        throw error;
      }
    };
    const workers = Array.from({length: this.#options.workers}, work);
    try {
      const ended = await Promise.allSettled(workers);
      const failed = ended.find(one => one.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      signal.removeEventListener('abort', shut);
      end();
      this.#state = 'stopped';
      this.#tellState();
    }
  }

  /** Starts no run until `resume`. Requests wait in the queue. */
  pause(): void {
    if (this.#resume) return;
    this.#resume = Promise.withResolvers<void>();
    this.#tellState();
  }

  resume(): void {
    this.#resume?.resolve();
    this.#resume = undefined;
    this.#tellState();
  }

  view(): ControllerView {
    const queue = this.#queue?.view() ?? {ready: [], delayed: [], inFlight: [], again: []};
    return {
      ...queue,
      name: this.name,
      workers: this.#options.workers,
      state: this.#resume && this.#state === 'running' ? 'paused' : this.#state,
      watches: this.#sources.map(({name, kind, handler, predicates, role}) => {
        return {name, kind, handler, predicates, role};
      }),
    };
  }

  async #work(queue: Queue, signal: AbortSignal, turns: EventLoopYield): Promise<void> {
    for (;;) {
      while (this.#resume && !signal.aborted) await this.#resume.promise;
      const item = queue.take() ?? (await queue.get());
      if (!item) return;
      await this.#runner.run(item, queue, signal);
      if (turns.isDue()) await turns.yieldNow();
    }
  }

  #watchAll(signal: AbortSignal): Promise<void> {
    this.#watching ??= this.#startSources(signal);
    return this.#watching;
  }

  async #startSources(signal: AbortSignal): Promise<void> {
    const queue = this.#makeQueue();
    this.#queue = queue;
    this.#stopping = signal;
    await Promise.all(this.#sources.map(source => this.#begin(source, queue, signal)));
  }

  async #begin(source: Source, queue: Queue, signal: AbortSignal): Promise<void> {
    const {clock, cacheSyncTimeout} = this.#options;
    const over = new AbortController();
    const stop = new AbortController();
    const begun = source.start(this.#context(queue, AbortSignal.any([signal, stop.signal])));
    const late = sleep(clock, cacheSyncTimeout, AbortSignal.any([over.signal, signal])).then(() => {
      if (over.signal.aborted || signal.aborted) return;
      throw new Error(
        `controller ${this.name}: the watch of ${source.name} has not synced within ${cacheSyncTimeout / 1000} s; ` +
          'check that the kind is installed and that you may list it',
      );
    });
    try {
      await Promise.race([begun, late]);
    } catch (error) {
      if (signal.aborted) return;
      stop.abort();
      begun.catch(() => {});
      throw error;
    } finally {
      over.abort();
    }
  }

  #context(queue: Queue, signal: AbortSignal): SourceContext {
    const {tracer, onPredicateError} = this.#options;
    return {
      controller: this.name,
      signal,
      log: this.#log,
      tracer,
      onPredicateError,
      nextEvent: () => ++this.#events,
      enqueue: (request, options, reason, event) => {
        const key = keyText(request);
        this.#runner.lastWait = 0;
        const added = queue.add(key, options);
        tracer.current?.onEnqueue(this.name, {
          key,
          reason,
          event,
          added,
          after: this.#runner.lastWait,
          priority: options.priority ?? 0,
        });
      },
    };
  }

  #makeQueue(): Queue {
    const {clock, metrics, rateLimiter, usePriorityQueue, newQueue} = this.#options;
    const counted = queueMetrics(metrics, this.name, usePriorityQueue);
    const observer: QueueObserver = {
      ...counted,
      onRetry: (key, after) => {
        this.#runner.lastWait = after;
        counted.onRetry?.(key, after);
      },
    };
    if (newQueue) return newQueue(this.name, observer);
    return usePriorityQueue
      ? new PriorityQueue({clock, rateLimiter, observer})
      : new PlainQueue({clock, rateLimiter, observer});
  }

  #tellState(): void {
    this.#options.tracer.current?.onState(this.name);
  }
}
