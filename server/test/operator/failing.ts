// An operator with controllers that fail, loop and conflict, and two whose attempts cause each other, on its own
// cluster. It reports to the krtscope of KRTSCOPE_URL and ends with its parent process.
import {startCluster} from '../../src/cluster/start.ts';
import {ConfigMap, controllerFor, createManager, Secret, silentLogger} from '../../src/runtime/index.ts';
import {Program} from '../../src/runtime/report/program.ts';

const program = new Program({name: 'failing', retry: 100});
const cluster = await startCluster({shop: false, pace: 0, controllers: false});
const manager = await createManager({
  transport: cluster.wire,
  log: silentLogger,
  metrics: {bindAddress: '0'},
  report: program,
});
const {client} = manager;
const of = (name: string) => ({namespace: 'default', name});
const map = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: of(name),
  data: {step: '0'},
});

controllerFor(manager)
  .for(ConfigMap)
  .named('buckets')
  .complete(async ({name}) => {
    if (name === 'bucket') throw new Error('no such bucket: check the name in the ConfigMap');
    return {};
  });

// Each of its writes starts it again.
let steps = 0;
controllerFor(manager)
  .for(ConfigMap)
  .named('clocks')
  .complete(async ({name}) => {
    if (name !== 'clock' || steps >= 90) return {};
    const read = await client.get(ConfigMap, of('clock'));
    await client.update({...read, data: {step: String(++steps)}}).catch(() => {});
    return {};
  });

// It writes with the version of an object that another client has changed.
let tries = 0;
controllerFor(manager)
  .for(ConfigMap)
  .named('counters')
  .complete(async ({name}) => {
    if (name !== 'counter' || ++tries > 4) return {};
    const read = await client.get(ConfigMap, of('counter'));
    await client.update({...read, metadata: {...read.metadata, resourceVersion: '1'}}).catch(() => {});
    return {requeueAfter: 20};
  });

// The first writes a Secret, which wakes the second.
controllerFor(manager)
  .for(ConfigMap)
  .named('issuers')
  .complete(async ({name}) => {
    if (name !== 'issuer') return {};
    await client.create({apiVersion: 'v1', kind: 'Secret', metadata: of('issued')}).catch(() => {});
    return {};
  });
controllerFor(manager)
  .for(Secret)
  .named('secrets')
  .complete(async () => ({}));

process.on('disconnect', () => process.exit(0));
const running = manager.start(new AbortController().signal);
// Waits for the connection, because reports before it would be lost.
while (program.session === undefined) await new Promise(resolve => setTimeout(resolve, 20));
for (const name of ['bucket', 'clock', 'counter', 'issuer']) await client.create(map(name));
await running;
