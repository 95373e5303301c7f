// Runs one reconcile, and applies its result to the queue, the metrics and the log.

import {ClientWrites, controllerWrites} from '../client/client-writes.ts';
import {errorText} from '../log/error-text.ts';
import type {Logger} from '../log/logger.ts';
import type {BufferedCounter} from '../metrics/buffered-counter.ts';
import type {Distribution} from '../metrics/histogram.ts';
import type {AddOptions, Queue, QueueItem} from '../queue/queue.ts';
import {currentRun} from '../trace/current-run.ts';
import type {EnqueueReason, RunResult, TracedRun} from '../trace/tracer.ts';
import type {CompleteOptions} from './controller-options.ts';
import {isPanic, isTerminal, PanicError} from './reconcile-errors.ts';
import {checkResult} from './reconcile-result.ts';
import type {ReconcileFunction, Result} from './reconciler.ts';
import {type Request, requestOf} from './request.ts';
import {ReconcileRunContext, RunTimeout} from './run-context.ts';

/** The result of a run and its effect. */
interface ReconcileOutcome {
  result: RunResult;
  next?: {reason: EnqueueReason; options: AddOptions};
  error?: unknown;
}

export class ReconcileRunner {
  readonly name: string;
  /** The last wait of the queue's rate limiter: the wait of the next retry. */
  lastWait = 0;
  readonly #reconcile: ReconcileFunction;
  readonly #log: Logger;
  readonly #options: CompleteOptions;
  readonly #results: Record<'success' | 'error' | 'requeue' | 'requeue_after', BufferedCounter>;
  readonly #failures: Record<'errors' | 'terminal' | 'panics' | 'timeouts', BufferedCounter>;
  readonly #took: Distribution;
  readonly #active: BufferedCounter;
  readonly #writes: ClientWrites | undefined;

