// Objects for random edits in a cluster that has none: Deployments, which make ReplicaSets and Pods, and what selects them.
import type {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import {type Resource, resources} from '../../src/kube/resource.ts';

const APPS = ['web', 'redis', 'catalog', 'cart', 'api', 'search'];

/** Creates what is missing. */
export async function populate(client: DynamicClient): Promise<void> {
  for (const name of ['shop', 'data'])
    await apply(client, resources.Namespaces, {apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
  for (const [at, app] of APPS.entries()) {
    const metadata = {name: app, namespace: at % 2 === 0 ? 'shop' : 'data'};
    await apply(client, resources.ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: {app},
    });
    await apply(client, resources.Services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {selector: {app}, ports: [{port: 80, name: 'http'}]},
    });
    await apply(client, resources.Deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: 2,
        selector: {matchLabels: {app}},
        template: {metadata: {labels: {app}}, spec: {containers: [{name: app, image: `${app}:1`}]}},
      },
    });
  }
}

async function apply(
  client: DynamicClient,
  resource: Resource,
  object: {
    apiVersion: string;
    kind: string;
    metadata: {name: string; namespace?: string};
    [field: string]: unknown;
  },
): Promise<void> {
  await client.patch(resource, object.metadata, object, {
    type: 'apply',
    fieldManager: 'kubectl',
    force: true,
  });
}
