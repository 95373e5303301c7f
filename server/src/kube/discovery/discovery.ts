// Lists every resource that the server serves, with its kind, scope and verbs. Uses aggregated discovery, and
// one request for each group version on servers without it (before 1.26).

import {isApiError} from '../error.ts';
import {isRecord} from '../object.ts';
import type {Resource} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';

export interface DiscoveredResource extends Resource {
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
  subresources: readonly string[];
  /** The version the server prefers for its group. */
  preferred: boolean;
}

export interface DiscoveryResult {
  resources: readonly DiscoveredResource[];
  /** Group versions without an answer, such as an aggregated API whose server is down. */
  failed: readonly string[];
  aggregated: boolean;
}

export interface ResourceQuery {
  group?: string | undefined;
  version?: string | undefined;
  plural?: string | undefined;
  kind?: string | undefined;
}

/** Requests at a time. A server may have hundreds of groups, and each request takes a connection. */
const atOnce = 8;

const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

export class Discovery {
  readonly #transport: Wire;
  #served: Promise<DiscoveryResult> | undefined;

  constructor(transport: Wire) {
    this.#transport = transport;
  }

  /** Returns all resources. The result is cached until `forget`; a failure is not cached. */
  served(): Promise<DiscoveryResult> {
    if (!this.#served) {
      const request = discover(this.#transport);
      this.#served = request;
      request.catch(() => {
        if (this.#served === request) this.#served = undefined;
      });
    }
    return this.#served;
  }

  /** Clears the cache, for example after a CRD was added or removed. */
  forget(): void {
    this.#served = undefined;
  }

  /** Asks for the resources of one group, without the cache. A missing group has none. */
  async inGroup(group: string): Promise<DiscoveredResource[]> {
    try {
      const {body} = await this.#transport.request<unknown>({path: `/apis/${group}`});
      return await resourcesOf(this.#transport, groupVersions([body]), []);
    } catch (error) {
      if (isApiError(error, 404)) return [];
      throw error;
    }
  }

  /** Prefers the server's preferred version. Asks the server again before it returns undefined. */
  async find(query: ResourceQuery): Promise<DiscoveredResource | undefined> {
    const wasCached = this.#served !== undefined;
    const found = pick(await this.served(), query);
    if (found || !wasCached) return found;
    this.forget();
    return pick(await this.served(), query);
  }

  /** Like find, but throws an error that names the query. */
  async need(query: ResourceQuery): Promise<DiscoveredResource> {
    const found = await this.find(query);
    if (found) return found;
    const version = [query.group, query.version].filter(Boolean).join('/');
    const what = `${query.kind ?? query.plural ?? 'resource'}${version && ` in ${version}`}`;
    throw new Error(`this cluster serves no ${what}; kubectl api-resources lists what it does serve`);
  }

  /** Returns the server's version, such as v1.36.3. */
  async version(signal?: AbortSignal): Promise<string> {
    const {body} = await this.#transport.request<{gitVersion?: string}>({path: '/version', signal});
    return body?.gitVersion ?? 'unknown';
  }
}

function pick({resources}: DiscoveryResult, query: ResourceQuery): DiscoveredResource | undefined {
  const fitting = resources.filter(
    one =>
      (query.group === undefined || one.group === query.group) &&
      (query.version === undefined || one.version === query.version) &&
      (query.plural === undefined || one.plural === query.plural) &&
      (query.kind === undefined || one.kind === query.kind),
  );
  return fitting.find(one => one.preferred) ?? fitting[0];
}

async function discover(transport: Wire): Promise<DiscoveryResult> {
  const ask = (path: string) => transport.request<unknown>({path, accept: aggregatedAccept});
  const [core, groups] = await Promise.all([ask('/api'), ask('/apis')]);
  const failed: string[] = [];
  const aggregated = [core, groups].map(answer =>
    String(answer.headers['content-type']).includes('APIGroupDiscoveryList'),
  );
  const coreResources = aggregated[0]
    ? fromAggregated(core.body, failed)
    : await resourcesOf(transport, coreVersions(core.body), failed);
  const groupResources = aggregated[1]
    ? fromAggregated(groups.body, failed)
    : await resourcesOf(transport, groupVersions((groups.body as {groups?: unknown[]}).groups ?? []), failed);
  return {
    resources: [...coreResources, ...groupResources],
    failed,
    aggregated: aggregated[0] === true && aggregated[1] === true,
  };
}

interface AggregatedVersion {
  version: string;
  freshness?: string;
  resources?: AggregatedResource[];
}

interface AggregatedResource {
  resource: string;
  responseKind?: {kind?: string};
  scope?: string;
  singularResource?: string;
  shortNames?: string[];
  categories?: string[];
  verbs?: string[];
  subresources?: {subresource: string}[];
}

function fromAggregated(body: unknown, failed: string[]): DiscoveredResource[] {
  const {items = []} = body as {items?: {metadata?: {name?: string}; versions?: AggregatedVersion[]}[]};
  return items.flatMap(({metadata, versions = []}) => {
    const group = metadata?.name ?? '';
    return versions.flatMap(({version, freshness, resources = []}, at) => {
      if (freshness === 'Stale') failed.push(group ? `${group}/${version}` : version);
      return resources.map(one => ({
        group,
        version,
        plural: one.resource,
        kind: one.responseKind?.kind ?? '',
        namespaced: one.scope === 'Namespaced',
        singular: one.singularResource ?? '',
        shortNames: one.shortNames ?? [],
        categories: one.categories ?? [],
        verbs: one.verbs ?? [],
        subresources: (one.subresources ?? []).map(sub => sub.subresource),
        preferred: at === 0,
      }));
    });
  });
}

interface GroupVersion {
  group: string;
  version: string;
  preferred: boolean;
}

function coreVersions(body: unknown): GroupVersion[] {
  const versions = isRecord(body) && Array.isArray(body.versions) ? (body.versions as string[]) : [];
  return versions.map((version, at) => ({group: '', version, preferred: at === 0}));
}

function groupVersions(groups: readonly unknown[]): GroupVersion[] {
  return groups.flatMap(one => {
    const {name: group, versions = []} = one as {name: string; versions?: {version: string}[]};
    return versions.map(({version}, at) => ({group, version, preferred: at === 0}));
  });
}

interface PlainResource {
  name: string;
  singularName?: string;
  namespaced?: boolean;
  kind?: string;
  verbs?: string[];
  shortNames?: string[];
  categories?: string[];
}

/** Asks for each group version, a few at a time. Keeps their order. */
async function resourcesOf(
  transport: Wire,
  versions: readonly GroupVersion[],
  failed: string[],
): Promise<DiscoveredResource[]> {
  const parts: DiscoveredResource[][] = [];
  const queue = versions.entries();
  const work = async (): Promise<void> => {
    for (const [at, {group, version, preferred}] of queue) {
      const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
      try {
        const {body} = await transport.request<{resources?: PlainResource[]}>({path});
        parts[at] = plainResources(group, version, body.resources ?? [], preferred);
      } catch {
        // An aggregated API whose server is down must not hide the others.
        failed.push(group ? `${group}/${version}` : version);
      }
    }
  };
  await Promise.all(Array.from({length: atOnce}, work));
  return parts.flat();
}

function plainResources(
  group: string,
  version: string,
  list: PlainResource[],
  preferred: boolean,
): DiscoveredResource[] {
  const subresources = Map.groupBy(
    list.filter(one => one.name.includes('/')),
    one => one.name.slice(0, one.name.indexOf('/')),
  );
  return list
    .filter(one => !one.name.includes('/'))
    .map(one => ({
      group,
      version,
      plural: one.name,
      kind: one.kind ?? '',
      namespaced: one.namespaced === true,
      singular: one.singularName ?? '',
      shortNames: one.shortNames ?? [],
      categories: one.categories ?? [],
      verbs: one.verbs ?? [],
      subresources: (subresources.get(one.name) ?? []).map(sub => sub.name.slice(one.name.length + 1)),
      preferred,
    }));
}
