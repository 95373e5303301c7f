// The events of a watch for predicates and handlers.

import type {Change} from '../../kube/informer/change-handler.ts';
import type {KubeObject} from '../../kube/object.ts';

export interface CreateEvent<T extends KubeObject = KubeObject> {
  readonly type: 'create';
  readonly object: T;
  /** The object existed before the watch started. */
  readonly initial: boolean;
}

export interface UpdateEvent<T extends KubeObject = KubeObject> {
  readonly type: 'update';
  readonly old: T;
  readonly object: T;
}

export interface DeleteEvent<T extends KubeObject = KubeObject> {
  readonly type: 'delete';
  /** The last known state. */
  readonly object: T;
  /** The watch missed the delete, so `object` may not be the final state. */
  readonly deleteStateUnknown: boolean;
}

/** An event of a channel. */
export interface GenericEvent<T extends KubeObject = KubeObject> {
  readonly type: 'generic';
  readonly object: T;
}

export type WatchEvent<T extends KubeObject = KubeObject> =
  | CreateEvent<T>
  | UpdateEvent<T>
  | DeleteEvent<T>
  | GenericEvent<T>;

export function eventOf(change: Change): WatchEvent {
  switch (change.event) {
    case 'add':
      return {type: 'create', object: change.new!, initial: change.initial};
    case 'update':
      return {type: 'update', old: change.old!, object: change.new!};
    case 'delete':
      return {type: 'delete', object: change.old!, deleteStateUnknown: change.unseen === true};
  }
}

/** True for an initial object and for a resync. */
export function isUnchanged(event: WatchEvent): boolean {
  if (event.type === 'create') return event.initial;
  return (
    event.type === 'update' &&
    event.old.metadata.resourceVersion === event.object.metadata.resourceVersion &&
    event.object.metadata.resourceVersion !== undefined
  );
}
