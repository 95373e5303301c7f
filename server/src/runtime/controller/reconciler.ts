// The interface of a reconciler, its context and its result.

import type {KubeObject} from '../../kube/object.ts';
import type {Reader} from '../cache/cache.ts';
import {isNotFound} from '../client/error-checks.ts';
import type {Logger} from '../log/logger.ts';
import type {Kind} from '../scheme/kind.ts';
import type {Request} from './request.ts';

/** Without a result the request is done until the next change. */
export interface Result {
  /** Run again after this many milliseconds and reset the failure count. Takes precedence over `requeue`. */
  requeueAfter?: number | undefined;
  /**
   * Run again with the backoff of an error.
   * @deprecated Use `requeueAfter`.
   */
  requeue?: boolean | undefined;
  /** The priority of the next run. Default: the priority of this run. */
  priority?: number | undefined;
  /** A failure, as if thrown, with a priority for the retry. */
  error?: unknown;
}

export interface ReconcileContext {
  /** Aborts when the controller stops or the reconciliationTimeout is over. Pass it to every call that waits. */
  readonly signal: AbortSignal;
  /** Adds controller, request and run to every line. */
  readonly log: Logger;
  /** Unique for every run. */
  readonly reconcileID: string;
  readonly controller: string;
  /** The priority of the request in the queue. */
  readonly priority: number;
  /** How often this request has failed in a row. */
  readonly retries: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return has type void
type ReconcileAnswer = Result | undefined | void;
type MaybePromise<T> = T | Promise<T>;

/**
 * Brings one request to its desired state. Never runs twice at once for the same request. A thrown error causes a
 * retry with backoff. Throw a TerminalError for a failure that a retry cannot fix.
 */
export type ReconcileFunction = (
  request: Request,
  context: ReconcileContext,
) => MaybePromise<ReconcileAnswer>;

export interface Reconciler {
  reconcile: ReconcileFunction;
}

/** A reconciler that receives the object, read through `reader`. It is not called for a missing object. */
export function objectReconciler<T extends KubeObject>(
  reader: Reader,
  kind: Kind<T>,
  reconcile: (object: T, context: ReconcileContext) => MaybePromise<ReconcileAnswer>,
): Reconciler {
  return {
    async reconcile(request, context) {
      let object: T;
      try {
        object = await reader.get(kind, request, {signal: context.signal});
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
      return reconcile(object, context);
    },
  };
}
