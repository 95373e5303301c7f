// Event sources of a controller: the watch of a kind, a channel, or a function that enqueues requests.

import {type Clock, sleep} from '../../kube/clock.ts';
import type {Change} from '../../kube/informer/change-handler.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Cache} from '../cache/cache.ts';
import {groupKindId, type Kind} from '../scheme/kind.ts';
import type {Channel} from './channel.ts';
import {makeEventDispatcher, type SourceContext} from './event-dispatcher.ts';
import type {Enqueue, EventHandler} from './event-handler.ts';
import type {Predicate} from './predicate.ts';
import {eventOf, type WatchEvent} from './watch-event.ts';

/** A watch as the Controllers view shows it. */
export interface WatchOutline {
  /** Used in logs, errors and the Controllers view. */
  readonly name: string;
  /** `Kind` or `Kind.group`. */
  readonly kind: string;
  readonly handler: string;
  readonly predicates: readonly string[];
}

export interface Source extends WatchOutline {
  /** The builder's method: `for`, `owns` or `watches`. `raw` for other sources. */
  readonly role: SourceRole;
  /** Resolves once every existing object has been delivered. Rejects when the signal aborts first. */
  start(context: SourceContext): Promise<void>;
}

export type SourceRole = 'for' | 'owns' | 'watches' | 'raw';

export interface KindSourceOptions<T extends KubeObject> {
  cache: Cache;
  kind: Kind<T>;
  handler: EventHandler<T>;
  predicates?: readonly Predicate<T>[] | undefined;
  role?: SourceRole | undefined;
  clock: Clock;
}

/** Milliseconds before the next try to watch a kind. */
const retryEvery = 10_000;

/** Watches a kind. Retries a kind that is not installed or may not be listed. */
export function kindSource<T extends KubeObject>(options: KindSourceOptions<T>): Source {
  const {cache, kind, handler, clock, role = 'watches'} = options;
  const name = `${kind.kind}${kind.metadataOnly ? ' (metadata)' : ''}`;
  return {
    name,
    ...outline(groupKindId(kind), handler, options.predicates),
    role,
    async start(context) {
      const send = makeEventDispatcher(
        {watch: name, kind: kind.kind, predicates: options.predicates ?? [], handler},
        context,
      );
      const informer = await informerOf(cache, kind, clock, context);
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          registration.remove();
          reject(new Error(`the watch of ${kind.kind} was stopped before it had synced`));
        };
        const registration = informer.addHandler({
          resync: true,
          onChange: (change: Change) => send(eventOf(change) as WatchEvent<T>),
          onSynced: resolve,
        });
        context.signal.addEventListener('abort', stop, {once: true});
        if (context.signal.aborted) stop();
      });
    },
  };
}

async function informerOf<T extends KubeObject>(
  cache: Cache,
  kind: Kind<T>,
  clock: Clock,
  context: SourceContext,
) {
  for (;;) {
    try {
      return await cache.informer(kind, {blockUntilSynced: false, signal: context.signal});
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.error('cannot watch kind, will retry', {kind: kind.kind, error});
      await sleep(clock, retryEvery, context.signal);
      context.signal.throwIfAborted();
    }
  }
}

export interface ChannelSourceOptions<T extends KubeObject> {
  channel: Channel<T>;
  handler: EventHandler<T>;
  predicates?: readonly Predicate<T>[] | undefined;
  name?: string | undefined;
}

/** Turns the objects of a channel into generic events. */
export function channelSource<T extends KubeObject>(options: ChannelSourceOptions<T>): Source {
  const {channel, handler, predicates = [], name = 'channel'} = options;
  return {
    name,
    ...outline(name, handler, predicates),
    role: 'raw',
    async start(context) {
      const send = makeEventDispatcher({watch: name, kind: name, predicates, handler}, context);
      // One event at a time, so that an asynchronous handler keeps the order.
      let last: Promise<unknown> = Promise.resolve();
      const end = channel.onEvent(object => {
        last = last.then(() => send({type: 'generic', object}));
      });
      context.signal.addEventListener('abort', end, {once: true});
    },
  };
}

/** Any other source. It receives `enqueue` and a signal that ends it. Predicates do not apply to it. */
export function rawSource(
  name: string,
  start: (enqueue: Enqueue, signal: AbortSignal) => void | Promise<void>,
): Source {
  return {
    name,
    kind: name,
    handler: 'raw',
    predicates: [],
    role: 'raw',
    async start(context) {
      await start((request, options = {}) => context.enqueue(request, options, 'source'), context.signal);
    },
  };
}

function outline<T extends KubeObject>(
  kind: string,
  handler: EventHandler<T>,
  predicates: readonly Predicate<T>[] = [],
): Omit<WatchOutline, 'name'> {
  return {
    kind,
    handler: handler.name ?? 'handler',
    predicates: predicates.map(one => one.name ?? 'predicate'),
  };
}
