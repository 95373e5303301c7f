// krtscope as a user starts it, with an OTLP endpoint: one write to the demo is one trace.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {TestInstance} from '../start/testing-instance.ts';
import {OtlpReceiver, type ReceivedSpan} from './testing-otlp-receiver.ts';

let receiver: OtlpReceiver;
let instance: TestInstance;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0', '--no-open'], {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_BSP_MAX_QUEUE_SIZE: '20000',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  });
  await instance.ready();
});

afterAll(async () => {
  await instance.stop();
  await receiver.stop();
});

async function until<T>(get: () => T | undefined, found: () => readonly ReceivedSpan[]): Promise<T> {
  const end = Date.now() + 30_000;
  for (;;) {
    const value = get();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`never; spans: ${[...new Set(found().map(({name}) => name))]}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function scale(name: string, replicas: number): Promise<string> {
  const kubeconfig = /its kubeconfig is (\S+)/.exec(instance.stdout)?.[1] as string;
  const config = readKubeconfig([kubeconfig]);
  const client = connect({config, context: config.currentContext ?? '', readOnly: false});
  const written = await client.transport.request({
    method: 'PATCH',
    path: `/apis/apps/v1/namespaces/shop/deployments/${name}`,
    query: {fieldManager: 'kubectl-scale'},
    contentType: 'application/merge-patch+json',
    body: {spec: {replicas}},
  });
  client.transport.close();
  return (written.body as {metadata: {resourceVersion: string}}).metadata.resourceVersion;
}

/** The span of the batch of this write. */
const spanOf = (resourceVersion: string) =>
  until(
    () =>
      receiver.spans.find(
        ({attributes}) =>
          attributes['krt.collection'] === 'Deployments' &&
          attributes['krt.resource_version'] === resourceVersion,
      ),
    () => receiver.spans,
  );

const names = (spans: readonly ReceivedSpan[], start: string) =>
  new Set(spans.filter(({name}) => name.startsWith(start)).map(({name}) => name));

const collections = (spans: readonly ReceivedSpan[]) =>
  new Set(spans.flatMap(({attributes}) => attributes['krt.collection'] ?? []));

test('one write through two controllers and six collections is one trace', async () => {
  const root = await spanOf(await scale('cart', 4));
  expect(root.parentSpanId).toBe('');
  expect(root.attributes).toMatchObject({'krt.input': 'shop/cart', 'krt.writer': 'kubectl-scale'});
  expect(root.resource).toMatchObject({
    'service.name': 'krtscope',
    'deployment.environment.name': 'test',
  });
  const ofTrace = () => receiver.spans.filter(({traceId}) => traceId === root.traceId);
  const spans = await until(() => {
    const all = ofTrace();
    const enough = names(all, 'reconcile ').size >= 2 && collections(all).size >= 6;
    return enough ? all : undefined;
  }, ofTrace);
  // Every span but the write itself has its parent in the same trace.
  const ids = new Set(spans.map(({spanId}) => spanId));
  expect(spans.filter(one => !ids.has(one.parentSpanId)).map(({name}) => name)).toEqual([root.name]);
  const run = spans.find(({name}) => name.startsWith('run ')) as ReceivedSpan;
  expect(Object.keys(run.attributes)).toEqual(
    expect.arrayContaining(['krt.collection', 'krt.input', 'krt.outcome', 'krt.cause']),
  );
  expect(spans.some(({name, links}) => name.startsWith('run ') && links.length > 0)).toBe(true);
  // An API call is a child of its reconcile, and what it wrote comes back as a batch below it.
  const create = spans.find(({name}) => name === 'create Pod') as ReceivedSpan;
  expect(create.kind).toBe(3);
  expect(spans.find(({spanId}) => spanId === create.parentSpanId)?.name).toMatch(/^reconcile /);
  expect(spans.some(({name, parentSpanId}) => name === 'add Pods' && parentSpanId === create.spanId)).toBe(
    true,
  );
  for (const {start, end} of spans) expect(end).toBeGreaterThanOrEqual(start);
  expect(receiver.requests.every(({path: asked}) => asked === '/v1/traces')).toBe(true);
});

test('a receiver that refuses everything stops nothing, and later traces arrive', async () => {
  receiver.status = 503;
  const asked = receiver.requests.length;
  await scale('cart', 2);
  await until(
    () => (receiver.requests.length > asked ? true : undefined),
    () => [],
  );
  expect((await instance.get('/readyz')).status).toBe(200);
  // What was refused is dropped, and later traces arrive.
  receiver.status = 200;
  await spanOf(await scale('cart', 3));
});
