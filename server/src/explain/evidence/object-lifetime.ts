// Whether a write replaced an object by another of its name, or requested its deletion.
import type {WholeChange} from '../wording/change-sentence.ts';

export interface BeforeAndAfter {
  readonly before?: unknown;
  readonly after?: unknown;
}

function metadataOf(value: unknown): Record<string, unknown> {
  const metadata = (value as {metadata?: unknown} | undefined)?.metadata;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
}

/** Kubernetes gives each object its own uid. */
export function isReplaced({before, after}: BeforeAndAfter): boolean {
  const [old, now] = [metadataOf(before).uid, metadataOf(after).uid];
  return typeof old === 'string' && typeof now === 'string' && old !== now;
}

/** The object is deleted once its finalizers and its grace period allow. */
export function isDeleting({before, after}: BeforeAndAfter): boolean {
  return (
    before !== undefined &&
    metadataOf(before).deletionTimestamp === undefined &&
    metadataOf(after).deletionTimestamp !== undefined
  );
}

export function wholeChangeOf(versions: BeforeAndAfter): WholeChange {
  if (isReplaced(versions)) return 'replaced';
  if (isDeleting(versions)) return 'deleting';
  return versions.before === undefined || versions.after === undefined ? 'values-lost' : undefined;
}
