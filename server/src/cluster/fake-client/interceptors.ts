// Functions of a test that stand between the tested code and the client, to fail, delay or count calls.

import type {DeleteOptions} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {GetOptions, ListOptions, ObjectList} from '../../runtime/cache/cache.ts';
import type {
  ApplyOptions,
  Client,
  DeleteAllOptions,
  NamedObject,
  SubResourceClient,
  WriteOptions,
} from '../../runtime/client/client.ts';
import type {Patch} from '../../runtime/client/patch.ts';
import type {Kind, ObjectKey} from '../../runtime/scheme/kind.ts';

/** Each function receives the client below it and the arguments of the call. Absent: the call passes. */
export interface Interceptors {
  get?(client: Client, kind: Kind, key: ObjectKey, options?: GetOptions): Promise<KubeObject>;
  list?(client: Client, kind: Kind, options?: ListOptions): Promise<ObjectList>;
  create?(client: Client, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  update?(client: Client, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  patch?(
    client: Client,
    object: KubeObject,
    patch: Patch<KubeObject>,
    options?: ApplyOptions,
  ): Promise<KubeObject>;
  apply?(client: Client, object: KubeObject, options?: ApplyOptions): Promise<KubeObject>;
  delete?(client: Client, object: NamedObject, options?: DeleteOptions): Promise<void>;
  deleteAllOf?(client: Client, kind: Kind, options?: DeleteAllOptions): Promise<void>;
  /** Calls of `status()` and `subResource(name)`. `call` repeats the call on the client below. */
  subResource?(
    name: string,
    verb: keyof SubResourceClient,
    object: NamedObject,
    call: () => Promise<KubeObject>,
  ): Promise<KubeObject>;
}

/** Puts the interceptors before a client. */
export function intercept(client: Client, interceptors: Interceptors): Client {
  type Call = (...args: unknown[]) => Promise<never>;
  const through = (verb: Exclude<keyof Interceptors, 'subResource'>): Call => {
    const own = interceptors[verb] as ((below: Client, ...args: unknown[]) => Promise<never>) | undefined;
    const below = client[verb].bind(client) as Call;
    return own ? (...args) => own(client, ...args) : below;
  };
  const subResource = (name: string): SubResourceClient => {
    const below = client.subResource(name);
    const {subResource: own} = interceptors;
    if (!own) return below;
    const call =
      (verb: keyof SubResourceClient) => (object: NamedObject, rest?: unknown, options?: unknown) =>
        own(name, verb, object, () => (below[verb] as Call)(object, rest, options)) as never;
    return {
      get: call('get'),
      create: call('create'),
      update: call('update'),
      patch: call('patch'),
      apply: call('apply') as never,
    };
  };
  return {
    get: through('get'),
    list: through('list'),
    create: through('create'),
    update: through('update'),
    patch: through('patch'),
    apply: through('apply'),
    delete: through('delete'),
    deleteAllOf: through('deleteAllOf'),
    apiReader: {get: through('get'), list: through('list')},
    mapper: client.mapper,
    status: () => subResource('status'),
    subResource,
    with: defaults => intercept(client.with(defaults), interceptors),
  };
}
