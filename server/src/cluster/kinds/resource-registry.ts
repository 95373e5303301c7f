// All served resources: the built-in ones from the dump, and those of CRDs.
import {type DumpedResource, dumpedDiscovery} from '../schema/dumped-schemas.ts';
import {builtInSchema, type FieldSchema} from '../schema/field-schema.ts';
import {builtInRules} from './built-in-rules.ts';
import type {ServedResource} from './served-resource.ts';

// A cluster without kubelets and component health cannot serve these.
const NOT_SERVED = new Set(['componentstatuses', 'bindings']);
const NOT_SERVED_SUBRESOURCES = new Set(['serviceaccounts/token']);

export interface ServedVersion {
  group: string;
  version: string;
  resources: ServedResource[];
}

export class ResourceRegistry {
  readonly #builtIn: ServedVersion[] = [];
  readonly #custom = new Map<string, ServedResource[]>();
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byKind = new Map<string, ServedResource>();
  /** Called whenever the resources of CRDs change. */
  readonly listeners = new Set<() => void>();

  constructor() {
    for (const {group, version, resources} of dumpedDiscovery().groups) {
      const served = resources.filter(r => !NOT_SERVED.has(r.resource)).map(r => builtIn(group, version, r));
      this.#builtIn.push({group, version, resources: served});
      for (const resource of served) this.#index(resource);
    }
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${resource}`);
  }

  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** A resource that is always served, for our own code. */
  must(group: string, version: string, resource: string): ServedResource {
    const found = this.find(group, version, resource);
    if (!found) throw new Error(`no resource ${group}/${version}/${resource} is served`);
    return found;
  }

  /** Group versions in discovery order: built-in ones first, then custom ones by group. */
  versions(): ServedVersion[] {
    const custom = new Map<string, ServedVersion>();
    for (const resource of [...this.#custom.values()].flat()) {
      const id = `${resource.group}/${resource.version}`;
      const served = custom.get(id) ?? {group: resource.group, version: resource.version, resources: []};
      served.resources.push(resource);
      custom.set(id, served);
    }
    const added = [...custom.values()];
    for (const served of added) served.resources.sort((a, b) => (a.resource < b.resource ? -1 : 1));
    added.sort((a, b) =>
      a.group === b.group ? compareVersions(a.version, b.version) : a.group < b.group ? -1 : 1,
    );
    return [...this.#builtIn, ...added];
  }

  /** Each resource once, in its storage version. */
  stored(): ServedResource[] {
    const shelves = new Map<string, ServedResource>();
    for (const {resources} of this.versions()) {
      for (const resource of resources) {
        if (!resource.verbs.includes('list')) continue;
        if (!shelves.has(resource.storeName) || resource.version === resource.storageVersion)
          shelves.set(resource.storeName, resource);
      }
    }
    return [...shelves.values()];
  }

  /** Replaces what one CRD serves; an empty list withdraws it. */
  define(definition: string, resources: ServedResource[]): void {
    for (const old of this.#custom.get(definition) ?? []) {
      this.#byPath.delete(`${old.group}/${old.version}/${old.resource}`);
      this.#byKind.delete(`${old.group}/${old.version}/${old.kind}`);
    }
    if (resources.length === 0) this.#custom.delete(definition);
    else this.#custom.set(definition, resources);
    for (const resource of resources) this.#index(resource);
    for (const listener of [...this.listeners]) listener();
  }

  #index(resource: ServedResource): void {
    this.#byPath.set(`${resource.group}/${resource.version}/${resource.resource}`, resource);
    this.#byKind.set(`${resource.group}/${resource.version}/${resource.kind}`, resource);
  }
}

function builtIn(group: string, version: string, found: DumpedResource): ServedResource {
  let schema: FieldSchema | undefined;
  const kind = found.responseKind.kind;
  const shared = group === 'events.k8s.io' ? 'events' : `${group}/${found.resource}`;
  return {
    group,
    version,
    resource: found.resource,
    kind,
    singular: found.singularResource,
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs,
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    subresources: (found.subresources ?? []).filter(
      s => !NOT_SERVED_SUBRESOURCES.has(`${found.resource}/${s.subresource}`),
    ),
    storeName: group === '' ? found.resource : shared,
    storageVersion: version,
    schema: () => {
      schema ??= builtInSchema(group, version, kind);
      return schema;
    },
    rules: builtInRules(group, found.resource),
  };
}

/** Kubernetes' order: v2 before v1, v1 before v1beta1, v1beta1 before v1alpha1, the rest by name. */
export function compareVersions(a: string, b: string): number {
  const rank = (v: string): [number, number, number] => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(v);
    if (!match) return [3, 0, 0];
    return [
      match[2] === undefined ? 0 : match[2] === 'beta' ? 1 : 2,
      -Number(match[1]),
      -Number(match[3] ?? 0),
    ];
  };
  const [x, y] = [rank(a), rank(b)];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
  return a < b ? -1 : a > b ? 1 : 0;
}
