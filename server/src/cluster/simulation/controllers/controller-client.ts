// The tools of each controller: a runtime client, Events in the controller's name, and the time.

import {deepCopy} from '@krtscope/shared/json/deep-copy.ts';
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {ignoreNotFound} from '../../../runtime/client/error-checks.ts';
import {mergeFrom} from '../../../runtime/client/patch.ts';
import type {Client, EventRecorder, Kind, ObjectKey} from '../../../runtime/index.ts';
import type {JsonObject, StoredObject} from '../../object/stored-object.ts';
import {controllerOf} from './child-objects.ts';
import {OWNER} from './controller-kinds.ts';

export class ControllerClient {
  readonly client: Client;
  readonly events: EventRecorder;
  /** The time in the format of objects. */
  readonly timestamp: () => string;

  constructor(client: Client, events: EventRecorder, timestamp: () => string) {
    this.client = client;
    this.events = events;
    this.timestamp = timestamp;
  }

  /** A copy that may be changed; undefined if the object is missing. */
  find(kind: Kind<StoredObject>, key: ObjectKey): Promise<StoredObject | undefined> {
    return ignoreNotFound(this.client.get(kind, key));
  }

  /** The objects that an owner controls, ordered by key. Do not change them. */
  async listControlled(kind: Kind<StoredObject>, owner: StoredObject): Promise<StoredObject[]> {
    const {uid = '', namespace} = owner.metadata;
    const {items} = await this.client.list(kind, {namespace, fields: {[OWNER]: uid}});
    return items.filter(one => controllerOf(one)?.uid === uid);
  }

  async create(kind: Kind<StoredObject>, body: JsonObject): Promise<StoredObject> {
    const {apiVersion, kind: name} = kind;
    return this.client.create({...body, apiVersion, kind: name} as unknown as StoredObject);
  }

  /** Sends the change as a patch, which cannot conflict with writes to other fields. */
  async change(object: StoredObject, change: (object: StoredObject) => void): Promise<void> {
    const changed = deepCopy(object);
    change(changed);
    // An object that was deleted meanwhile is not an error.
    if (!deepEqual(changed, object)) await ignoreNotFound(this.client.patch(changed, mergeFrom(object)));
  }

  async updateStatus(object: StoredObject, status: JsonObject): Promise<void> {
    if (deepEqual(status, object.status)) return;
    const changed: StoredObject = {...object, metadata: {...object.metadata}, status};
    await ignoreNotFound(this.client.status().patch(changed, mergeFrom(object)));
  }

  async delete(object: StoredObject): Promise<void> {
    await ignoreNotFound(this.client.delete(object));
  }
}
