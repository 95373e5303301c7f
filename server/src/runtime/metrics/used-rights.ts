// Counts the RBAC rights that a program's requests need, so that `krtscope rbac` can print the role of an operator.

import {isRecord, type KubeObject} from '../../kube/object.ts';
import type {Resource} from '../../kube/resource.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';
import type {KindRef} from '../scheme/kind.ts';
import type {Metrics} from './metrics.ts';

/** One right of RBAC. The namespace is empty for a request to all namespaces or to the cluster. */
export interface UsedRight {
  verb: string;
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
}

/** Further namespaces of a right share one label, so that the number of series stays small. */
const mostNamespaces = 10;
const manyNamespaces = '*';

const verbs = {POST: 'create', PUT: 'update', PATCH: 'patch'} as const;

/** The right that a request needs; undefined for requests that every user may send, such as discovery. */
export function rightOf({
  method = 'GET',
  path,
  query,
}: Pick<RequestOptions, 'method' | 'path' | 'query'>): UsedRight | undefined {
  const match = /^\/(?:api\/[^/]+|apis\/([^/]+)\/[^/]+)\/(.+)$/.exec(path);
  if (!match) return undefined;
  const [, group = '', rest = ''] = match;
  const parts = rest.split('/').map(decodeURIComponent);
  // /namespaces/x is the Namespace itself; /namespaces/x/pods is inside of it.
  const inside = parts[0] === 'namespaces' && parts.length > 2 && !isNamespacePart(parts[2]);
  const namespace = inside ? (parts[1] ?? '') : '';
  const [resource = '', name, subresource = ''] = inside ? parts.slice(2) : parts;
  if (resource.startsWith('selfsubject')) return undefined;
  const verb =
    method === 'GET'
      ? name !== undefined
        ? 'get'
        : isWatch(query)
          ? 'watch'
          : 'list'
      : method === 'DELETE'
        ? name === undefined
          ? 'deletecollection'
          : 'delete'
        : verbs[method];
  return {verb, group, resource, subresource, namespace};
}

function isNamespacePart(part: string | undefined): boolean {
  return part === 'status' || part === 'finalize';
}

function isWatch(query: RequestOptions['query']): boolean {
  const watch = (query as Record<string, unknown> | undefined)?.watch;
  return watch === true || watch === 'true' || watch === '1' || watch === 1;
}

export class UsedRights {
  readonly #metrics: Metrics;
  readonly #namespaces = new Map<string, Set<string>>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Wraps the wire. `find` finds the resource of an owner. */
  around(wire: Wire, find: (kind: KindRef) => Promise<Resource>): Wire {
    const request = async <T>(options: RequestOptions) => {
      const right = rightOf(options);
      if (right) this.#count(right);
      const answer = await wire.request<T>(options);
      if (right && options.method !== undefined && options.method !== 'GET') {
        // A server-side apply of a missing object needs the right to create it.
        if (options.method === 'PATCH' && answer.code === 201) this.#count({...right, verb: 'create'});
        this.#countOwners(answer.body, find);
      }
      return answer;
    };
    return {
      server: wire.server,
      readOnly: wire.readOnly,
      clock: wire.clock,
      request,
      stream: options => {
        const right = rightOf(options);
        if (right) this.#count(right);
        return wire.stream(options);
      },
      close: () => wire.close(),
    };
  }

  /** An owner reference with blockOwnerDeletion needs `update` of the owner's finalizers, where a plugin checks it. */
  #countOwners(object: unknown, find: (kind: KindRef) => Promise<Resource>): void {
    if (!isRecord(object) || !isRecord(object.metadata)) return;
    const {ownerReferences, namespace = ''} = (object as KubeObject).metadata;
    for (const {apiVersion, kind, blockOwnerDeletion} of ownerReferences ?? []) {
      if (blockOwnerDeletion !== true) continue;
      void find({apiVersion, kind}).then(
        ({group, plural, namespaced}) =>
          this.#count({
            verb: 'update',
            group,
            resource: plural,
            subresource: 'finalizers',
            namespace: namespaced ? namespace : '',
          }),
        () => {},
      );
    }
  }

  #count(right: UsedRight): void {
    const {verb, group, resource, subresource, namespace} = right;
    const id = `${verb} ${group} ${resource} ${subresource}`;
    let known = this.#namespaces.get(id);
    if (!known) {
      known = new Set();
      this.#namespaces.set(id, known);
    }
    const isNew = !known.has(namespace);
    if (isNew && known.size < mostNamespaces) known.add(namespace);
    const place = known.has(namespace) ? namespace : manyNamespaces;
    const {usedRights} = this.#metrics;
    this.#metrics.count(usedRights, {verb, group, resource, subresource, namespace: place});
  }
}
