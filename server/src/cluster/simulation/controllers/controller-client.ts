// What every controller of the cluster works with: a client of the runtime, Events in its own name, the time.

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
  /** The time as objects carry it. */
  readonly timestamp: () => string;

  constructor(client: Client, events: EventRecorder, timestamp: () => string) {
    this.client = client;
    this.events = events;
    this.timestamp = timestamp;
  }

  /** A copy that may be changed, or undefined where there is none. */
  find(kind: Kind<StoredObject>, key: ObjectKey): Promise<StoredObject | undefined> {
    return ignoreNotFound(this.client.get(kind, key));
  }

  /** What an object controls, in the order of keys. Never write to what it returns. */
  async listControlled(kind: Kind<StoredObject>, owner: StoredObject): Promise<StoredObject[]> {
    const {uid = '', namespace} = owner.metadata;
    const {items} = await this.client.list(kind, {namespace, fields: {[OWNER]: uid}});
    return items.filter(one => controllerOf(one)?.uid === uid);
  }

  async create(kind: Kind<StoredObject>, body: JsonObject): Promise<StoredObject> {
    const {apiVersion, kind: name} = kind;
    return this.client.create({...body, apiVersion, kind: name} as unknown as StoredObject);
  }

  /** Sends what the change makes of the object, as a patch: whoever writes another field is not in the way. */
  async change(object: StoredObject, change: (object: StoredObject) => void): Promise<void> {
    const changed = deepCopy(object);
    change(changed);
    // What was there a moment ago and is not any more is no failure.
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
