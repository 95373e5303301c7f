// One of two processes that compete for a Lease. The leader writes as fast as the server answers.

import {tokenCredentials} from '../../src/kube/credentials/credentials.ts';
import {Transport} from '../../src/kube/transport/transport.ts';
import {createManager, silentLogger} from '../../src/runtime/index.ts';
import {EventLoopLag} from './event-loop-lag.ts';

const lag = new EventLoopLag();
setInterval(() => process.send?.({lag: lag.total}), 100).unref();

const [url = '', identity = '', times = '{}'] = process.argv.slice(2);

const manager = await createManager({
  transport: new Transport(tokenCredentials(url, 'anyone'), {readOnly: false}),
  leaderElection: {id: 'lock', namespace: 'default', identity, ...JSON.parse(times)},
  client: {fieldOwner: identity},
  log: silentLogger,
  metrics: {bindAddress: '0'},
  gracefulShutdownTimeout: 0,
  report: false,
});

manager.add(async signal => {
  for (let n = 0; !signal.aborted; n++) {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {namespace: 'default', name: 'work'},
      data: {by: identity, n: String(n)},
    };
    // A failed write is part of the test. Tries the next one.
    await manager.client.apply(object, {force: true}).catch(() => {});
    await new Promise(resolve => setTimeout(resolve, 2));
  }
});

// Ends with the process that started it.
process.on('disconnect', () => process.exit(1));

try {
  await manager.start(new AbortController().signal);
} catch (error) {
  process.send?.((error as Error).message);
}
process.exit(0);
