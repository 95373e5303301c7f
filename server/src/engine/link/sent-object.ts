// Reads the object of a change: it comes whole, or as a patch to the version before it.
import {applyPatch} from '@krtscope/shared/json/object-patch.ts';
import type {SentChange} from './host-messages.ts';

/** Main and the reader do not hold the same object, so later changes of it would be wrong, too. */
export class PatchMismatch extends Error {
  constructor({collection, key, base}: SentChange) {
    super(`a patch of ${collection}/${key} is for version ${base}, which is not here`);
    this.name = 'PatchMismatch';
  }
}

/** False for a patch to another version than `held`, the object before the change. */
export function fits({patch, base}: SentChange, held: unknown): boolean {
  if (patch === undefined) return true;
  const metadata = (held as {metadata?: {resourceVersion?: unknown}} | undefined)?.metadata;
  return metadata !== undefined && metadata.resourceVersion === base;
}

/** `held` is the object before the change. Throws PatchMismatch. */
export function objectOf(change: SentChange, held: unknown): unknown {
  if (!fits(change, held)) throw new PatchMismatch(change);
  return change.patch === undefined ? change.new : applyPatch(held, change.patch);
}
