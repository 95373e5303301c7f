// Lists the kinds that a cluster serves and whether this user may list each. It tries a list of one object,
// because an access review would be a POST and krtscope only reads.

import {isApiError} from '../error.ts';
import {type Resource, resourceKey, resourcePath} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';
import {type DiscoveredResource, Discovery, type DiscoveryResult} from './discovery.ts';
import {listableResources} from './find-resource.ts';

/** How long results about permissions and about served kinds are cached, in milliseconds. A new right shows soon. */
const ALLOWED_MS = 600_000;
const DENIED_MS = 60_000;
const SERVED_MS = 10_000;
/** Limits of one list: requests, those under way at once, and milliseconds. */
const MAX_REQUESTS = 100;
const AT_ONCE = 8;
const MAX_MS = 5000;
const ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

export interface ServedKind {
  resource: DiscoveredResource;
  allowed: boolean;
}

export class KindAccess {
  readonly #transport: Wire;
  readonly #discovery: Discovery;
  readonly #namespaces: readonly string[];
  readonly #now: () => number;
  readonly #rights = new Map<string, {until: number; allowed: Promise<boolean>}>();
  #requestedAt = -Infinity;
  #running: Promise<DiscoveryResult> | undefined;
  /** A round that starts after the running one, for callers that need a fresh result. */
  #next: Promise<DiscoveryResult> | undefined;

  constructor(transport: Wire, namespaces: readonly string[], now: () => number) {
    this.#transport = transport;
    this.#discovery = new Discovery(transport);
    this.#namespaces = namespaces;
    this.#now = now;
  }

  /** Returns the served resources, cached for a few seconds. */
  served({fresh = false} = {}): Promise<DiscoveryResult> {
    if (this.#running !== undefined) return fresh ? this.#afterRunning(this.#running) : this.#running;
    const now = this.#now();
    if (fresh || now - this.#requestedAt > SERVED_MS) {
      this.#discovery.forget();
      this.#requestedAt = now;
    }
    const running = this.#discovery.served().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** Asks for the resources of one group now. */
  inGroup(group: string): Promise<DiscoveredResource[]> {
    return this.#discovery.inGroup(group);
  }

  #afterRunning(running: Promise<unknown>): Promise<DiscoveryResult> {
    this.#next ??= running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.served({fresh: true});
      });
    return this.#next;
  }

  /** Clears the cached discovery after a kind was added or removed. */
  forget(): void {
    this.#requestedAt = -Infinity;
  }

  /**
   * `isKnown` says that a kind is read already, so that its right needs no request. A kind that the limits left out counts
   * as allowed: adding it shows the cluster's answer, and the next list asks for more of them.
   */
  async list(
    isKnown: (resource: Resource) => boolean,
  ): Promise<{kinds: ServedKind[]; failed: readonly string[]}> {
    const {resources, failed} = await this.served();
    const kinds: ServedKind[] = listableResources(resources).map(resource => ({resource, allowed: true}));
    const unknown = kinds.filter(({resource}) => !isKnown(resource));
    const cached = unknown.filter(({resource}) => this.#cached(resource) !== undefined);
    const asked = unknown.filter(kind => !cached.includes(kind)).slice(0, MAX_REQUESTS / this.#places);
    let next = 0;
    const end = this.#now() + MAX_MS;
    const work = async (): Promise<void> => {
      for (let kind = asked[next++]; kind !== undefined && this.#now() < end; kind = asked[next++])
        kind.allowed = await this.#allowed(kind.resource);
    };
    for (const kind of cached) kind.allowed = await this.#allowed(kind.resource);
    await Promise.all(Array.from({length: AT_ONCE}, work));
    return {kinds, failed};
  }

  /** Requests for one kind, at most. */
  get #places(): number {
    return Math.max(1, this.#namespaces.length);
  }

  #cached(resource: Resource): Promise<boolean> | undefined {
    const cached = this.#rights.get(resourceKey(resource));
    return cached !== undefined && cached.until > this.#now() ? cached.allowed : undefined;
  }

  #allowed(resource: Resource): Promise<boolean> {
    const cached = this.#cached(resource);
    if (cached !== undefined) return cached;
    const allowed = this.#mayList(resource);
    const right = {until: this.#now() + DENIED_MS, allowed};
    this.#rights.set(resourceKey(resource), right);
    void allowed.then(isAllowed => {
      if (isAllowed) right.until = this.#now() + ALLOWED_MS;
    });
    return allowed;
  }

  async #mayList(resource: Resource): Promise<boolean> {
    const places = resource.namespaced && this.#namespaces.length > 0 ? this.#namespaces : [undefined];
    for (const namespace of places) {
      try {
        const path = resourcePath(resource, {namespace});
        await this.#transport.request({path, query: {limit: 1}, accept: ACCEPT, retries: 0, timeout: 5000});
        return true;
      } catch (error) {
        // A busy or unreachable server does not mean that access is denied.
        if (!isApiError(error, 401, 403, 404, 405)) return true;
      }
    }
    return false;
  }
}
