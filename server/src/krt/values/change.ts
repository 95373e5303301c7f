// A change of one item. Every collection announces its changes in this form.

export type ChangeEvent = 'add' | 'update' | 'delete';

/** add has only `new`, delete only `old`, update both. */
export interface Change<T = unknown> {
  event: ChangeEvent;
  key: string;
  old?: T;
  new?: T;
}

/** The old and the new item, as far as the change has them. */
export function items<T>(change: Change<T>): T[] {
  const found: T[] = [];
  if (change.old !== undefined) found.push(change.old);
  if (change.new !== undefined) found.push(change.new);
  return found;
}

/** The new item, or the last one of a delete. */
export function latest<T>(change: Change<T>): T {
  return (change.new !== undefined ? change.new : change.old) as T;
}
