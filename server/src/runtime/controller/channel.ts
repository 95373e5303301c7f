// Events from outside the cluster: a program sends objects, and a controller's channel source receives them.

import type {KubeObject} from '../../kube/object.ts';

export class Channel<T extends KubeObject = KubeObject> {
  readonly #listeners = new Set<(object: T) => void>();
  #unheard: T[] = [];

  /** Objects wait for the first listener. */
  send(object: T): void {
    if (this.#listeners.size === 0) this.#unheard.push(object);
    else for (const listener of [...this.#listeners]) listener(object);
  }

  onEvent(listener: (object: T) => void): () => void {
    this.#listeners.add(listener);
    const unheard = this.#unheard;
    this.#unheard = [];
    for (const object of unheard) listener(object);
    return () => this.#listeners.delete(listener);
  }
}
