// The cache of controllers behind a proxy that drops an event and keeps the watch alive.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../src/cluster/start.ts';
import {DynamicClient} from '../src/kube/client/dynamic-client.ts';
import {tokenCredentials} from '../src/kube/credentials/credentials.ts';
import {resources} from '../src/kube/resource.ts';
import {Transport} from '../src/kube/transport/transport.ts';
import {InformerCache} from '../src/runtime/cache/informer-cache.ts';
import {ConfigMap} from '../src/runtime/scheme/built-in-kinds.ts';
import {Mapper} from '../src/runtime/scheme/mapper.ts';
import {FaultProxy} from './fault-proxy.ts';
import {eventually} from './manual-clock.ts';

let cluster: EmbeddedCluster;
let proxy: FaultProxy;

beforeAll(async () => {
  cluster = await startCluster({shop: false, pace: 0, controllers: false});
  proxy = new FaultProxy(cluster);
  await proxy.start();
});

afterAll(async () => {
  await proxy.close();
  await cluster.stop();
});

test('an event that a proxy drops is found by the next comparison, repaired, reported, and reaches the handlers', async () => {
  const transport = new Transport(tokenCredentials(proxy.url, 'any'));
  const writing = new Transport(tokenCredentials(proxy.url, 'any'), {readOnly: false});
  const writer = new DynamicClient(writing);
  const object = {metadata: {name: 'settings', namespace: 'default'}, data: {text: 'old'}};
  await writer.create(resources.ConfigMaps, object);
  let lies = false;
  proxy.rules = [
    ({watch}) => {
      const line = (text: string) => (lies && !text.includes('BOOKMARK') ? '' : `${text}\n`);
      return watch ? {kind: 'edit', line} : undefined;
    },
  ];
  const problems: string[] = [];
  const handled: string[] = [];
  const stop = new AbortController();
  const cache = new InformerCache({
    client: new DynamicClient(transport),
    mapper: new Mapper(transport),
    onProblem: problem => problems.push(problem),
  });
  const running = cache.start(stop.signal);
  const informer = await cache.informer(ConfigMap);
  informer.addHandler({
    onChange: change => {
      if (change.event === 'update')
        handled.push(String((change.new as {data?: {text?: string}}).data?.text));
    },
  });
  const text = async () => (await cache.get(ConfigMap, {namespace: 'default', name: 'settings'})).data?.text;
  await eventually('a watch is open', () => proxy.watches > 0);
  lies = true;
  await writer.patch(resources.ConfigMaps, object.metadata, {data: {text: 'new'}}, {type: 'merge'});
  expect(await text()).toBe('old');
  lies = false;

  // The schedule calls this every ten minutes.
  await cache.auditAll();
  await eventually('the cache is repaired', async () => (await text()) === 'new');
  await eventually('reported', () => problems.some(problem => /missed 1 event; repaired/.test(problem)));
  expect(handled).toContain('new');
  stop.abort();
  await running;
  await transport.close();
  await writing.close();
});
