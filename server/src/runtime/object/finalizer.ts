// Finalizers keep an object until its cleanup is done.

import type {KubeObject} from '../../kube/object.ts';

/** Adds the finalizer to the object in memory. Returns true if the object changed. */
export function addFinalizer(object: KubeObject, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  return true;
}

/** Removes the finalizer from the object in memory. Returns true if the object changed. */
export function removeFinalizer(object: KubeObject, finalizer: string): boolean {
  if (!containsFinalizer(object, finalizer)) return false;
  object.metadata.finalizers = object.metadata.finalizers?.filter(one => one !== finalizer) ?? [];
  return true;
}

export function containsFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/** Cleans up for an object that is being deleted. May change its status. */
export type Finalize = (object: KubeObject) => Promise<void> | void;

/** Several cleanups of one kind. Each has its own finalizer, which it removes when it is done. */
export class Finalizers {
  readonly #all = new Map<string, Finalize>();

  /** Names look like `example.com/backup`. Throws on a duplicate name. */
  register(name: string, finalize: Finalize): this {
    if (!name.includes('/'))
      throw new Error(`the finalizer ${name} needs a domain: write example.com/${name}`);
    if (this.#all.has(name)) throw new Error(`finalizer for key "${name}" already registered`);
    this.#all.set(name, finalize);
    return this;
  }

  /** Changes the object in memory; write it if `updated`. Runs every cleanup, then throws all errors. */
  async finalize(object: KubeObject): Promise<{updated: boolean}> {
    let updated = false;
    const errors: unknown[] = [];
    for (const [name, finalize] of this.#all) {
      if (!object.metadata.deletionTimestamp) {
        updated = addFinalizer(object, name) || updated;
        continue;
      }
      if (!containsFinalizer(object, name)) continue;
      try {
        await finalize(object);
        updated = removeFinalizer(object, name) || updated;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw Object.assign(
        new AggregateError(errors, `finalizing ${object.metadata.name}: ${errors.map(text).join('; ')}`),
        {updated},
      );
    return {updated};
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
