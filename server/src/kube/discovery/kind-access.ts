// What a cluster serves and this user may list. Rights are found by asking for one object: a review would be a POST.

import {isApiError} from '../error.ts';
import {type Resource, resourceKey, resourcePath} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';
import {type DiscoveredResource, Discovery, type DiscoveryResult} from './discovery.ts';
import {listableResources} from './find-resource.ts';

/** Milliseconds that an answer about rights, and about what is served, holds. */
const RIGHTS_MS = 60_000;
const SERVED_MS = 10_000;
const AT_ONCE = 8;
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
  #asked = -Infinity;

  constructor(transport: Wire, namespaces: readonly string[], now: () => number) {
    this.#transport = transport;
    this.#discovery = new Discovery(transport);
    this.#namespaces = namespaces;
    this.#now = now;
  }

  /** What is served now, asked at most every few seconds. */
  served({fresh = false} = {}): Promise<DiscoveryResult> {
    const now = this.#now();
    if (fresh || now - this.#asked > SERVED_MS) {
      this.#discovery.forget();
      this.#asked = now;
    }
    return this.#discovery.served();
  }

  /** Something came or went. */
  forget(): void {
    this.#asked = -Infinity;
  }

  async list(): Promise<{kinds: ServedKind[]; failed: readonly string[]}> {
    const {resources, failed} = await this.served();
    const left = listableResources(resources);
    const kinds: ServedKind[] = left.map(resource => ({resource, allowed: false}));
    let next = 0;
    const work = async (): Promise<void> => {
      for (let kind = kinds[next++]; kind !== undefined; kind = kinds[next++])
        kind.allowed = await this.allowed(kind.resource);
    };
    await Promise.all(Array.from({length: AT_ONCE}, work));
    return {kinds, failed};
  }

  allowed(resource: Resource): Promise<boolean> {
    const id = resourceKey(resource);
    const held = this.#rights.get(id);
    if (held !== undefined && held.until > this.#now()) return held.allowed;
    const allowed = this.#mayList(resource);
    this.#rights.set(id, {until: this.#now() + RIGHTS_MS, allowed});
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
        // A server that is busy or away has refused nothing.
        if (!isApiError(error, 401, 403, 404, 405)) return true;
      }
    }
    return false;
  }
}
