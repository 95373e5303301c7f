// Maps kinds to resources and back. Built-in kinds are known; others need discovery. A missing kind causes a new
// discovery, because its CRD may be new.

import {Discovery} from '../../kube/discovery/discovery.ts';
import {type Resource, resourceName} from '../../kube/resource.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import {builtInKinds} from './built-in-kinds.ts';
import {groupVersionOf, type Kind, type KindRef, kindId} from './kind.ts';

/** The server does not serve the kind in this version. */
export class NoKindMatchError extends Error {
  override readonly name = 'NoKindMatchError';
  readonly apiVersion: string;
  readonly kind: string;

  constructor(ref: KindRef) {
    super(
      `no matches for kind "${ref.kind}" in version "${ref.apiVersion}"; install its CRD first, or compare with kubectl api-resources`,
    );
    this.apiVersion = ref.apiVersion;
    this.kind = ref.kind;
  }
}

export class Mapper {
  readonly #discovery: Discovery;
  readonly #resources = new Map<string, Resource>();

  constructor(transport: Wire) {
    this.#discovery = new Discovery(transport);
    for (const one of Object.values(builtInKinds))
      if (one.resource) this.#resources.set(kindId(one), one.resource);
    this.#resources.set(kindId(newEvents), newEvents.resource);
  }

  /** Returns the resource of a built-in kind or of an earlier discovery. */
  known(ref: KindRef): Resource | undefined {
    return this.#resources.get(kindId(ref)) ?? (ref as Kind).resource;
  }

  /** Throws NoKindMatchError for a missing kind. */
  async resource(ref: KindRef): Promise<Resource> {
    const cached = this.known(ref);
    if (cached) return cached;
    const found = await this.#discovery.find({...groupVersionOf(ref.apiVersion), kind: ref.kind});
    if (!found) throw new NoKindMatchError(ref);
    const {group, version, plural, kind, namespaced} = found;
    const resource = {group, version, plural, kind, namespaced};
    this.#resources.set(kindId(ref), resource);
    return resource;
  }

  /** Returns the kind of a resource, such as Deployment for `deployments` in `apps`. Default: the preferred version. */
  async kindFor(query: {group: string; plural: string; version?: string}): Promise<Resource> {
    const found = await this.#discovery.find(query);
    if (found) return found;
    const name = resourceName({...query, version: query.version ?? '', kind: '', namespaced: true});
    throw new Error(
      `no matches for resource "${name}"${query.version ? ` in version "${query.version}"` : ''}`,
    );
  }

  /** Clears cached discovery after a CRD changed. */
  forget(ref?: KindRef): void {
    this.#discovery.forget();
    if (ref && !isBuiltIn(ref)) this.#resources.delete(kindId(ref));
    if (ref) return;
    for (const id of this.#resources.keys()) if (!builtInIds.has(id)) this.#resources.delete(id);
  }
}

/** Events in their newer API. It is no kind of its own, because the core API has the same objects. */
const newEvents = {
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  resource: {group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true},
};

const builtInIds = new Set([...Object.values(builtInKinds), newEvents].map(kindId));

function isBuiltIn(ref: KindRef): boolean {
  return builtInIds.has(kindId(ref));
}
