// What every verb works on: the storage, the served resources, the clock and the source of names and uids.

import type {Resource} from './kinds/resource.ts';
import {Resources} from './kinds/resources.ts';
import {Chance} from './object/random.ts';
import type {KubeObject} from './object/types.ts';
import type {Shelf} from './storage/shelf.ts';
import {Storage} from './storage/storage.ts';

export interface ApiOptions {
  seed?: number;
  logLimit?: number;
  /** Milliseconds since 1970; tests hold it still. */
  now?: () => number;
}

export class Api {
  readonly storage: Storage;
  readonly resources: Resources;
  readonly chance: Chance;
  readonly seed: number;
  /** The clock; seeding turns it back for a while. */
  now: () => number;
  /** The certificate clients trust, for kube-root-ca.crt. */
  ca = '';

  constructor(options: ApiOptions = {}) {
    this.storage = new Storage(options.logLimit === undefined ? {} : {logLimit: options.logLimit});
    this.seed = options.seed ?? 1;
    this.chance = new Chance(this.seed);
    this.now = options.now ?? Date.now;
    this.resources = new Resources();
  }

  shelf(resource: Resource): Shelf {
    return this.storage.shelf(resource.shelf);
  }

  /** A stored object, in its storage version, or undefined. */
  find(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return this.shelf(resource).objects.get(keyOf(namespace, name));
  }

  /** RFC 3339 in whole seconds, as metav1.Time prints. */
  timestamp(milliseconds: number = this.now()): string {
    return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
  }
}

/** The key under which an object lies; cluster-scoped ones have no namespace. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
