// Passes one event through predicates and handler to the queue. An error of a predicate or handler is logged and
// does not end the watch.

import {type KubeObject, keyOf} from '../../kube/object.ts';
import type {Logger} from '../log/logger.ts';
import {lowPriority} from '../queue/priority-queue.ts';
import type {AddOptions} from '../queue/queue.ts';
import type {ObjectKey} from '../scheme/kind.ts';
import type {EnqueueReason, TracerSlot} from '../trace/tracer.ts';
import {type Enqueue, type EventHandler, handle} from './event-handler.ts';
import {type Predicate, passes} from './predicate.ts';
import {isUnchanged, type WatchEvent} from './watch-event.ts';

/** The parts of a controller that its sources use. */
export interface SourceContext {
  readonly controller: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly tracer: TracerSlot;
  /** What to do with an event whose predicate threw. */
  readonly onPredicateError: 'pass' | 'drop';
  enqueue(request: ObjectKey, options: AddOptions, reason: EnqueueReason, event?: number): void;
  nextEvent(): number;
}

export interface Pipeline<T extends KubeObject = KubeObject> {
  readonly watch: string;
  readonly kind: string;
  readonly predicates: readonly Predicate<T>[];
  readonly handler: EventHandler<T>;
}

/** Returns the handler's promise, if any. */
export function makeEventDispatcher<T extends KubeObject>(
  pipeline: Pipeline<T>,
  context: SourceContext,
): (event: WatchEvent<T>) => unknown {
  const {handler} = pipeline;
  const failed = (error: unknown) =>
    context.log.error('event handler failed, event dropped', {
      watch: pipeline.watch,
      handler: handler.name,
      error,
    });
  return event => {
    const unchanged = isUnchanged(event);
    const rejectedBy = rejectingPredicate(pipeline, event, context);
    const tracer = context.tracer.current;
    let id: number | undefined;
    if (tracer) {
      id = context.nextEvent();
      tracer.onEvent(context.controller, {
        id,
        watch: pipeline.watch,
        type: event.type,
        kind: pipeline.kind,
        key: keyOf(event.object),
        resourceVersion: event.object.metadata.resourceVersion,
        unchanged,
        handler: handler.name ?? 'handler',
        rejectedBy,
      });
    }
    if (rejectedBy !== undefined) return undefined;
    const enqueue: Enqueue = (request, options) =>
      context.enqueue(
        request,
        unchanged ? {priority: lowPriority, ...options} : (options ?? {}),
        'event',
        id,
      );
    try {
      const result = handle(handler, event, enqueue);
      return result instanceof Promise ? result.catch(failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
}

/** Returns the name of the first predicate that rejects the event. */
function rejectingPredicate<T extends KubeObject>(
  pipeline: Pipeline<T>,
  event: WatchEvent<T>,
  context: SourceContext,
): string | undefined {
  for (const one of pipeline.predicates) {
    const name = one.name ?? 'predicate';
    try {
      if (!passes(one, event)) return name;
    } catch (error) {
      const verdict = context.onPredicateError;
      context.log.error('predicate failed', {watch: pipeline.watch, predicate: name, verdict, error});
      if (verdict === 'drop') return `${name} (threw)`;
    }
  }
  return undefined;
}
