// The context of one run. The id and the log are created on first use, because most runs need neither.

import {randomUUID} from 'node:crypto';
import type {Clock} from '../../kube/clock.ts';
import {type Logger, makeLogger} from '../log/logger.ts';
import type {TracedRun, Tracer} from '../trace/tracer.ts';
import {ReconcileTimeoutError} from './reconcile-errors.ts';
import type {ReconcileContext} from './reconciler.ts';
import type {Request} from './request.ts';

export interface RunFacts {
  controller: string;
  signal: AbortSignal;
  priority: number;
  retries: number;
}

export class ReconcileRunContext implements ReconcileContext {
  readonly signal: AbortSignal;
  readonly controller: string;
  readonly priority: number;
  readonly retries: number;
  readonly #request: Request;
  readonly #base: Logger;
  #id: string | undefined;
  #log: Logger | undefined;

  constructor(facts: RunFacts, request: Request, base: Logger) {
    this.signal = facts.signal;
    this.controller = facts.controller;
    this.priority = facts.priority;
    this.retries = facts.retries;
    this.#request = request;
    this.#base = base;
  }

  get reconcileID(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }

  get log(): Logger {
    const {namespace, name} = this.#request;
    this.#log ??= this.#base.with({namespace, name, reconcileID: this.reconcileID});
    return this.#log;
  }

  /** Also sends log lines to the tracer from now on. */
  traceLines(tracer: Tracer, run: TracedRun): void {
    const {log} = this;
    this.#log = makeLogger(({level, message, fields}) => {
      log[level](message, fields);
      tracer.onLine(this.controller, run, {level, message, fields});
    });
  }
}

/** Aborts a run's signal when its time is over, or when the controller stops. */
export class RunTimeout {
  readonly signal: AbortSignal;
  readonly #timeout = new AbortController();
  readonly #cancel: () => void;

  /** `onExpired` is called when the timeout fires, even if the run ignores its signal. */
  constructor(clock: Clock, ms: number, stopping: AbortSignal, onExpired: () => void) {
    this.#cancel = clock.after(ms, () => {
      this.#timeout.abort(new ReconcileTimeoutError(`the reconcile took longer than ${ms / 1000} s`));
      onExpired();
    });
    this.signal = AbortSignal.any([stopping, this.#timeout.signal]);
  }

  /** True when the timeout fired, even if another signal aborted the run too. */
  get expired(): boolean {
    return this.#timeout.signal.aborted;
  }

  lift(): void {
    this.#cancel();
  }
}
