// One candidate of the pause test: while it leads, eight writers write as fast as the server answers.
import {createManager, silentLogger} from '../../src/runtime/index.ts';

const WRITERS = 8;
const [kubeconfig = '', identity = '', times = '{}'] = process.argv.slice(2);

const manager = await createManager({
  kubeconfig,
  leaderElection: {id: 'pause-lock', namespace: 'default', identity, ...JSON.parse(times)},
  client: {fieldOwner: 'writer'},
  log: silentLogger,
  metrics: {bindAddress: '0'},
  gracefulShutdownTimeout: 0,
  report: false,
});

manager.add(async signal => {
  const write = async (writer: number) => {
    for (let n = 0; !signal.aborted; n++) {
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {namespace: 'default', name: `pause-work-${writer}`},
        data: {by: identity, n: String(n)},
      };
      // A failed write is part of the test.
      await manager.client.apply(object, {force: true}).catch(() => new Promise(go => setTimeout(go, 5)));
    }
  };
  await Promise.all(Array.from({length: WRITERS}, (_, writer) => write(writer)));
});

// Ends with the process that started it.
process.on('disconnect', () => process.exit(1));
await manager.start(new AbortController().signal).catch(() => {});
process.exit(0);
