// The tools of a controller over a storage in the same process, without HTTP. What if plays controllers on it.
import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Client, Kind} from '../../../runtime/index.ts';
import type {Api} from '../../api.ts';
import type {JsonObject, StoredObject} from '../../object/stored-object.ts';
import {DirectClient} from '../direct-client.ts';
import {ControllerClient} from './controller-client.ts';
import type {StorageCache} from './storage-cache.ts';

const MANAGER = 'kube-controller-manager';

export class DirectControllerClient extends ControllerClient {
  readonly #direct: DirectClient;

  constructor(api: Api, cache: StorageCache) {
    // Controllers read through `client` and write through the methods below. Events are not sources.
    super(cache as unknown as Client, {event: () => {}}, () => api.timestamp());
    this.#direct = new DirectClient(api, MANAGER);
  }

  override async create(kind: Kind<StoredObject>, body: JsonObject): Promise<StoredObject> {
    return this.#direct.create(this.#path(kind), body);
  }

  override async change(object: StoredObject, change: (object: StoredObject) => void): Promise<void> {
    const changed = deepCopy(object);
    change(changed);
    if (!deepEqual(changed, object)) this.#direct.update(this.#path(object), object, change);
  }

  override async updateStatus(object: StoredObject, status: JsonObject): Promise<void> {
    if (!deepEqual(status, object.status)) this.#direct.setStatus(this.#path(object), object, status);
  }

  override async delete(object: StoredObject): Promise<void> {
    this.#direct.delete(this.#path(object), object);
  }

  #path({apiVersion = 'v1', kind = ''}: {apiVersion?: string; kind?: string}): string {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const served = this.#direct.api.resources.findKind(group as string, version as string, kind);
    if (served === undefined) throw new Error(`no kind ${kind} of ${apiVersion} is served`);
    return group === '' ? served.resource : `${served.resource}.${version}.${group}`;
  }
}
