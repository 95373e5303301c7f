// The state that every verb works on: the storage, the served resources, the clock and the source of names
// and uids.

import type {Clock} from '../kube/clock.ts';
import {ResourceRegistry} from './kinds/resource-registry.ts';
import type {ServedResource} from './kinds/served-resource.ts';
import {SeededRandom} from './object/seeded-random.ts';
import type {StoredObject} from './object/stored-object.ts';
import type {ResourceStore} from './storage/resource-store.ts';
import {Storage} from './storage/storage.ts';

interface ApiOptions {
  seed?: number;
  logLimit?: number;
  /** Milliseconds since 1970. Tests may stop this clock. */
  now?: () => number;
  /** For timeouts and bookmarks. Default: the system's, without keeping the process alive. */
  clock?: Clock;
}

const backgroundClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

export class Api {
  readonly storage: Storage;
  readonly resources: ResourceRegistry;
  readonly random: SeededRandom;
  readonly seed: number;
  /** The clock. Seeding turns it back for a while. */
  now: () => number;
  readonly clock: Clock;
  /** The certificate clients trust, for kube-root-ca.crt. */
  ca = '';

  constructor(options: ApiOptions = {}) {
    this.clock = options.clock ?? backgroundClock;
    this.storage = new Storage({logLimit: options.logLimit, clock: this.clock});
    this.seed = options.seed ?? 1;
    this.random = new SeededRandom(this.seed);
    this.now = options.now ?? Date.now;
    this.resources = new ResourceRegistry();
  }

  resourceStore(resource: ServedResource): ResourceStore {
    return this.storage.resourceStore(resource.storeName);
  }

  /** A stored object, in its storage version, or undefined. */
  find(resource: ServedResource, namespace: string, name: string): StoredObject | undefined {
    return this.resourceStore(resource).objects.get(keyOf(namespace, name));
  }

  /** RFC 3339 in whole seconds, as metav1.Time prints. */
  timestamp(milliseconds: number = this.now()): string {
    return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
  }
}

/** The key of an object. Cluster-scoped objects have no namespace in it. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}
