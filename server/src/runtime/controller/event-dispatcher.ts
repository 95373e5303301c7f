// The way of one event: predicates, handler, queue. What throws on the way is told and survived: a mistake in a
// predicate must not end the watch.

import {type KubeObject, keyOf} from '../../kube/object.ts';
import type {Logger} from '../log/logger.ts';
import {lowPriority} from '../queue/priority-queue.ts';
import type {AddOptions} from '../queue/queue.ts';
import type {ObjectKey} from '../scheme/kind.ts';
import type {EnqueueReason, TracerSlot} from '../trace/tracer.ts';
import {type Enqueue, type EventHandler, handle} from './event-handler.ts';
import {type Predicate, passes} from './predicate.ts';
import {isUnchanged, type WatchEvent} from './watch-event.ts';

/** What a source gets from the controller that starts it. */
export interface SourceContext {
  readonly controller: string;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly tracer: TracerSlot;
  /** What an event is worth whose predicate threw. */
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

/** Sends events down the pipeline. A promise is returned where the handler made one. */
export function makeEventDispatcher<T extends KubeObject>(
  pipeline: Pipeline<T>,
  context: SourceContext,
): (event: WatchEvent<T>) => unknown {
  const {handler} = pipeline;
  const failed = (error: unknown) =>
    context.log.error('an event handler threw; the event was dropped', {
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

/** The name of the first predicate that says no. */
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
      context.log.error('a predicate threw', {watch: pipeline.watch, predicate: name, verdict, error});
      if (verdict === 'drop') return `${name} (threw)`;
    }
  }
  return undefined;
}
