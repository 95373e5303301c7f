// The identity of a cluster: the uid of its namespace kube-system, which lives as long as the cluster.
import type {Transport} from '../kube/transport/transport.ts';

const PATH = '/api/v1/namespaces';

type IdentityTransport = Pick<Transport, 'request'>;

interface NamespaceObject {
  metadata?: {uid?: string};
}

/** Rejects if the cluster does not answer, or does not show the namespace. */
export async function readClusterIdentity(transport: IdentityTransport): Promise<string> {
  const uid = (await readByName(transport)) ?? (await readFromList(transport));
  if (uid !== undefined) return uid;
  throw new Error('the namespace kube-system has no uid; allow krtscope to list namespaces to keep history');
}

async function readByName(transport: IdentityTransport): Promise<string | undefined> {
  try {
    const {body} = await transport.request<NamespaceObject>({path: `${PATH}/kube-system`});
    return body.metadata?.uid;
  } catch (error) {
    // A ServiceAccount may list namespaces and not get one.
    if ((error as {code?: number}).code === 403) return undefined;
    throw error;
  }
}

async function readFromList(transport: IdentityTransport): Promise<string | undefined> {
  const {body} = await transport.request<{items?: NamespaceObject[]}>({
    path: PATH,
    query: {fieldSelector: 'metadata.name=kube-system', limit: '1'},
  });
  return body.items?.[0]?.metadata?.uid;
}
