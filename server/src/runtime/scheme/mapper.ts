// From a kind to the resource that serves it, and back. Built-in kinds are known; for the others discovery is
// asked, and asked again before it is said that there is none: a CRD may have come.

import {Discovery} from '../../kube/discovery/discovery.ts';
import {type Resource, resourceName} from '../../kube/resource.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import {builtInKinds} from './built-in-kinds.ts';
import {groupVersionOf, type Kind, type KindRef, kindId} from './kind.ts';

/** The server serves no such kind, or not in that version. */
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
  readonly #known = new Map<string, Resource>();

  constructor(transport: Wire) {
    this.#discovery = new Discovery(transport);
    for (const one of Object.values(builtInKinds))
      if (one.resource) this.#known.set(kindId(one), one.resource);
  }

  /** The resource of a kind, if it was found before or is built in. */
  known(ref: KindRef): Resource | undefined {
    return this.#known.get(kindId(ref)) ?? (ref as Kind).resource;
  }

  /** Throws NoKindMatchError; other failures are those of asking. */
  async resource(ref: KindRef): Promise<Resource> {
    const known = this.known(ref);
    if (known) return known;
    const found = await this.#discovery.find({...groupVersionOf(ref.apiVersion), kind: ref.kind});
    if (!found) throw new NoKindMatchError(ref);
    const {group, version, plural, kind, namespaced} = found;
    const resource = {group, version, plural, kind, namespaced};
    this.#known.set(kindId(ref), resource);
    return resource;
  }

  /** The kind a resource serves, such as Deployment for `deployments` in `apps`; the preferred version unless one is named. */
  async kindFor(query: {group: string; plural: string; version?: string}): Promise<Resource> {
    const found = await this.#discovery.find(query);
    if (found) return found;
    const name = resourceName({...query, version: query.version ?? '', kind: '', namespaced: true});
    throw new Error(
      `no matches for resource "${name}"${query.version ? ` in version "${query.version}"` : ''}`,
    );
  }

  /** What was learned is asked again: a CRD came, went or changed its scope. */
  forget(ref?: KindRef): void {
    this.#discovery.forget();
    if (ref && !isBuiltIn(ref)) this.#known.delete(kindId(ref));
    if (ref) return;
    for (const id of this.#known.keys()) if (!builtInIds.has(id)) this.#known.delete(id);
  }
}

const builtInIds = new Set(Object.values(builtInKinds).map(kindId));

function isBuiltIn(ref: KindRef): boolean {
  return builtInIds.has(kindId(ref));
}
