// What a watch tells predicates and handlers.

import type {Change} from '../../kube/informer/change-handler.ts';
import type {KubeObject} from '../../kube/object.ts';

export interface CreateEvent<T extends KubeObject = KubeObject> {
  readonly type: 'create';
  readonly object: T;
  /** It was there already when the watch began. */
  readonly initial: boolean;
}

export interface UpdateEvent<T extends KubeObject = KubeObject> {
  readonly type: 'update';
  readonly old: T;
  readonly object: T;
}

export interface DeleteEvent<T extends KubeObject = KubeObject> {
  readonly type: 'delete';
  /** As it was last seen. */
  readonly object: T;
  /** The delete itself was missed: the object may have changed since it was last seen. */
  readonly deleteStateUnknown: boolean;
}

/** Something that no watch told: what a channel brings. */
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

/** Nothing happened that anybody waits for: it was there at the start, or is told again as it was. */
export function isUnchanged(event: WatchEvent): boolean {
  if (event.type === 'create') return event.initial;
  return (
    event.type === 'update' &&
    event.old.metadata.resourceVersion === event.object.metadata.resourceVersion &&
    event.object.metadata.resourceVersion !== undefined
  );
}
