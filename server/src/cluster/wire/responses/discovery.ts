// Discovery: the aggregated documents of /api and /apis, and the plain ones of each version.
import type {Api} from '../../api.ts';
import type {ServedVersion} from '../../kinds/resource-registry.ts';
import {groupVersion, type ServedResource} from '../../kinds/served-resource.ts';
import type {JsonObject} from '../../object/stored-object.ts';

export function aggregatedDiscovery(api: Api, core: boolean, apiVersion: string): JsonObject {
  const groups = new Map<string, ServedVersion[]>();
  for (const served of api.resources.versions()) {
    if ((served.group === '') !== core) continue;
    groups.set(served.group, [...(groups.get(served.group) ?? []), served]);
  }
  const items = [...groups].map(([name, versions]) => ({
    metadata: name === '' ? {} : {name},
    versions: versions.map(v => ({
      version: v.version,
      resources: v.resources.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return {kind: 'APIGroupDiscoveryList', apiVersion, metadata: {}, items};
}

function aggregatedResource(resource: ServedResource): JsonObject {
  return {
    resource: resource.resource,
    responseKind: {
      group: resource.custom ? resource.group : '',
      version: resource.custom ? resource.version : '',
      kind: resource.kind,
    },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && {shortNames: resource.shortNames}),
    ...(resource.categories.length > 0 && {categories: resource.categories}),
    ...(resource.subresources.length > 0 && {subresources: resource.subresources}),
  };
}

export function apiVersions(address: string): JsonObject {
  const serverAddressByClientCIDRs = [{clientCIDR: '0.0.0.0/0', serverAddress: address}];
  return {kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs};
}

export function groupList(api: Api): JsonObject {
  const names = [...new Set(api.resources.versions().map(v => v.group))].filter(name => name !== '');
  return {kind: 'APIGroupList', apiVersion: 'v1', groups: names.map(name => groupOf(api, name)!)};
}

function groupOf(api: Api, name: string): JsonObject | undefined {
  const versions = api.resources.versions().filter(v => v.group === name);
  if (name === '' || versions.length === 0) return undefined;
  const entries = versions.map(v => ({groupVersion: groupVersion(v), version: v.version}));
  return {name, versions: entries, preferredVersion: entries[0]};
}

export function oneGroup(api: Api, name: string): JsonObject | undefined {
  const group = groupOf(api, name);
  return group && {kind: 'APIGroup', apiVersion: 'v1', ...group};
}

export function resourceList(api: Api, group: string, version: string): JsonObject | undefined {
  const served = api.resources.versions().find(v => v.group === group && v.version === version);
  if (!served) return undefined;
  const resources = served.resources.flatMap(resource => [
    plainResource(resource),
    ...plainSubresources(resource),
  ]);
  return {
    kind: 'APIResourceList',
    ...(group !== '' && {apiVersion: 'v1'}),
    groupVersion: groupVersion({group, version}),
    resources,
  };
}

function plainResource(resource: ServedResource): JsonObject {
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 && {shortNames: resource.shortNames}),
    ...(resource.categories.length > 0 && {categories: resource.categories}),
    ...(resource.verbs.includes('list') && {storageVersionHash: storageHash(resource)}),
  };
}

function plainSubresources(resource: ServedResource): JsonObject[] {
  return resource.subresources.map(s => ({
    name: `${resource.resource}/${s.subresource}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(s.responseKind.group !== '' &&
      s.responseKind.group !== resource.group && {
        group: s.responseKind.group,
        version: s.responseKind.version,
      }),
    kind: s.responseKind.kind,
    verbs: s.verbs,
  }));
}

/** Stable for a resource. Clients compare it only with itself. */
function storageHash(resource: ServedResource): string {
  let hash = 7n;
  for (const letter of `${resource.group}/${resource.storageVersion}/${resource.kind}`) {
    hash = BigInt.asUintN(64, hash * 1099511628211n + BigInt(letter.charCodeAt(0)));
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.toString('base64');
}
