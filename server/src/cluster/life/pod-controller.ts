// What the controllers of Pods share: which Pods are theirs, and how they make and delete them.
import type {Kind, ObjectKey} from '../../runtime/index.ts';
import {type JsonObject, type KubeObject, listAt, stringAt} from '../object/types.ts';
import type {Hand} from './hand.ts';
import {Pod} from './kinds.ts';

export function isReady(pod: KubeObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    c => stringAt(c, 'type') === 'Ready' && stringAt(c, 'status') === 'True',
  );
}

export function isActive(pod: KubeObject): boolean {
  const phase = stringAt(pod, 'status', 'phase');
  return !pod.metadata.deletionTimestamp && phase !== 'Succeeded' && phase !== 'Failed';
}

export abstract class PodController {
  /** Whose objects own the Pods. */
  protected abstract readonly kind: Kind<KubeObject>;
  protected readonly hand: Hand;

  constructor(hand: Hand) {
    this.hand = hand;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const owner = await this.hand.find(this.kind, request);
    if (owner) await this.settle(owner);
  }

  /** Brings the Pods of an owner that is there to what its spec asks for, and its status to what they are. */
  protected abstract settle(owner: KubeObject): Promise<void>;

  protected pods(owner: KubeObject): Promise<KubeObject[]> {
    return this.hand.controlled(Pod, owner);
  }

  protected async createPod(owner: KubeObject, body: JsonObject): Promise<void> {
    const {name} = (await this.hand.create(Pod, body)).metadata;
    this.hand.events.event(owner, 'Normal', 'SuccessfulCreate', this.said('Created', owner, name));
  }

  protected async deletePod(owner: KubeObject, pod: KubeObject): Promise<void> {
    await this.hand.delete(pod);
    this.hand.events.event(
      owner,
      'Normal',
      'SuccessfulDelete',
      this.said('Deleted', owner, pod.metadata.name),
    );
  }

  protected said(what: 'Created' | 'Deleted', _owner: KubeObject, pod: string): string {
    return `${what} pod: ${pod}`;
  }
}
