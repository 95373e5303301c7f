// Loads the OpenAPI document of a kind: from the cluster, else from the dump in this repository.
import type {WireResource} from '@krtscope/shared/graph.ts';
import {isTooDeep} from '@krtscope/shared/json/depth.ts';
import {dumpedDiscovery, dumpedDocument} from '../../cluster/schema/dumped-schemas.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {OpenApiDocuments} from './declarations.ts';
import type {OpenApi} from './kind-types.ts';

/** Cache time. Long enough for an editor, short enough for a changed CRD. */
const CACHE_MS = 60_000;
const REQUEST_TIMEOUT_MS = 5_000;

export const dumpedDocuments: OpenApiDocuments = async resource => {
  const served = dumpedDiscovery().groups.some(
    ({group, version}) => group === resource.group && version === resource.version,
  );
  return served ? (dumpedDocument(groupVersion(resource)) as OpenApi) : undefined;
};

/** A cluster that refuses /openapi still gets the types of the common kinds. */
export function clusterDocuments(transport: () => Wire | undefined, now: () => number): OpenApiDocuments {
  const cached = new Map<string, {since: number; document: Promise<OpenApi | undefined>}>();
  const request = async (path: string): Promise<OpenApi | undefined> => {
    try {
      const answer = await transport()?.request<OpenApi>({path, timeout: REQUEST_TIMEOUT_MS, retries: 0});
      // The writer of types walks a document by recursion.
      return isTooDeep(answer?.body) ? undefined : answer?.body;
    } catch {
      return undefined;
    }
  };
  return async resource => {
    const path = `/openapi/v3/${resource.group === '' ? 'api' : 'apis'}/${groupVersion(resource)}`;
    let entry = cached.get(path);
    if (entry === undefined || now() - entry.since > CACHE_MS) {
      entry = {since: now(), document: request(path)};
      cached.set(path, entry);
    }
    const document = await entry.document;
    if (document !== undefined) return document;
    cached.delete(path);
    return dumpedDocuments(resource);
  };
}

function groupVersion({group, version}: WireResource): string {
  return group === '' ? version : `${group}/${version}`;
}
