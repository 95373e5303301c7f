// Events from outside the cluster: whoever holds the channel sends objects, a controller's channel source hears
// of them.

import type {KubeObject} from '../../kube/object.ts';

export class Channel<T extends KubeObject = KubeObject> {
  readonly #listeners = new Set<(object: T) => void>();
  #unheard: T[] = [];

  /** What is sent before anybody listens is kept for the first who does. */
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
