// Follows one kind in the storage. Unlike other informers, it sends no events for existing objects. The
// seeded cluster is already reconciled, and a pass over a hundred thousand Pods would delay the first list.

import {
  type Change,
  type Handler,
  InformerHandlerQueue,
  type Registration,
} from '../../../kube/informer/change-handler.ts';
import type {ReflectorState} from '../../../kube/reflector/reflector-state.ts';
import type {Resource as KubeResource} from '../../../kube/resource.ts';
import type {Informer, Kind} from '../../../runtime/index.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import {logProblem} from '../../problem-log.ts';
import type {LogEntry} from '../../storage/change-log.ts';
import type {ResourceStore} from '../../storage/resource-store.ts';

export class StorageInformer implements Informer {
  readonly kind: Kind;
  readonly resource: KubeResource;
  readonly #shelf: ResourceStore;
  readonly #ends = new Set<() => void>();
  #stopped = false;

  constructor(kind: Kind, resource: ServedResource, shelf: ResourceStore) {
    const {group, version, namespaced} = resource;
    this.kind = kind;
    this.resource = {group, version, plural: resource.resource, kind: resource.kind, namespaced};
    this.#shelf = shelf;
  }

  get state(): ReflectorState {
    return {phase: 'synced', reason: 'the storage is in this process', seen: this.#shelf.objects.size};
  }

  addHandler(handler: Handler): Registration {
    const queue = new InformerHandlerQueue(
      handler,
      problem => logProblem(`${this.resource.plural}: ${problem}`),
      () => end(),
    );
    const hear = (entry: LogEntry) => queue.changes([changeOf(entry)]);
    const end = () => {
      this.#shelf.listeners.delete(hear);
      this.#ends.delete(end);
    };
    this.#shelf.listeners.add(hear);
    this.#ends.add(end);
    queue.synced();
    return queue;
  }

  hasSynced(): boolean {
    return true;
  }

  isStopped(): boolean {
    return this.#stopped;
  }

  async waitForSync(): Promise<void> {}

  stop(): void {
    this.#stopped = true;
    for (const end of [...this.#ends]) end();
  }
}

function changeOf({type, key, object, previous}: LogEntry): Change {
  if (type === 'DELETED') return {event: 'delete', key, old: object, initial: false};
  if (!previous) return {event: 'add', key, new: object, initial: false};
  return {event: 'update', key, old: previous, new: object, initial: false};
}
