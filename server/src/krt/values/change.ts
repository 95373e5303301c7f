// A change of one item, the unit that every collection announces. Plain data; how it comes about is not here.

export type ChangeEvent = 'add' | 'update' | 'delete';

/** add has only `new`, delete only `old`, update both. */
export interface Change<T = unknown> {
  event: ChangeEvent;
  key: string;
  old?: T;
  new?: T;
}

/** The versions a change speaks of, old before new. */
export function items<T>(change: Change<T>): T[] {
  const found: T[] = [];
  if (change.old !== undefined) found.push(change.old);
  if (change.new !== undefined) found.push(change.new);
  return found;
}

/** The newest version a change speaks of: the new one, or for a delete the last one. */
export function latest<T>(change: Change<T>): T {
  return (change.new !== undefined ? change.new : change.old) as T;
}
