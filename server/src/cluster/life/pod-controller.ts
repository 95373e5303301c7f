// What the controllers of Pods share: whom they hear of, which Pods are theirs, a status written only when it is new.
import {equal} from '../object/copy.ts';
import {type JsonObject, type KubeObject, listAt, stringAt} from '../object/types.ts';
import {type Client, PODS} from './client.ts';
import {type Controller, keyFor, splitKey} from './controller.ts';
import {controllerOf} from './offspring.ts';
import type {Owned} from './owned.ts';

export function isReady(pod: KubeObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
}

export function isActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return !pod.metadata.deletionTimestamp && phase !== 'Succeeded' && phase !== 'Failed';
}

export abstract class PodController implements Controller {
  abstract readonly name: string;
  /** The owners' resource, as the client takes it. */
  protected abstract readonly resource: string;
  /** Their kind, as it stands in owner references. */
  protected abstract readonly kind: string;
  /** Where the ledger keeps them. */
  protected abstract readonly shelf: string;
  protected readonly client: Client;
  readonly #owned: Owned;

  constructor(client: Client, owned: Owned) {
    this.client = client;
    this.#owned = owned;
  }

  touched(shelf: string, object: KubeObject, _deleted: boolean, previous: KubeObject | undefined): string[] {
    if (shelf === this.shelf) return [keyFor(object)];
    return shelf === 'pods' ? this.touchedByPod(object, previous) : [];
  }

  reconcile(key: string): void {
    const {namespace, name} = splitKey(key);
    const owner = this.client.get(this.resource, namespace, name);
    if (owner) this.settle(owner);
  }

  /** Brings the Pods of an owner that is there to what its spec asks for, and its status to what they are. */
  protected abstract settle(owner: KubeObject): void;

  /** The owners before and after the change: a Pod that was let go is missed by the one who had it. */
  protected touchedByPod(pod: KubeObject, previous: KubeObject | undefined): string[] {
    return [pod, previous].flatMap(one => {
      const owner = one && controllerOf(one);
      return owner?.kind === this.kind ? [`${one?.metadata.namespace}/${owner.name}`] : [];
    });
  }

  protected pods(owner: KubeObject): KubeObject[] {
    const {uid = ''} = owner.metadata;
    return this.#owned.objects(uid, PODS).filter(pod => controllerOf(pod)?.uid === uid);
  }

  protected report(owner: KubeObject, status: JsonObject): void {
    if (!equal(status, owner.status)) this.client.setStatus(this.resource, owner, status);
  }
}
