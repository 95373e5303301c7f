// Installs CRDs for a test and waits until the server serves every version of them.
import {parseAllDocuments} from 'yaml';
import type {DynamicClient} from '../kube/client/dynamic-client.ts';
import {sleep} from '../kube/clock.ts';
import {Discovery} from '../kube/discovery/discovery.ts';
import type {KubeObject} from '../kube/object.ts';
import {resources} from '../kube/resource.ts';

/** A CustomResourceDefinition, YAML with any number of them, or a resource made by `defineResource`. */
export type Definition = KubeObject | string | {definition(): KubeObject};

interface DefinitionSpec {
  group: string;
  names: {kind: string; plural: string};
  versions: {name: string; served: boolean}[];
}

const PATIENCE_MS = 10_000;
const EVERY_MS = 20;

export async function installDefinitions(
  client: DynamicClient,
  definitions: readonly Definition[],
): Promise<void> {
  const objects = definitions.flatMap(objectsOf);
  const resource = resources.CustomResourceDefinitions;
  for (const object of objects)
    await client.apply(resource, object, {fieldManager: 'krtscope-install', force: true});
  for (const object of objects) await waitUntilServed(client, object);
}

function objectsOf(definition: Definition): KubeObject[] {
  const all =
    typeof definition === 'string'
      ? parseAllDocuments(definition).map(document => document.toJS() as KubeObject | null)
      : [
          'definition' in definition && typeof definition.definition === 'function'
            ? definition.definition()
            : definition,
        ];
  return all.flatMap(object => {
    if (object === null) return [];
    const {kind} = object as KubeObject;
    if (kind !== 'CustomResourceDefinition')
      throw new Error(`a CustomResourceDefinition is wanted, not ${kind ?? 'an object without a kind'}`);
    return [object as KubeObject];
  });
}

/**
 * Waits for discovery and for the Established condition: between the two, the server still refuses objects.
 */
async function waitUntilServed(client: DynamicClient, {metadata, spec}: KubeObject): Promise<void> {
  const {group, names, versions} = spec as DefinitionSpec;
  const discovery = new Discovery(client.transport);
  const {clock} = client.transport;
  const until = clock.now() + PATIENCE_MS;
  for (;;) {
    const {status} = await client.get(resources.CustomResourceDefinitions, {name: metadata.name ?? ''});
    const {conditions: given} = (status ?? {}) as {
      conditions?: {type: string; status: string; message?: string}[] | null;
    };
    // The server sends null right after the definition was created.
    const conditions = given ?? [];
    discovery.forget();
    const {resources: served} = await discovery.served();
    const missing = versions.filter(
      version =>
        version.served &&
        !served.some(
          one => one.group === group && one.plural === names.plural && one.version === version.name,
        ),
    );
    if (missing.length === 0 && conditions.some(one => one.type === 'Established' && one.status === 'True'))
      return;
    if (clock.now() > until) {
      const why =
        conditions.find(one => one.status === 'False')?.message ??
        `${missing.map(one => one.name).join(', ')} missing`;
      throw new Error(`${metadata.name} is not served after ${PATIENCE_MS / 1000} s: ${why}`);
    }
    await sleep(clock, EVERY_MS);
  }
}
