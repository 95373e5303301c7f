// The client of the cluster's own simulators: the same verbs as over HTTP, without a connection.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import type {Api} from '../api.ts';
import type {ServedResource} from '../kinds/served-resource.ts';
import type {JsonObject, StoredObject} from '../object/stored-object.ts';
import {type DeleteRequestOptions, deleteObject} from '../verbs/delete.ts';
import {createObject, updateObject} from '../verbs/write.ts';
import {decodePatched} from '../wire/body/decode-body.ts';
import {StatusError} from '../wire/responses/status-error.ts';

export class DirectClient {
  readonly api: Api;
  readonly manager: string;

  /** Each client has one field manager, so that every field has a known writer. */
  constructor(api: Api, manager: string) {
    this.api = api;
    this.manager = manager;
  }

  as(manager: string): DirectClient {
    return new DirectClient(this.api, manager);
  }

  resource(path: string): ServedResource {
    const [resource = '', version = 'v1', group = ''] = path.split('.').length > 1 ? splitPath(path) : [path];
    return this.api.resources.must(group, version, resource);
  }

  get(path: string, namespace: string, name: string): StoredObject | undefined {
    return this.api.find(this.resource(path), namespace, name);
  }

  /** All objects, or those of one namespace. Do not change them. */
  list(path: string, namespace = ''): StoredObject[] {
    const shelf = this.api.resourceStore(this.resource(path));
    if (namespace === '') return [...shelf.objects.values()];
    return [...shelf.keys(`${namespace}/`)].map(key => shelf.objects.get(key)!);
  }

  create(path: string, object: JsonObject): StoredObject {
    const resource = this.resource(path);
    const body = deepCopy(object) as StoredObject;
    body.apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    body.kind = resource.kind;
    const decoded = decodePatched(resource, body, [], 'Ignore', []);
    return createObject(this.#write(resource, body.metadata.namespace ?? '', ''), decoded);
  }

  /** Changes a copy of the current object. Returns undefined if it is gone. */
  update(
    path: string,
    object: {metadata: {namespace?: string; name: string}},
    change: (object: StoredObject) => void,
    subresource = '',
  ): StoredObject | undefined {
    const {namespace = '', name} = object.metadata;
    const write = this.#write(this.resource(path), namespace, subresource);
    try {
      return updateObject(write, name, current => {
        change(current);
        return decodePatched(write.resource, current, [], 'Ignore', []);
      });
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }

  setStatus(path: string, object: StoredObject, status: JsonObject): StoredObject | undefined {
    const change = (current: StoredObject) => {
      current.status = deepCopy(status);
    };
    return this.update(path, object, change, 'status');
  }

  delete(path: string, object: StoredObject, options: DeleteRequestOptions = {}): void {
    const {namespace = '', name} = object.metadata;
    try {
      deleteObject(this.#write(this.resource(path), namespace, ''), name, options);
    } catch (error) {
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
    }
  }

  #write(resource: ServedResource, namespace: string, subresource: string) {
    return {
      api: this.api,
      resource,
      namespace,
      subresource,
      manager: this.manager,
      dryRun: false,
      warnings: [],
    };
  }
}

/** "deployments.v1.apps" is resource, version, group. */
function splitPath(path: string): [string, string, string] {
  const [resource = '', version = '', ...group] = path.split('.');
  return [resource, version, group.join('.')];
}

export const PODS = 'pods';
export const DEPLOYMENTS = 'deployments.v1.apps';
export const REPLICA_SETS = 'replicasets.v1.apps';
export const STATEFUL_SETS = 'statefulsets.v1.apps';
export const DAEMON_SETS = 'daemonsets.v1.apps';
export const ENDPOINT_SLICES = 'endpointslices.v1.discovery.k8s.io';
export const LEASES = 'leases.v1.coordination.k8s.io';
export const NETWORK_POLICIES = 'networkpolicies.v1.networking.k8s.io';
