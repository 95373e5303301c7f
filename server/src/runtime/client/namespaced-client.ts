// A client for one namespace. It adds the namespace where it is missing and refuses other namespaces.

import type {KubeObject} from '../../kube/object.ts';
import {type KindRef, kindOf} from '../scheme/kind.ts';
import type {Client, SubResourceClient} from './client.ts';

/** Reads and writes of namespaced kinds use `namespace`. Cluster-scoped kinds do not change. */
export function namespaced(client: Client, namespace: string): Client {
  const place = async (kind: KindRef, given: string | undefined, name = ''): Promise<string | undefined> => {
    const resource = await client.mapper.resource(kind);
    if (!resource.namespaced) return undefined;
    if (given && given !== namespace)
      throw new Error(
        `namespace ${given} provided for the object ${name} does not match the namespace ${namespace} on the client`,
      );
    return namespace;
  };
  const placed = async <T extends KubeObject>(object: T): Promise<T> => {
    const there = await place(kindOf(object), object.metadata.namespace, object.metadata.name);
    if (!there || object.metadata.namespace === there) return object;
    if (Object.isFrozen(object)) return {...object, metadata: {...object.metadata, namespace: there}};
    object.metadata.namespace = there;
    return object;
  };
  const sub = (of: SubResourceClient): SubResourceClient => ({
    get: async (object, options) => of.get(await placed(object), options),
    create: async (object, body, options) => of.create(await placed(object), body, options),
    update: async (object: KubeObject, options: object = {}) =>
      of.update(await placed(object), options as never) as never,
    patch: async (object, patch, options) => of.patch(await placed(object), patch, options),
    apply: async (object, options) => (await of.apply(await placed(object as KubeObject), options)) as never,
  });
  const reader = (of: Client['apiReader']): Client['apiReader'] => ({
    get: async (kind, key, options) =>
      of.get(kind, {...key, namespace: await place(kind, key.namespace, key.name)}, options),
    list: async (kind, options = {}) =>
      of.list(kind, {...options, namespace: await place(kind, options.namespace)}),
  });
  return {
    ...reader(client),
    apiReader: reader(client.apiReader),
    mapper: client.mapper,
    create: async (object, options) =>
      (await client.create(await placed<KubeObject>(object as never), options)) as never,
    update: async (object, options) =>
      (await client.update(await placed<KubeObject>(object as never), options)) as never,
    patch: async (object, patch, options) => client.patch(await placed(object), patch, options),
    apply: async (object, options) =>
      (await client.apply(await placed(object as KubeObject), options)) as never,
    delete: async (object, options) => client.delete(await placed(object), options),
    deleteAllOf: async (kind, options = {}) =>
      client.deleteAllOf(kind, {...options, namespace: await place(kind, options.namespace)}),
    status: () => sub(client.status()),
    subResource: name => sub(client.subResource(name)),
    with: options => namespaced(client.with(options), namespace),
  };
}
