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
  protected readonly control: ControllerClient;

  constructor(control: ControllerClient) {
    this.control = control;
  }

  async reconcile(request: ObjectKey): Promise<void> {
    const owner = await this.control.find(this.kind, request);
    if (owner) await this.settle(owner);
  }

  /** Reconciles the Pods of an existing owner, and its status. */
  protected abstract settle(owner: StoredObject): Promise<void>;

  protected pods(owner: StoredObject): Promise<StoredObject[]> {
    return this.control.listControlled(Pod, owner);
  }

  protected async createPod(owner: StoredObject, body: JsonObject): Promise<void> {
    const {name} = (await this.control.create(Pod, body)).metadata;
    this.control.events.event(owner, 'Normal', 'SuccessfulCreate', this.eventText('Created', owner, name));
  }

  protected async deletePod(owner: StoredObject, pod: StoredObject): Promise<void> {
    await this.control.delete(pod);
    this.control.events.event(
      owner,
      'Normal',
      'SuccessfulDelete',
      this.eventText('Deleted', owner, pod.metadata.name),
    );
  }

  protected eventText(what: 'Created' | 'Deleted', _owner: StoredObject, pod: string): string {
    return `${what} pod: ${pod}`;
  }
}
