// Turns events into requests.

import type {KubeObject, OwnerReference} from '../../kube/object.ts';
import type {Resource} from '../../kube/resource.ts';
import type {AddOptions} from '../queue/queue.ts';
import {groupKindId, type KindRef, keyText, type ObjectKey} from '../scheme/kind.ts';
import type {CreateEvent, DeleteEvent, GenericEvent, UpdateEvent, WatchEvent} from './watch-event.ts';

/**
 * Adds a request to the controller's queue. By default, initial and unchanged objects have a low priority.
 */
export type Enqueue = (request: ObjectKey, options?: AddOptions) => void;

/** Every method is optional. The watch awaits a promise before its next event. */
export interface EventHandler<T extends KubeObject = KubeObject> {
  /** Shown in the Controllers view. */
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

/** Enqueues the changed object. */
export function enqueueObject<T extends KubeObject = KubeObject>(): EventHandler<T> {
  const add = ({object}: {object: T}, enqueue: Enqueue) => enqueue(objectKeyOf(object));
  return {name: 'object', create: add, update: add, delete: add, generic: add};
}

/** Tells a handler whether the owner's kind is namespaced. */
export interface ScopeFinder {
  known(kind: KindRef): Resource | undefined;
  resource(kind: KindRef): Promise<Resource>;
}

export interface OwnerOptions {
  /** Enqueue every owner of that kind, not only the controller owner. */
  everyOwner?: boolean | undefined;
}

/**
 * Enqueues the owners of the old and the new object, so a change of owner enqueues both. Ignores the version of the
 * kind. Throws when the server does not serve the kind.
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
    const resource = scopes.known(owner);
    if (resource) return addOwners(objects, resource.namespaced, enqueue);
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
  const addObject = ({object}: {object: T}, enqueue: Enqueue) => add([object], enqueue);
  return {
    name: `owner ${owner.kind}`,
    create: addObject,
    update: ({old, object}, enqueue) => add([old, object], enqueue),
    delete: addObject,
    generic: addObject,
  };
}

type MappedRequests = readonly ObjectKey[] | undefined;

/** Enqueues the results of a function, for the old and the new object of an update. */
export function enqueueMapped<T extends KubeObject = KubeObject>(
  map: (object: T) => MappedRequests | Promise<MappedRequests>,
): EventHandler<T> {
  const add = (objects: readonly T[], enqueue: Enqueue): unknown => {
    const mapped = objects.map(map);
    if (mapped.some(one => one instanceof Promise))
      return Promise.all(mapped).then(all => addOnce(all.flatMap(listOf), enqueue));
    return addOnce((mapped as MappedRequests[]).flatMap(listOf), enqueue);
  };
  const addObject = ({object}: {object: T}, enqueue: Enqueue) => add([object], enqueue);
  return {
    name: map.name ? `map ${map.name}` : 'map',
    create: addObject,
    update: ({old, object}, enqueue) => add([old, object], enqueue),
    delete: addObject,
    generic: addObject,
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
