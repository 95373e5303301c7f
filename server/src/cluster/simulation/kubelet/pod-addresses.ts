// Chooses the node and the IP address of a Pod.
import type {Api} from '../../api.ts';
import {at, listAt, type StoredObject, stringAt} from '../../object/stored-object.ts';

export class PodAddresses {
  readonly #api: Api;
  readonly #used = new Set<string>();
  readonly #next = new Map<string, number>();
  readonly #load = new Map<string, number>();

  constructor(api: Api) {
    this.#api = api;
    for (const pod of api.storage.resourceStore('pods').objects.values()) {
      this.#used.add(stringAt(pod, 'status', 'podIP'));
      this.#count(stringAt(pod, 'spec', 'nodeName'), 1);
    }
    api.storage.listeners.add(this.#hear);
  }

  stop(): void {
    this.#api.storage.listeners.delete(this.#hear);
  }

  readonly #hear = (shelf: string, entry: {type: string; object: StoredObject; previous?: StoredObject}) => {
    if (shelf !== 'pods') return;
    const before = stringAt(entry.previous, 'spec', 'nodeName');
    const now = entry.type === 'DELETED' ? '' : stringAt(entry.object, 'spec', 'nodeName');
    if (before === now) return;
    this.#count(before, -1);
    this.#count(now, 1);
  };

  #count(node: string, change: number): void {
    if (node !== '') this.#load.set(node, (this.#load.get(node) ?? 0) + change);
  }

  /** The schedulable node with the fewest Pods. */
  roomiest(nodes: StoredObject[]): string | undefined {
    const open = nodes.filter(node => at(node, 'spec', 'unschedulable') !== true);
    open.sort(
      (a, b) =>
        (this.#load.get(a.metadata.name) ?? 0) - (this.#load.get(b.metadata.name) ?? 0) ||
        (a.metadata.name < b.metadata.name ? -1 : 1),
    );
    return open[0]?.metadata.name;
  }

  nodeIP(name: string): string {
    const node = this.#api.storage.resourceStore('nodes').objects.get(name);
    const found = listAt(node, 'status', 'addresses').find(a => stringAt(a, 'type') === 'InternalIP');
    return found ? stringAt(found, 'address') : '10.0.0.1';
  }

  take(node: string): string {
    const index = Math.max(
      0,
      [...this.#api.storage.resourceStore('nodes').objects.keys()].sort().indexOf(node),
    );
    for (;;) {
      const n = (this.#next.get(node) ?? 2) + 1;
      this.#next.set(node, n);
      if (n % 256 === 0 || n % 256 === 255) continue;
      const address = `10.${244 + ((n >> 16) & 7)}.${(index + 64 * ((n >> 8) % 4)) % 256}.${n & 255}`;
      if (this.#used.has(address)) continue;
      this.#used.add(address);
      return address;
    }
  }

  release(address: string): void {
    this.#used.delete(address);
  }
}
