// A small work queue for the simulators. Changes become keys, and the loop reconciles key by key, never
// inside the write that caused the change.

import type {Clock} from '../../kube/clock.ts';
import type {Api} from '../api.ts';
import type {StoredObject} from '../object/stored-object.ts';
import {logProblem} from '../problem-log.ts';

export interface LoopController {
  name: string;
  /** The keys that a change in a store ("apps/deployments") affects. */
  touched(
    shelf: string,
    object: StoredObject,
    deleted: boolean,
    previous: StoredObject | undefined,
  ): string[];
  reconcile(key: string): void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;

export class ReconcileLoop {
  readonly #api: Api;
  readonly #controllers: LoopController[];
  readonly #clock: Clock;
  readonly #queues: Map<LoopController, Set<string>>;
  #scheduled: NodeJS.Immediate | undefined;
  #stopped = false;
  readonly #failures = new Map<string, number>();

  constructor(api: Api, controllers: LoopController[], clock: Clock) {
    this.#api = api;
    this.#controllers = controllers;
    this.#clock = clock;
    this.#queues = new Map(controllers.map(controller => [controller, new Set<string>()]));
    api.storage.listeners.add(this.#hear);
  }

  enqueue(controller: LoopController, key: string): void {
    this.#queues.get(controller)?.add(key);
    if (!this.#stopped) this.#scheduled ??= setImmediate(() => this.#drain());
  }

  stop(): void {
    this.#stopped = true;
    this.#api.storage.listeners.delete(this.#hear);
    if (this.#scheduled) clearImmediate(this.#scheduled);
  }

  readonly #hear = (shelf: string, entry: {type: string; object: StoredObject; previous?: StoredObject}) => {
    for (const controller of this.#controllers) {
      for (const key of controller.touched(shelf, entry.object, entry.type === 'DELETED', entry.previous))
        this.enqueue(controller, key);
    }
  };

  #drain(): void {
    this.#scheduled = undefined;
    for (const controller of this.#controllers) {
      const queue = this.#queues.get(controller)!;
      const keys = [...queue];
      queue.clear();
      for (const key of keys) this.#reconcile(controller, key);
    }
  }

  #reconcile(controller: LoopController, key: string): void {
    const id = `${controller.name} ${key}`;
    try {
      controller.reconcile(key);
      this.#failures.delete(id);
    } catch (error) {
      // Retries a refused write with a growing delay, for example in a terminating namespace.
      const failures = this.#failures.get(id) ?? 0;
      this.#failures.set(id, failures + 1);
      logProblem(`${id}: ${error instanceof Error ? error.message : String(error)}`);
      this.#clock.after(Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS), () =>
        this.enqueue(controller, key),
      );
    }
  }
}

/** "namespace/name" or "name" into its halves. */
export function splitKey(key: string): {namespace: string; name: string} {
  const slash = key.indexOf('/');
  return slash < 0
    ? {namespace: '', name: key}
    : {namespace: key.slice(0, slash), name: key.slice(slash + 1)};
}

export function keyFor(object: StoredObject): string {
  const {namespace, name} = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}
