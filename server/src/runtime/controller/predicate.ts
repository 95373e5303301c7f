// Predicates choose the events that cause a reconcile. Event types without a method pass.

import type {KubeObject} from '../../kube/object.ts';
import {matchLabels} from '../cache/selector.ts';
import type {CreateEvent, DeleteEvent, GenericEvent, UpdateEvent, WatchEvent} from './watch-event.ts';

export interface Predicate<T extends KubeObject = KubeObject> {
  /** Shown in the Controllers view for a filtered event. */
  readonly name?: string | undefined;
  create?(event: CreateEvent<T>): boolean;
  update?(event: UpdateEvent<T>): boolean;
  delete?(event: DeleteEvent<T>): boolean;
  generic?(event: GenericEvent<T>): boolean;
}

export function passes<T extends KubeObject>(predicate: Predicate<T>, event: WatchEvent<T>): boolean {
  switch (event.type) {
    case 'create':
      return predicate.create?.(event) ?? true;
    case 'update':
      return predicate.update?.(event) ?? true;
    case 'delete':
      return predicate.delete?.(event) ?? true;
    case 'generic':
      return predicate.generic?.(event) ?? true;
  }
}

/** One function for every event type. For an update it receives the new object. */
export function predicate<T extends KubeObject>(
  filter: (object: T) => boolean,
  name = filter.name || 'predicate',
): Predicate<T> {
  const ask = ({object}: {object: T}) => filter(object);
  return {name, create: ask, update: ask, delete: ask, generic: ask};
}

function whenChanged(name: string, of: (object: KubeObject) => unknown): Predicate {
  return {
    name,
    update({old, object}) {
      if (!old || !object) return false;
      return !sameValue(of(old), of(object));
    },
  };
}

/** Passes updates with another resourceVersion, so no resyncs. */
export function resourceVersionChanged<T extends KubeObject = KubeObject>(): Predicate<T> {
  return whenChanged('resourceVersionChanged', object => object.metadata.resourceVersion);
}

/**
 * Passes updates with another generation. Filters out resyncs, status writes, label and annotation edits, and the
 * removal of finalizers.
 */
export function generationChanged<T extends KubeObject = KubeObject>(): Predicate<T> {
  return whenChanged('generationChanged', object => object.metadata.generation);
}

export function labelChanged<T extends KubeObject = KubeObject>(): Predicate<T> {
  return whenChanged('labelChanged', object => object.metadata.labels ?? {});
}

export function annotationChanged<T extends KubeObject = KubeObject>(): Predicate<T> {
  return whenChanged('annotationChanged', object => object.metadata.annotations ?? {});
}

/** Passes objects whose labels match; for an update, the new object. Takes labels or a selector in kubectl's syntax. */
export function labelSelector<T extends KubeObject = KubeObject>(
  selector: Readonly<Record<string, string>> | string,
): Predicate<T> {
  const matches = matchLabels(selector);
  const text = typeof selector === 'string' ? selector : JSON.stringify(selector);
  return predicate(object => matches(object.metadata.labels), `labelSelector ${text}`);
}

/** Passes when all pass. Stops at the first that rejects. */
export function and<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return predicateOnEvents(combinedName('and', predicates), event =>
    predicates.every(one => passes(one, event)),
  );
}

/** Passes when any passes. Stops at the first that does. */
export function or<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return predicateOnEvents(combinedName('or', predicates), event =>
    predicates.some(one => passes(one, event)),
  );
}

/** Inverts a predicate. Event types without a method are rejected. */
export function not<T extends KubeObject>(one: Predicate<T>): Predicate<T> {
  return predicateOnEvents(combinedName('not', [one]), event => !passes(one, event));
}

function predicateOnEvents<T extends KubeObject>(
  name: string,
  ask: (event: WatchEvent<T>) => boolean,
): Predicate<T> {
  return {name, create: ask, update: ask, delete: ask, generic: ask};
}

function combinedName<T extends KubeObject>(word: string, predicates: readonly Predicate<T>[]): string {
  return `${word}(${predicates.map(one => one.name ?? 'predicate').join(', ')})`;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every(key => left[key] === right[key]);
}
