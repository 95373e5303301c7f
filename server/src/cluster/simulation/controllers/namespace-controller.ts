// Namespaces: sets up new ones and empties deleted ones.
import type {Api} from '../../api.ts';
import {type JsonObject, listAt, type StoredObject} from '../../object/stored-object.ts';
import type {DirectClient} from '../direct-client.ts';
import {keyFor, type LoopController} from '../reconcile-loop.ts';
import {setUpNamespace} from './namespace-setup.ts';

export class NamespaceController implements LoopController {
  readonly name = 'namespace-controller';
  readonly #api: Api;
  readonly #client: DirectClient;

  constructor(api: Api, client: DirectClient) {
    this.#api = api;
    this.#client = client;
  }

  touched(shelf: string, object: StoredObject, deleted: boolean): string[] {
    if (shelf === 'namespaces') return deleted ? [] : [keyFor(object)];
    const namespace = object.metadata.namespace;
    if (!namespace) return [];
    const restores = deleted && (shelf === 'serviceaccounts' || shelf === 'configmaps');
    const holder = this.#client.get('namespaces', '', namespace);
    return restores || (deleted && holder?.metadata.deletionTimestamp) ? [namespace] : [];
  }

  reconcile(name: string): void {
    const namespace = this.#client.get('namespaces', '', name);
    if (!namespace) return;
    if (namespace.metadata.deletionTimestamp) this.#empty(namespace);
    else setUpNamespace(this.#client, name);
  }

  #empty(namespace: StoredObject): void {
    const name = namespace.metadata.name;
    let left = 0;
    for (const resource of this.#api.resources.stored()) {
      if (!resource.namespaced) continue;
      const path = `${resource.resource}.${resource.version}.${resource.group}`;
      for (const object of this.#client.list(path, name)) {
        if (!object.metadata.deletionTimestamp) this.#client.delete(path, object);
      }
      left += this.#client.list(path, name).length;
    }
    if (left > 0 || listAt(namespace, 'spec', 'finalizers').length === 0) return;
    this.#client.update(
      'namespaces',
      namespace,
      current => {
        current.spec = {...(current.spec as JsonObject), finalizers: []};
      },
      'finalize',
    );
  }
}
