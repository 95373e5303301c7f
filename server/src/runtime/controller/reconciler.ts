// What a reconciler is, what it is given, and what it may answer.

import type {KubeObject} from '../../kube/object.ts';
import type {Reader} from '../cache/cache.ts';
import {isNotFound} from '../client/error-checks.ts';
import type {Logger} from '../log/logger.ts';
import type {Kind} from '../scheme/kind.ts';
import type {Request} from './request.ts';

/** Nothing at all means: done, until something changes. */
export interface Result {
  /** Try again after this many milliseconds, with the failures forgotten. Beats `requeue`. */
  requeueAfter?: number | undefined;
  /**
   * Try again as after an error, later each time.
   * @deprecated Say when with `requeueAfter`.
   */
  requeue?: boolean | undefined;
  /** Where the next try stands in the queue; otherwise where this one stood. */
  priority?: number | undefined;
  /** Something failed: the same as throwing it, but with a priority for the next try. */
  error?: unknown;
}

export interface ReconcileContext {
  /** Aborts when the controller stops, and when its reconciliationTimeout is over. Pass it to whatever waits. */
  readonly signal: AbortSignal;
  /** Says which controller, request and run a line belongs to. */
  readonly log: Logger;
  /** Another for every run. */
  readonly reconcileID: string;
  readonly controller: string;
  /** The priority with which the request was taken from the queue. */
  readonly priority: number;
  /** How often this request has failed in a row, up to now. */
  readonly retries: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return answers void
type ReconcileAnswer = Result | undefined | void;
type MaybePromise<T> = T | Promise<T>;

/**
 * Brings the world to its wanted state for one request. Never runs twice at once for one request. A thrown error
 * is tried again, later each time; throw a TerminalError for what another try cannot mend.
 */
export type ReconcileFunction = (
  request: Request,
  context: ReconcileContext,
) => MaybePromise<ReconcileAnswer>;

export interface Reconciler {
  reconcile: ReconcileFunction;
}

/** A reconciler that is given the object itself, read through `reader`; where there is none it is not called. */
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
