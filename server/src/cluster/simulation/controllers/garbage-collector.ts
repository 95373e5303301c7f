// Deletes objects whose owners are gone, and completes orphan and foreground deletions.

import type {OwnerReference} from '../../../kube/object.ts';
import {ignoreNotFound, isConflict} from '../../../runtime/client/error-checks.ts';
import {rawSource} from '../../../runtime/controller/event-source.ts';
import type {ObjectKey, Source} from '../../../runtime/index.ts';
import {type Api, keyOf} from '../../api.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import type {LogEntry} from '../../storage/change-log.ts';
import type {ControllerClient} from './controller-client.ts';
import type {Dependent, DependentIndex} from './dependent-index.ts';

/** Keys are "store key" of an object, or "owner uid" of a deleted one. */
export class GarbageCollector {
  readonly #api: Api;
  readonly #control: ControllerClient;
  readonly #owned: DependentIndex;

  constructor(api: Api, control: ControllerClient, owned: DependentIndex) {
    this.#api = api;
    this.#control = control;
    this.#owned = owned;
  }

  /** All changes of all kinds, including those of later CRDs. */
  source(): Source {
    return rawSource('every kind', (enqueue, signal) => {
      const {listeners} = this.#api.storage;
      const hear = (shelf: string, entry: LogEntry) => {
        for (const key of this.#touched(shelf, entry)) enqueue({name: key});
      };
      listeners.add(hear);
      signal.addEventListener('abort', () => listeners.delete(hear), {once: true});
    });
  }

  #touched(shelf: string, {type, object, previous}: LogEntry): string[] {
    const deleted = type === 'DELETED';
    const {uid = '', namespace, name, ownerReferences, deletionTimestamp, finalizers} = object.metadata;
    const own = `${shelf} ${namespace ? `${namespace}/${name}` : name}`;
    if (deleted) {
      // An owner in foreground deletion may wait for this dependent.
      const waiting = (ownerReferences ?? [])
        .map(owner => this.#ownerKey(object, owner))
        .filter(key => key !== undefined);
      return this.#owned.dependentsOf(uid).length > 0 ? [`owner ${uid}`, ...waiting] : waiting;
    }
    const policy = deletionTimestamp && finalizers?.some(f => f === 'orphan' || f === 'foregroundDeletion');
    const newOwners =
      (ownerReferences?.length ?? 0) > 0 &&
      (!previous || previous.metadata.ownerReferences !== ownerReferences);
    return policy || (newOwners && !deletionTimestamp) ? [own] : [];
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const key = keyOf(request.namespace, request.name);
    if (key.startsWith('owner ')) {
      for (const dependent of this.#owned.dependentsOf(key.slice(6))) await this.#check(dependent);
      return;
    }
    const [shelf = '', id = ''] = key.split(' ');
    const object = this.#api.storage.resourceStore(shelf).objects.get(id);
    if (!object) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp && finalizers.includes('orphan')) await this.#orphan(shelf, object);
    else if (object.metadata.deletionTimestamp && finalizers.includes('foregroundDeletion'))
      await this.#foreground(shelf, object);
    else await this.#check({storeName: shelf, key: id});
  }

  #resource(shelf: string): ServedResource | undefined {
    return this.#api.resources.stored().find(resource => resource.storeName === shelf);
  }

  #ownerKey(object: StoredObject, owner: OwnerReference): string | undefined {
    const found = this.#find(object, owner);
    if (!found?.object.metadata.deletionTimestamp) return undefined;
    const {namespace, name} = found.object.metadata;
    return `${found.resource.storeName} ${namespace ? `${namespace}/${name}` : name}`;
  }

  #find(
    object: StoredObject,
    owner: OwnerReference,
  ): {resource: ServedResource; object: StoredObject} | undefined {
    const [group, version] = owner.apiVersion.includes('/')
      ? (owner.apiVersion.split('/') as [string, string])
      : ['', owner.apiVersion];
    const resource = this.#api.resources.findKind(group, version, owner.kind);
    if (!resource) return undefined;
    const found = this.#api.find(
      resource,
      resource.namespaced ? (object.metadata.namespace ?? '') : '',
      owner.name,
    );
    return found?.metadata.uid === owner.uid ? {resource, object: found} : undefined;
  }

  /** Deletes an object without any live owner, and removes dead references from others. */
  async #check(dependent: Dependent): Promise<void> {
    const object = this.#object(dependent);
    if (!object || object.metadata.deletionTimestamp) return;
    const owners = object.metadata.ownerReferences ?? [];
    const alive = owners.filter(owner => this.#find(object, owner));
    if (alive.length === owners.length) return;
    if (alive.length === 0) await this.#remove(object, 'Background');
    else {
      await this.#control.change(object, changed => {
        changed.metadata.ownerReferences = alive;
      });
    }
  }

  async #orphan(shelf: string, owner: StoredObject): Promise<void> {
    for (const dependent of this.#owned.dependentsOf(owner.metadata.uid ?? '')) {
      const object = this.#object(dependent);
      if (!object) continue;
      await this.#control.change(object, current => {
        const left = (current.metadata.ownerReferences ?? []).filter(r => r.uid !== owner.metadata.uid);
        if (left.length > 0) current.metadata.ownerReferences = left;
        else delete current.metadata.ownerReferences;
      });
    }
    await this.#release(shelf, owner, 'orphan');
  }

  async #foreground(shelf: string, owner: StoredObject): Promise<void> {
    let waiting = false;
    for (const dependent of this.#owned.dependentsOf(owner.metadata.uid ?? '')) {
      const object = this.#object(dependent);
      if (!object) continue;
      const blocks = object.metadata.ownerReferences?.some(
        r => r.uid === owner.metadata.uid && r.blockOwnerDeletion === true,
      );
      if (!object.metadata.deletionTimestamp) await this.#remove(object, 'Foreground');
      if (blocks && this.#api.storage.resourceStore(dependent.storeName).objects.has(dependent.key))
        waiting = true;
    }
    if (!waiting) await this.#release(shelf, owner, 'foregroundDeletion');
  }

  async #release(shelf: string, owner: StoredObject, finalizer: string): Promise<void> {
    const {namespace, name} = owner.metadata;
    const now = this.#object({storeName: shelf, key: keyOf(namespace, name)});
    if (now?.metadata.uid !== owner.metadata.uid || !now) return;
    await this.#control.change(now, current => {
      const left = (current.metadata.finalizers ?? []).filter(f => f !== finalizer);
      if (left.length > 0) current.metadata.finalizers = left;
      else delete current.metadata.finalizers;
    });
  }

  async #remove(object: StoredObject, propagationPolicy: 'Background' | 'Foreground'): Promise<void> {
    const preconditions = {uid: object.metadata.uid ?? ''};
    try {
      await ignoreNotFound(this.#control.client.delete(object, {propagationPolicy, preconditions}));
    } catch (error) {
      // A new object has this name, and its own owners.
      if (!isConflict(error)) throw error;
    }
  }

  /** The stored object, if its kind is served. */
  #object({storeName: shelf, key}: Dependent): StoredObject | undefined {
    return this.#resource(shelf) && this.#api.storage.resourceStore(shelf).objects.get(key);
  }
}
