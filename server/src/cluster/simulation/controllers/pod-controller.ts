// Shared by the controllers that own Pods: finding, creating and deleting them.
import type {Kind, ObjectKey} from '../../../runtime/index.ts';
import {type JsonObject, listAt, type StoredObject, stringAt} from '../../object/stored-object.ts';
import type {ControllerClient} from './controller-client.ts';
import {Pod} from './controller-kinds.ts';

export function isReady(pod: StoredObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
}

export function isActive(pod: StoredObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return !pod.metadata.deletionTimestamp && phase !== 'Succeeded' && phase !== 'Failed';
}

export abstract class PodController {
  /** The kind of the owners. */
  protected abstract readonly kind: Kind<StoredObject>;
  protected readonly hand: ControllerClient;

  constructor(hand: ControllerClient) {
    this.hand = hand;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const owner = await this.hand.find(this.kind, request);
    if (owner) await this.settle(owner);
  }

  /** Reconciles the Pods of an existing owner, and its status. */
  protected abstract settle(owner: StoredObject): Promise<void>;

  protected pods(owner: StoredObject): Promise<StoredObject[]> {
    return this.hand.listControlled(Pod, owner);
  }

  protected async createPod(owner: StoredObject, body: JsonObject): Promise<void> {
    const {name} = (await this.hand.create(Pod, body)).metadata;
    this.hand.events.event(owner, 'Normal', 'SuccessfulCreate', this.said('Created', owner, name));
  }

  protected async deletePod(owner: StoredObject, pod: StoredObject): Promise<void> {
    await this.hand.delete(pod);
    this.hand.events.event(
      owner,
      'Normal',
      'SuccessfulDelete',
      this.said('Deleted', owner, pod.metadata.name),
    );
  }

  protected said(what: 'Created' | 'Deleted', _owner: StoredObject, pod: string): string {
    return `${what} pod: ${pod}`;
  }
}