  constructor(name: string, reconcile: ReconcileFunction, log: Logger, options: CompleteOptions) {
    this.name = name;
    this.#reconcile = reconcile;
    this.#log = log;
    this.#options = options;
    const {metrics} = options;
    const labels = {controller: name};
    const result = (value: string) => metrics.counted(metrics.reconciles, {...labels, result: value});
    this.#results = {
      success: result('success'),
      error: result('error'),
      requeue: result('requeue'),
      requeue_after: result('requeue_after'),
    };
    this.#failures = {
      errors: metrics.counted(metrics.reconcileErrors, labels),
      terminal: metrics.counted(metrics.terminalErrors, labels),
      panics: metrics.counted(metrics.panics, labels),
      timeouts: metrics.counted(metrics.timeouts, labels),
    };
    this.#took = metrics.reconcileTime.labels(labels);
    this.#active = metrics.gauged(metrics.activeWorkers, labels);
    this.#writes = options.waitForOwnWrites ? new ClientWrites() : undefined;
    metrics.maxConcurrent.labels(labels).set(options.workers);
  }

  /** Runs, and requeues as the result requires. Rejects only with an unrecovered panic. */
  async run(item: QueueItem, queue: Queue, stopping: AbortSignal): Promise<void> {
    const {clock, tracer, reconciliationTimeout} = this.#options;
    const {key, priority} = item;
    const started = clock.now();
    const retries = queue.retries(key);
    const request = requestOf(key);
    const onExpired = () => {
      this.#failures.timeouts.inc();
      context.log.warn('reconcile exceeded its timeout, waiting for it to end', {
        timeout: reconciliationTimeout,
      });
    };
    const limit =
      reconciliationTimeout > 0
        ? new RunTimeout(clock, reconciliationTimeout, stopping, onExpired)
        : undefined;
    const facts = {controller: this.name, signal: limit?.signal ?? stopping, priority, retries};
    const context = new ReconcileRunContext(facts, request, this.#log);
    const run = tracer.current && this.#begin(context, key);
    this.#active.inc();
    let result: Result | undefined;
    let failure: {error: unknown} | undefined;
    try {
      const call = () =>
        this.#writes ? this.#afterWrites(request, context, this.#writes) : this.#reconcile(request, context);
      result = checkResult(await (run ? currentRun.run({controller: this.name, run}, call) : call()));
      if (result?.error !== undefined) failure = {error: result.error};
    } catch (error) {
      failure = {error};
    }
    limit?.lift();
    this.#active.dec();
    const took = clock.now() - started;
    this.#took.observe(took / 1000);
    const verdict = failure
      ? this.#failed(failure.error, result, item, context, limit?.expired === true)
      : this.#answered(result, item, queue);
    if (verdict.next) this.#requeue(key, queue, verdict.next);
    if (run) this.#trace(run, took, verdict);
    queue.done(key);
    if (verdict.result === 'panic' && !this.#options.recoverPanic) throw failure?.error;
  }

  /** Waits until the cache has received what earlier runs wrote. */
  async #afterWrites(request: Request, context: ReconcileRunContext, writes: ClientWrites) {
    const {cache} = this.#options;
    if (cache) await writes.waitForAll(cache, context.signal);
    return controllerWrites.run(writes, () => this.#reconcile(request, context));
  }

  #failed(
    thrown: unknown,
    result: Result | undefined,
    {priority}: QueueItem,
    context: ReconcileRunContext,
    timedOut: boolean,
  ): ReconcileOutcome {
    const panic = isPanic(thrown);
    const error = panic ? new PanicError(thrown) : thrown;
    const terminal = !panic && isTerminal(thrown);
    this.#results.error.inc();
    this.#failures.errors.inc();
    if (panic) this.#failures.panics.inc();
    if (terminal) this.#failures.terminal.inc();
    if (result?.requeue || result?.requeueAfter)
      context.log.warn('result ignored, because the reconcile failed: the backoff sets the wait');
    context.log.error('reconcile failed', {error, terminal});
    const outcome: RunResult = panic ? 'panic' : terminal ? 'terminal' : timedOut ? 'timeout' : 'error';
    if (terminal) return {result: outcome, error};
    const options = {rateLimited: true, priority: result?.priority ?? priority};
    return {result: outcome, error, next: {reason: 'error', options}};
  }

  #answered(result: Result | undefined, item: QueueItem, queue: Queue): ReconcileOutcome {
    const priority = result?.priority ?? item.priority;
    if (result?.requeueAfter !== undefined && result.requeueAfter > 0) {
      queue.forget(item.key);
      this.#results.requeue_after.inc();
      const options = {after: result.requeueAfter, priority};
      return {result: 'requeue-after', next: {reason: 'requeue-after', options}};
    }
    if (result?.requeue) {
      this.#results.requeue.inc();
      return {result: 'requeue', next: {reason: 'requeue', options: {rateLimited: true, priority}}};
    }
    queue.forget(item.key);
    this.#results.success.inc();
    return {result: 'done'};
  }

  #requeue(key: string, queue: Queue, {reason, options}: NonNullable<ReconcileOutcome['next']>): void {
    this.lastWait = 0;
    const added = queue.add(key, options);
    const {priority} = options;
    this.#options.tracer.current?.onEnqueue(this.name, {
      key,
      reason,
      added,
      after: this.lastWait,
      priority: priority ?? 0,
    });
  }

  #begin(context: ReconcileRunContext, key: string): TracedRun {
    const tracer = this.#options.tracer.current!;
    const {reconcileID, retries, priority} = context;
    const run = {id: reconcileID, key, attempt: retries + 1, priority};
    context.traceLines(tracer, run);
    tracer.onRun(this.name, run);
    return run;
  }

  #trace(run: TracedRun, took: number, {result, next, error}: ReconcileOutcome): void {
    this.#options.tracer.current?.onEnd(this.name, {
      ...run,
      took,
      result,
      after: next ? this.lastWait : undefined,
      error: error === undefined ? undefined : errorText(error),
    });
  }
}
