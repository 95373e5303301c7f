// From an event to the requests it touches.

import type {KubeObject, OwnerReference} from '../../kube/object.ts';
import type {Resource} from '../../kube/resource.ts';
import type {AddOptions} from '../queue/queue.ts';
import {groupKindId, type KindRef, keyText, type ObjectKey} from '../scheme/kind.ts';
import type {CreateEvent, DeleteEvent, GenericEvent, UpdateEvent, WatchEvent} from './watch-event.ts';

/**
 * Puts a request into the controller's queue. Without a priority, what was there at the start and what is told
 * again unchanged goes last.
 */
export type Enqueue = (request: ObjectKey, options?: AddOptions) => void;

/** What is missing does nothing. A promise is awaited before the next event of the same watch. */
export interface EventHandler<T extends KubeObject = KubeObject> {
  /** Told to whoever asks how a change became a request. */
  readonly name?: string | undefined;
  create?(event: CreateEvent<T>, enqueue: Enqueue): unknown;
  update?(event: UpdateEvent<T>, enqueue: Enqueue): unknown;
  delete?(event: DeleteEvent<T>, enqueue: Enqueue): unknown;
  generic?(event: GenericEvent<T>, enqueue: Enqueue): unknown;
}

export function handle<T extends KubeObject>(
  handler: EventHandler<T>,
  event: WatchEvent<T>,
  enqueue: Enqueue,
): unknown {
  switch (event.type) {
    case 'create':
      return handler.create?.(event, enqueue);
    case 'update':
      return handler.update?.(event, enqueue);
    case 'delete':
      return handler.delete?.(event, enqueue);
    case 'generic':
      return handler.generic?.(event, enqueue);
  }
}

/** The object that changed. */
export function enqueueObject<T extends KubeObject = KubeObject>(): EventHandler<T> {
  const add = ({object}: {object: T}, enqueue: Enqueue) => enqueue(objectKeyOf(object));
  return {name: 'object', create: add, update: add, delete: add, generic: add};
}

/** How a handler learns whether an owner's kind has namespaces. */
export interface ScopeFinder {
  known(kind: KindRef): Resource | undefined;
  resource(kind: KindRef): Promise<Resource>;
}

export interface OwnerOptions {
  /** Every owner of that kind, not only the one that controls the object. */
  everyOwner?: boolean | undefined;
}

/**
 * The owners of that kind, of the object as it was and as it is: a change of owner wakes both. Versions of the
 * kind are not told apart. Throws where the server knows no such kind.
 */
export function enqueueOwner<T extends KubeObject = KubeObject>(
  owner: KindRef,
  scopes: ScopeFinder,
  options: OwnerOptions = {},
): EventHandler<T> {
  const wanted = groupKindId(owner);
  const fits = (reference: OwnerReference) =>
    (options.everyOwner || reference.controller === true) && groupKindId(reference) === wanted;
  const add = (objects: readonly T[], enqueue: Enqueue): unknown => {
    if (!objects.some(object => object.metadata.ownerReferences?.some(fits))) return undefined;
    const known = scopes.known(owner);
    if (known) return addOwners(objects, known.namespaced, enqueue);
    return scopes.resource(owner).then(({namespaced}) => addOwners(objects, namespaced, enqueue));
  };
  const addOwners = (objects: readonly T[], namespaced: boolean, enqueue: Enqueue) => {
    const requests = objects.flatMap(object =>
      (object.metadata.ownerReferences ?? [])
        .filter(fits)
        .map(({name}) => (namespaced ? {namespace: object.metadata.namespace, name} : {name})),
    );
    addOnce(requests, enqueue);
  };
  const one = ({object}: {object: T}, enqueue: Enqueue) => add([object], enqueue);
  return {
    name: `owner ${owner.kind}`,
    create: one,
    update: ({old, object}, enqueue) => add([old, object], enqueue),
    delete: one,
    generic: one,
  };
}

type MappedRequests = readonly ObjectKey[] | undefined;

/** What a function of the object names; of an update, for the object as it was and as it is. */
export function enqueueMapped<T extends KubeObject = KubeObject>(
  map: (object: T) => MappedRequests | Promise<MappedRequests>,
): EventHandler<T> {
  const add = (objects: readonly T[], enqueue: Enqueue): unknown => {
    const mapped = objects.map(map);
    if (mapped.some(one => one instanceof Promise))
      return Promise.all(mapped).then(all => addOnce(all.flatMap(listOf), enqueue));
    return addOnce((mapped as MappedRequests[]).flatMap(listOf), enqueue);
  };
  const one = ({object}: {object: T}, enqueue: Enqueue) => add([object], enqueue);
  return {
    name: map.name ? `map ${map.name}` : 'map',
    create: one,
    update: ({old, object}, enqueue) => add([old, object], enqueue),
    delete: one,
    generic: one,
  };
}

function listOf(requests: MappedRequests): readonly ObjectKey[] {
  return requests ?? [];
}

function addOnce(requests: readonly ObjectKey[], enqueue: Enqueue): void {
  const seen = new Set<string>();
  for (const request of requests) {
    const key = keyText(request);
    if (seen.has(key)) continue;
    seen.add(key);
    enqueue(request);
  }
}

function objectKeyOf(object: KubeObject): ObjectKey {
  const {namespace, name = ''} = object.metadata;
  return {namespace, name};
}
