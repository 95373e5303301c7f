// A handler that keeps its own copy of the objects and records impossible changes.

import type {Change, Handler} from '../../src/kube/informer/change-handler.ts';
import type {KubeObject} from '../../src/kube/object.ts';

export class Replica implements Handler {
  readonly objects = new Map<string, KubeObject>();
  readonly wrong: string[] = [];
  changes = 0;

  onChange({event, key, old, new: now}: Change): void {
    this.changes++;
    const previous = this.objects.get(key);
    if (event === 'add' && previous) this.wrong.push(`${key} was added twice`);
    if (event === 'update' && !previous) this.wrong.push(`${key} was updated before it was added`);
    if (event === 'delete' && !previous) this.wrong.push(`${key} was deleted but never there`);
    if (event !== 'add' && old !== previous)
      this.wrong.push(`${key}: the old state is not the one told before`);
    if (event === 'update' && sameVersion(previous, now))
      this.wrong.push(`${key} was told twice in one version`);
    if (now) this.objects.set(key, now);
    else this.objects.delete(key);
  }
}

function sameVersion(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  return a?.metadata.resourceVersion === b?.metadata.resourceVersion && a?.metadata.uid === b?.metadata.uid;
}

/** Key, uid and version of all objects. Two fingerprints are equal exactly if the objects are. */
export function fingerprint(objects: Iterable<KubeObject>): string {
  const lines = Array.from(
    objects,
    ({metadata}) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`,
  );
  return lines.sort().join('\n');
}
