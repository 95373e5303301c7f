// Requests with other fields than a namespace and a name, for example one shard of an object.

import type {KubeObject} from '../../kube/object.ts';
import {keyText, type ObjectKey} from '../scheme/kind.ts';
import {type EventHandler, enqueueMapped} from './event-handler.ts';
import type {ReconcileContext, ReconcileFunction, Reconciler} from './reconciler.ts';
import {type Request, requestOf} from './request.ts';

/** JSON values that identify a request. */
export type RequestFields = Readonly<Record<string, string | number | boolean>>;

export interface RequestType<T extends RequestFields> {
  /** The request for the queue: equal fields are one request, in whatever order they are written. */
  request(fields: T): Request;
  /** The fields of a request. Throws for a request of another type. */
  parse(request: ObjectKey): T;
  /** A handler that enqueues the requests of the object, for an update those of the old and the new one. */
  enqueue<O extends KubeObject>(map: (object: O) => readonly T[] | Promise<readonly T[]>): EventHandler<O>;
  /** A reconciler that receives the fields. */
  reconciler(reconcile: (fields: T, context: ReconcileContext) => ReturnType<ReconcileFunction>): Reconciler;
}

/** Defines requests with fields of your own: `requestType<{cluster: string; shard: number}>()`. */
export function requestType<T extends RequestFields>(): RequestType<T> {
  const request = (fields: T): Request => {
    const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    return requestOf(JSON.stringify(Object.fromEntries(sorted)));
  };
  const parse = (key: ObjectKey): T => {
    const text = keyText(key);
    try {
      const fields: unknown = JSON.parse(text);
      if (typeof fields === 'object' && fields !== null) return fields as T;
    } catch {
      // The error below names the key.
    }
    throw new TypeError(
      `the request ${JSON.stringify(text)} has no fields of its own; enqueue what request() returns`,
    );
  };
  return {
    request,
    parse,
    enqueue: map =>
      enqueueMapped(async object => {
        const all = await map(object);
        return all.map(request);
      }),
    reconciler: reconcile => ({reconcile: (key, context) => reconcile(parse(key), context)}),
  };
}
