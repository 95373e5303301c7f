// Lets the demo's Deployment, ReplicaSet and EndpointSlice controllers react to edits, on the storage of the edits.
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Api} from '../../cluster/api.ts';
import type {StoredObject} from '../../cluster/object/stored-object.ts';
import {controllerOf} from '../../cluster/simulation/controllers/child-objects.ts';
import {DependentIndex} from '../../cluster/simulation/controllers/dependent-index.ts';
import {DeploymentController} from '../../cluster/simulation/controllers/deployment-controller.ts';
import {DirectControllerClient} from '../../cluster/simulation/controllers/direct-controller-client.ts';
import {
  EndpointSliceController,
  SERVICE,
} from '../../cluster/simulation/controllers/endpoint-slice-controller.ts';
import {ReplicaSetController} from '../../cluster/simulation/controllers/replica-set-controller.ts';
import {StorageCache} from '../../cluster/simulation/controllers/storage-cache.ts';
import {splitKey} from '../../cluster/simulation/reconcile-loop.ts';

/** The sources that these controllers read or write. */
export const REACTING_KINDS: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'Pod',
  'Service',
  'EndpointSlice',
  'Node',
]);
const MAX_ROUNDS = 100;
/** Reconciles between two turns of the event loop. */
const RECONCILES_PER_TURN = 10;

type ReactingController = 'deployment' | 'replicaset' | 'endpointslice';

interface StorageEntry {
  readonly type: string;
  readonly key: string;
  readonly object: StoredObject;
  readonly previous?: StoredObject;
}

/** Create it when the storage is complete and before the edits: it notes what they touch. */
export class ControllerReaction {
  readonly #api: Api;
  readonly #dependents: DependentIndex;
  readonly #controllers: Record<
    ReactingController,
    {reconcile(request: {namespace: string; name: string}): Promise<unknown>}
  >;
  #queue = new Set<string>();

  constructor(api: Api) {
    this.#api = api;
    this.#dependents = new DependentIndex(api);
    const control = new DirectControllerClient(api, new StorageCache(api, this.#dependents));
    this.#controllers = {
      deployment: new DeploymentController(control),
      replicaset: new ReplicaSetController(control),
      endpointslice: new EndpointSliceController(control),
    };
    api.storage.listeners.add(this.#note);
  }

  /** Plays until nothing changes, at most 100 rounds. Returns what to tell the reader. */
  async play(): Promise<string[]> {
    let rounds = 0;
    const failures = new Set<string>();
    for (; this.#queue.size > 0 && rounds < MAX_ROUNDS; rounds++) {
      const queue = [...this.#queue];
      this.#queue = new Set();
      for (const [at, one] of queue.entries()) {
        const failure = await this.#reconcile(one);
        if (failure !== undefined) failures.add(failure);
        if (at % RECONCILES_PER_TURN === 0) await nextTurn();
      }
    }
    const end =
      this.#queue.size === 0
        ? `reacted until nothing changed (${rounds} ${rounds === 1 ? 'round' : 'rounds'})`
        : `reacted for ${MAX_ROUNDS} rounds and had not settled`;
    return [
      ...failures,
      `krtscope's own Deployment, ReplicaSet and EndpointSlice controllers ${end}. No scheduler and no kubelet runs in the copy: new Pods stay Pending, deleted ones keep terminating.`,
    ];
  }

  stop(): void {
    this.#api.storage.listeners.delete(this.#note);
    this.#dependents.stop();
  }

  async #reconcile(request: string): Promise<string | undefined> {
    const [controller = '', key = ''] = request.split(' ');
    try {
      await this.#controllers[controller as ReactingController].reconcile(splitKey(key));
      return undefined;
    } catch (error) {
      return `The ${controller} controller failed on ${key}: ${(error as Error).message}`;
    }
  }

  readonly #note = (_store: string, {key, object, previous}: StorageEntry): void => {
    const {namespace = ''} = object.metadata;
    switch (object.kind) {
      case 'Deployment':
        this.#queue.add(`deployment ${key}`);
        return;
      case 'ReplicaSet':
        this.#queue.add(`replicaset ${key}`);
        this.#addOwner(object, 'Deployment', 'deployment');
        return;
      case 'Service':
        this.#queue.add(`endpointslice ${key}`);
        return;
      case 'EndpointSlice': {
        const service = object.metadata.labels?.[SERVICE];
        if (service !== undefined) this.#queue.add(`endpointslice ${namespace}/${service}`);
        return;
      }
      case 'Pod':
        this.#addOwner(object, 'ReplicaSet', 'replicaset');
        if (previous !== undefined) this.#addOwner(previous, 'ReplicaSet', 'replicaset');
        if (controllerOf(object) === undefined) this.#addAll('apps', 'replicasets', namespace, 'replicaset');
        this.#addAll('', 'services', namespace, 'endpointslice');
        return;
    }
  };

  #addOwner(object: StoredObject, kind: string, controller: ReactingController): void {
    const owner = controllerOf(object);
    if (owner?.kind === kind) this.#queue.add(`${controller} ${object.metadata.namespace}/${owner.name}`);
  }

  #addAll(group: string, resource: string, namespace: string, controller: ReactingController): void {
    const store = this.#api.resourceStore(this.#api.resources.must(group, 'v1', resource));
    for (const key of store.keys(`${namespace}/`)) this.#queue.add(`${controller} ${key}`);
  }
}
