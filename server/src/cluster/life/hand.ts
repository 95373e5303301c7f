// What every controller of the cluster works with: a client of the runtime, Events in its own name, the time.
import {ignoreNotFound} from '../../runtime/client/failure.ts';
import {mergeFrom} from '../../runtime/client/patch.ts';
import type {Client, EventRecorder, Kind, ObjectKey} from '../../runtime/index.ts';
import {copy, equal} from '../object/copy.ts';
import type {JsonObject, KubeObject} from '../object/types.ts';
import {OWNER} from './kinds.ts';
import {controllerOf} from './offspring.ts';

export class Hand {
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
  find(kind: Kind<KubeObject>, key: ObjectKey): Promise<KubeObject | undefined> {
    return ignoreNotFound(this.client.get(kind, key));
  }

  /** What an object controls, in the order of keys. Never write to what it returns. */
  async controlled(kind: Kind<KubeObject>, owner: KubeObject): Promise<KubeObject[]> {
    const {uid = '', namespace} = owner.metadata;
    const {items} = await this.client.list(kind, {namespace, fields: {[OWNER]: uid}});
    return items.filter(one => controllerOf(one)?.uid === uid);
  }

  async create(kind: Kind<KubeObject>, body: JsonObject): Promise<KubeObject> {
    const {apiVersion, kind: name} = kind;
    return this.client.create({...body, apiVersion, kind: name} as unknown as KubeObject);
  }

  /** Sends what the change makes of the object, as a patch: whoever writes another field is not in the way. */
  async change(object: KubeObject, change: (object: KubeObject) => void): Promise<void> {
    const changed = copy(object);
    change(changed);
    // What was there a moment ago and is not any more is no failure.
    if (!equal(changed, object)) await ignoreNotFound(this.client.patch(changed, mergeFrom(object)));
  }

  async report(object: KubeObject, status: JsonObject): Promise<void> {
    if (equal(status, object.status)) return;
    const changed: KubeObject = {...object, metadata: {...object.metadata}, status};
    await ignoreNotFound(this.client.status().patch(changed, mergeFrom(object)));
  }

  async delete(object: KubeObject): Promise<void> {
    await ignoreNotFound(this.client.delete(object));
  }
}
