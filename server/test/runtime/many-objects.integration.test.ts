// A controller while many objects come: none is missed, and the cache ends up as the server is.
import {expect, test} from 'vitest';
import {startCluster} from '../../src/cluster/start.ts';
import {ConfigMap, controllerFor, createManager, silentLogger} from '../../src/runtime/index.ts';
import {eventually} from '../manual-clock.ts';

const MANY = 10_000;
/** Creates that are under way at once. */
const TOGETHER = 50;

test(`[139] of ${MANY} objects that come one after the other each is reconciled, and the cache equals the server`, async () => {
  const cluster = await startCluster({shop: false, pace: 0, controllers: false});
  const manager = await createManager({
    transport: cluster.wire,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    gracefulShutdownTimeout: 0,
    report: false,
  });
  const {client} = manager;
  const reconciled = new Set<string>();
  controllerFor(manager)
    .for(ConfigMap)
    .complete(({name}) => void reconciled.add(name));
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  try {
    await manager.elected;
    let next = 0;
    const creator = async () => {
      while (next < MANY)
        await client.create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {namespace: 'default', name: `m-${next++}`},
        });
    };
    await Promise.all(Array.from({length: TOGETHER}, creator));
    const ours = () => [...reconciled].filter(name => name.startsWith('m-'));
    await eventually('every one of them', () => ours().length >= MANY, {every: 20, limit: 60_000});
    const versions = async (reader: Pick<typeof client, 'list'>) => {
      const {items} = await reader.list(ConfigMap, {namespace: 'default'});
      return items.map(({metadata}) => `${metadata.name} ${metadata.resourceVersion}`).sort();
    };
    expect(await versions(client)).toEqual(await versions(manager.apiReader as typeof client));
  } finally {
    stop.abort();
    await ended;
    await cluster.stop();
  }
});
