// An operator whose one object goes through all results of a run, on its own cluster. It reports to the
// krtscope of KRTSCOPE_URL, holds a Lease, and ends with its parent process.
import {startCluster} from '../../src/cluster/start.ts';
import {
  ConfigMap,
  controllerFor,
  createManager,
  type ReconcileContext,
  type Result,
  Secret,
  setControllerReference,
  silentLogger,
  TerminalError,
} from '../../src/runtime/index.ts';
import {Program} from '../../src/runtime/report/program.ts';

const program = new Program({name: 'operator', retry: 100});
const cluster = await startCluster({shop: false, pace: 0, controllers: false});
const manager = await createManager({
  transport: cluster.wire,
  log: silentLogger,
  metrics: {bindAddress: '0'},
  leaderElection: {id: 'operator', namespace: 'default', identity: 'here', leaseDuration: 40_000},
  report: program,
});
const {client} = manager;

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {namespace: 'default', name: 'all'},
  data: {wanted: 'yes'},
};

async function makeSecret(): Promise<Result> {
  const secret = {apiVersion: 'v1', kind: 'Secret', metadata: {namespace: 'default', name: 'made'}};
  setControllerReference(await client.get(ConfigMap, {namespace: 'default', name: 'all'}), secret);
  await client.create(secret);
  return {};
}

/** One per run. */
const ends: ((context: ReconcileContext) => Promise<Result>)[] = [
  async () => {
    throw new Error('the order has not come yet');
  },
  async () => ({requeue: true}),
  async ({signal}) => {
    await new Promise(resolve => signal.addEventListener('abort', resolve, {once: true}));
    throw signal.reason;
  },
  async () => (undefined as unknown as {spec: Result}).spec,
  async () => ({requeueAfter: 50}),
  makeSecret,
  async () => {
    throw new TerminalError('this engine does not exist');
  },
];

let run = 0;
controllerFor(manager)
  .for(ConfigMap)
  .owns(Secret)
  .named('orders')
  .withOptions({reconciliationTimeout: 200})
  .complete(async ({name}, context) => (name === 'all' ? (ends[run++]?.(context) ?? {}) : {}));

process.on('disconnect', () => process.exit(0));
const running = manager.start(new AbortController().signal);
await manager.elected;
// Waits for the connection, because reports before it would be lost.
while (program.session === undefined) await new Promise(resolve => setTimeout(resolve, 20));
await client.create(object);
await running;
