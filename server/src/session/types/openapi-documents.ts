// Where the OpenAPI document of a kind comes from: the cluster that serves it, else the dump in this repository.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {dumpedDiscovery, dumpedDocument} from '../../cluster/schema/dumped-schemas.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {OpenApiDocuments} from './declarations.ts';
import type {OpenApi} from './kind-types.ts';

/** A CRD that is changed is asked for anew; a reader who types is not kept waiting each time. */
const CACHE_MS = 60_000;
const REQUEST_TIMEOUT_MS = 5_000;

export const dumpedDocuments: OpenApiDocuments = async resource => {
  const served = dumpedDiscovery().groups.some(
    ({group, version}) => group === resource.group && version === resource.version,
  );
  return served ? (dumpedDocument(groupVersion(resource)) as OpenApi) : undefined;
};

/** A cluster that refuses /openapi still gets the types of the kinds everybody has. */
export function clusterDocuments(transport: () => Wire | undefined, now: () => number): OpenApiDocuments {
  const held = new Map<string, {since: number; document: Promise<OpenApi | undefined>}>();
  const ask = async (path: string): Promise<OpenApi | undefined> => {
    try {
      return (await transport()?.request<OpenApi>({path, timeout: REQUEST_TIMEOUT_MS, retries: 0}))?.body;
    } catch {
      return undefined;
    }
  };
  return async resource => {
    const path = `/openapi/v3/${resource.group === '' ? 'api' : 'apis'}/${groupVersion(resource)}`;
    let known = held.get(path);
    if (known === undefined || now() - known.since > CACHE_MS) {
      known = {since: now(), document: ask(path)};
      held.set(path, known);
    }
    const document = await known.document;
    if (document !== undefined) return document;
    held.delete(path);
    return dumpedDocuments(resource);
  };
}

function groupVersion({group, version}: WireResource): string {
  return group === '' ? version : `${group}/${version}`;
}
