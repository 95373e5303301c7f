// The garbage collector: what has lost its owners goes; orphan and foreground deletions are carried out.

import type {OwnerReference} from '../../kube/object.ts';
import type {Api} from '../api.ts';
import type {Resource} from '../kinds/resource.ts';
import type {KubeObject} from '../object/types.ts';
import type {Client} from './client.ts';
import type {Controller} from './controller.ts';
import type {Dependent, Owned} from './owned.ts';

/** Keys are "shelf key" of an object, or "owner uid" of one that is gone. */
export class GarbageCollector implements Controller {
  readonly name = 'generic-garbage-collector';
  readonly #api: Api;
  readonly #client: Client;
  readonly #owned: Owned;

  constructor(api: Api, client: Client, owned: Owned) {
    this.#api = api;
    this.#client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, deleted: boolean, previous: KubeObject | undefined): string[] {
    const {uid = '', namespace, name, ownerReferences, deletionTimestamp, finalizers} = object.metadata;
    const own = `${shelf} ${namespace ? `${namespace}/${name}` : name}`;
    if (deleted) {
      // The owner of a dependent that went may be waiting for it in the foreground.
      const waiting = (ownerReferences ?? [])
        .map(owner => this.#ownerKey(object, owner))
        .filter(key => key !== undefined);
      return this.#owned.of(uid).length > 0 ? [`owner ${uid}`, ...waiting] : waiting;
    }
    const policy = deletionTimestamp && finalizers?.some(f => f === 'orphan' || f === 'foregroundDeletion');
    const newOwners =
      (ownerReferences?.length ?? 0) > 0 &&
      (!previous || previous.metadata.ownerReferences !== ownerReferences);
    return policy || (newOwners && !deletionTimestamp) ? [own] : [];
  }

  reconcile(key: string): void {
    if (key.startsWith('owner ')) {
      for (const dependent of this.#owned.of(key.slice(6))) this.#check(dependent);
      return;
    }
    const [shelf = '', id = ''] = key.split(' ');
    const object = this.#api.ledger.shelf(shelf).objects.get(id);
    if (!object) return;
    const finalizers = object.metadata.finalizers ?? [];
    if (object.metadata.deletionTimestamp && finalizers.includes('orphan')) this.#orphan(shelf, object);
    else if (object.metadata.deletionTimestamp && finalizers.includes('foregroundDeletion'))
      this.#foreground(shelf, object);
    else this.#check({shelf, key: id});
  }

  #resource(shelf: string): Resource | undefined {
    return this.#api.resources.stored().find(resource => resource.shelf === shelf);
  }

  #path(shelf: string): string | undefined {
    const resource = this.#resource(shelf);
    return resource && `${resource.resource}.${resource.version}.${resource.group}`;
  }

  #ownerKey(object: KubeObject, owner: OwnerReference): string | undefined {
    const found = this.#find(object, owner);
    if (!found?.object.metadata.deletionTimestamp) return undefined;
    const {namespace, name} = found.object.metadata;
    return `${found.resource.shelf} ${namespace ? `${namespace}/${name}` : name}`;
  }

  #find(object: KubeObject, owner: OwnerReference): {resource: Resource; object: KubeObject} | undefined {
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

  /** An object all of whose owners are gone goes; one that keeps some loses the dead references. */
  #check({shelf, key}: Dependent): void {
    const object = this.#api.ledger.shelf(shelf).objects.get(key);
    const path = this.#path(shelf);
    if (!object || !path || object.metadata.deletionTimestamp) return;
    const owners = object.metadata.ownerReferences ?? [];
    const alive = owners.filter(owner => this.#find(object, owner));
    if (alive.length === owners.length) return;
    if (alive.length === 0)
      this.#client.delete(path, object, {
        propagationPolicy: 'Background',
        preconditions: {uid: object.metadata.uid ?? ''},
      });
    else {
      this.#client.update(path, object, current => {
        current.metadata.ownerReferences = alive;
      });
    }
  }

  #orphan(shelf: string, owner: KubeObject): void {
    for (const dependent of this.#owned.of(owner.metadata.uid ?? '')) {
      const object = this.#api.ledger.shelf(dependent.shelf).objects.get(dependent.key);
      const path = this.#path(dependent.shelf);
      if (!object || !path) continue;
      this.#client.update(path, object, current => {
        const left = (current.metadata.ownerReferences ?? []).filter(r => r.uid !== owner.metadata.uid);
        if (left.length > 0) current.metadata.ownerReferences = left;
        else delete current.metadata.ownerReferences;
      });
    }
    this.#release(shelf, owner, 'orphan');
  }

  #foreground(shelf: string, owner: KubeObject): void {
    let waiting = false;
    for (const dependent of this.#owned.of(owner.metadata.uid ?? '')) {
      const object = this.#api.ledger.shelf(dependent.shelf).objects.get(dependent.key);
      const path = this.#path(dependent.shelf);
      if (!object || !path) continue;
      const blocks = object.metadata.ownerReferences?.some(
        r => r.uid === owner.metadata.uid && r.blockOwnerDeletion === true,
      );
      if (!object.metadata.deletionTimestamp)
        this.#client.delete(path, object, {propagationPolicy: 'Foreground'});
      if (blocks && this.#api.ledger.shelf(dependent.shelf).objects.has(dependent.key)) waiting = true;
    }
    if (!waiting) this.#release(shelf, owner, 'foregroundDeletion');
  }

  #release(shelf: string, owner: KubeObject, finalizer: string): void {
    const path = this.#path(shelf);
    if (!path) return;
    this.#client.update(path, owner, current => {
      const left = (current.metadata.finalizers ?? []).filter(f => f !== finalizer);
      if (left.length > 0) current.metadata.finalizers = left;
      else delete current.metadata.finalizers;
    });
  }
}
