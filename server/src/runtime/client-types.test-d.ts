// Types of reads and writes: the compiler is the test. `npm run check` compiles this file.
import {expectTypeOf, test} from 'vitest';
import {
  type Client,
  ConfigMap,
  createOrUpdate,
  Deployment,
  defineResource,
  type InputOf,
  type KubeObject,
  kind,
  type ObjectOf,
  type types,
  type Unnamed,
  z,
} from './index.ts';

declare const client: Client;
declare const deployment: types.Deployment;
const websites = defineResource({
  group: 'example.com',
  kind: 'Website',
  versions: {
    v1: {
      spec: z.object({html: z.string(), replicas: z.int().default(1)}),
      status: z.object({ready: z.boolean().optional()}),
      fields: {note: z.string()},
    },
  },
});
type Website = ObjectOf<typeof websites.kinds.v1>;
declare const website: Website;

test('reads infer from the kind', () => {
  expectTypeOf(client.get(Deployment, {name: 'a'})).resolves.toEqualTypeOf<types.Deployment>();
  expectTypeOf(client.list(ConfigMap).then(list => list.items)).resolves.toEqualTypeOf<types.ConfigMap[]>();
  expectTypeOf(client.get(websites.kinds.v1, {name: 'a'})).resolves.toEqualTypeOf<Website>();
  const autoscaler = kind('autoscaling/v2', 'HorizontalPodAutoscaler');
  expectTypeOf<ObjectOf<typeof autoscaler>>().toEqualTypeOf<types.HorizontalPodAutoscaler>();
  expectTypeOf(kind('example.com/v1', 'Widget')).toEqualTypeOf(kind<KubeObject>('example.com/v1', 'Widget'));
  // @ts-expect-error a misspelt built-in kind
  kind('apps/v1', 'Deploymnt');
});

test('objects have a name, literals and required fields', () => {
  expectTypeOf(deployment.metadata.name).toBeString();
  expectTypeOf(deployment.apiVersion).toEqualTypeOf<'apps/v1'>();
  expectTypeOf(deployment.kind).toEqualTypeOf<'Deployment'>();
  expectTypeOf(deployment.spec.template.spec.containers).toEqualTypeOf<types.Container[]>();
  expectTypeOf(deployment.spec.strategy?.rollingUpdate?.maxSurge).toEqualTypeOf<
    number | string | undefined
  >();
  expectTypeOf(website.apiVersion).toEqualTypeOf<'example.com/v1'>();
  expectTypeOf(website.kind).toEqualTypeOf<'Website'>();
  expectTypeOf(website.spec.replicas).toBeNumber();
  expectTypeOf(website.note).toEqualTypeOf<string | undefined>();
  expectTypeOf<InputOf<typeof websites, 'v1'>['spec']['replicas']>().toEqualTypeOf<number | undefined>();
  // @ts-expect-error a field that the kind does not have
  deployment.sepc;
  // @ts-expect-error a field that the resource does not have
  website.sepc;
});

test('writes check built-in kinds by apiVersion and kind', () => {
  const metadata = {namespace: 'a', name: 'b'};
  const spec = {selector: {}, template: {spec: {containers: [{name: 'c'}]}}};
  const whole = client.create({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec});
  expectTypeOf(whole).resolves.toEqualTypeOf<types.Deployment>();
  expectTypeOf(client.update(deployment)).resolves.toEqualTypeOf<types.Deployment>();
  expectTypeOf(client.update(website)).resolves.toEqualTypeOf<Website>();
  expectTypeOf(client.status().update(website)).resolves.toEqualTypeOf<Website>();
  expectTypeOf(client.apply(website)).resolves.toEqualTypeOf<Website>();
  // Server-side apply takes some of the fields.
  const some = client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {replicas: 3}});
  expectTypeOf(some).resolves.toEqualTypeOf<types.Deployment>();
  client.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {generateName: 'a-'},
    spec: {template: spec.template},
  });
  client.create({apiVersion: 'example.com/v1', kind: 'Widget', metadata, anything: 1});
  createOrUpdate(client, {apiVersion: 'v1', kind: 'ConfigMap', metadata}, object => {
    expectTypeOf(object).toEqualTypeOf<types.ConfigMap>();
  });
  const unnamed: Unnamed<types.ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {generateName: 'a-'},
  };
  client.create(unnamed);
  client.create<KubeObject>({apiVersion: 'apps/v1', kind: 'Deployment', metadata, future: true});
});

test('writes refuse what the server would refuse', () => {
  const metadata = {namespace: 'a', name: 'b'};
  // @ts-expect-error a misspelt kind
  client.apply({apiVersion: 'apps/v1', kind: 'Deploymnt', metadata});
  // @ts-expect-error a misspelt field of metadata
  client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'b', lables: {}}});
  // @ts-expect-error a misspelt field
  client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {replicass: 3}});
  // @ts-expect-error a wrong type
  client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {replicas: 'three'}});
  // @ts-expect-error no name
  client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}});
  // @ts-expect-error a spec without its required fields
  client.create({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {replicas: 3}});
  // @ts-expect-error a value that the field does not allow
  client.apply({apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {strategy: {type: 'Fast'}}});
  // @ts-expect-error an object without its template
  const incomplete: types.Deployment = {apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {}};
  expectTypeOf(incomplete).toBeObject();
});
