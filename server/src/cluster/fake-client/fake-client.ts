// A client for unit tests without a server. Its objects are in the storage of the embedded server, behind the
// same verbs, so resource versions, conflicts, finalizers, generations and status behave as in a cluster.

import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {Client} from '../../runtime/client/client.ts';
import {isAlreadyExists} from '../../runtime/client/error-checks.ts';
import {RuntimeClient} from '../../runtime/client/runtime-client.ts';
import {kindOf} from '../../runtime/scheme/kind.ts';
import {Mapper} from '../../runtime/scheme/mapper.ts';
import {Api} from '../api.ts';
import {type Definition, installDefinitions} from '../install-definitions.ts';
import {seedEmpty} from '../shop/seed.ts';
import {startSimulation} from '../simulation/simulation.ts';
import {LocalWire} from '../wire/local-wire.ts';
import {RbacAccess} from '../wire/rbac-access.ts';
import {type Interceptors, intercept} from './interceptors.ts';

export interface FakeClientOptions {
  /** CRDs of the objects. Takes what `startApiServer` takes. */
  definitions?: readonly Definition[] | undefined;
  interceptors?: Interceptors | undefined;
  /** Decides generated names and uids. Default: 1. */
  seed?: number | undefined;
  /** The time of written timestamps, in milliseconds since 1970. Default: Date.now. */
  now?: (() => number) | undefined;
  /** The field owner of writes that name none. Default: `fake-client`. */
  fieldOwner?: string | undefined;
}

const TOKEN = 'fake-client';

/** Namespaces of the objects are created. An object with a deletionTimestamp needs a finalizer. */
export async function fakeClient(
  objects: readonly KubeObject[] = [],
  options: FakeClientOptions = {},
): Promise<Client> {
  const {definitions = [], interceptors = {}, seed = 1, now, fieldOwner = 'fake-client'} = options;
  const api = new Api({seed, ...(now && {now})});
  seedEmpty(api);
  const access = new RbacAccess(api, TOKEN, 'nobody');
  const wire = new LocalWire(api, access, {token: TOKEN, userAgent: 'fake-client'});
  const dynamic = new DynamicClient(wire);
  // Serving CRDs is the only thing that happens by itself.
  const simulation = await startSimulation(api, {pace: 0, story: false, controllers: false, wire});
  if (definitions.length > 0) await installDefinitions(dynamic, definitions);
  await simulation.stop();
  const client = new RuntimeClient({client: dynamic, mapper: new Mapper(wire), fieldOwner});
  for (const object of objects) await addObject(client, object);
  return intercept(client, interceptors);
}

async function addObject(client: Client, object: KubeObject): Promise<void> {
  const {namespace, name, deletionTimestamp, finalizers = []} = object.metadata;
  if (deletionTimestamp && finalizers.length === 0)
    throw new TypeError(
      `${object.kind} ${name} has a deletionTimestamp and no finalizer; a cluster would have removed it`,
    );
  if (namespace && (await client.mapper.resource(kindOf(object))).namespaced)
    await createNamespace(client, namespace);
  const {uid: _, resourceVersion: __, deletionTimestamp: ___, ...metadata} = object.metadata;
  const created = await client.create<KubeObject>({...object, metadata});
  if (object.status !== undefined && created.status !== object.status)
    await client
      .status()
      .update<KubeObject>({...created, status: object.status})
      .catch(ignoreMissingStatus);
  if (deletionTimestamp) await client.delete(created);
}

/** Kinds without the status subresource keep their status at the creation. */
function ignoreMissingStatus(error: unknown): void {
  if ((error as {code?: number}).code !== 404) throw error;
}

async function createNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
