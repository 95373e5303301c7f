// The API server goes away and comes back, on a clock that the test moves: what the watches, the controller and the
// lease make of it.
import {Readable} from 'node:stream';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../../src/cluster/start.ts';
import {ConnectionError} from '../../src/kube/error.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import type {Wire} from '../../src/kube/transport/transport.ts';
import {
  ConfigMap,
  controllerFor,
  createManager,
  type Manager,
  Secret,
  silentLogger,
} from '../../src/runtime/index.ts';
import {eventually, ManualClock} from '../manual-clock.ts';

const namespace = 'default';
const MANY = 40;

/** The server behind a door: while it is shut nobody gets in, and who was inside is thrown out. */
class Door {
  shut = false;
  readonly log: string[] = [];
  /** Requests that are inside. */
  pending = 0;
  readonly wire: Wire;
  readonly #streams = new Set<Readable>();

  constructor(inner: Wire, clock: ManualClock) {
    this.wire = {
      server: inner.server,
      readOnly: false,
      clock,
      request: async options => {
        this.#pass(`${options.method ?? 'GET'} ${options.path}`, 'request');
        return this.#inside(inner.request(options));
      },
      stream: async options => {
        this.#pass(`WATCH ${options.path}`, 'watch-start');
        const answer = await this.#inside(inner.stream(options));
        const body = Readable.from(answer.body, {objectMode: false});
        body.on('close', () => answer.body.destroy());
        this.#streams.add(body);
        return {...answer, body};
      },
      close: () => inner.close(),
    };
  }

  close(): void {
    this.shut = true;
    for (const stream of this.#streams) stream.destroy(new ConnectionError('reset', 'watch', 'reset'));
    this.#streams.clear();
  }

  async #inside<T>(answer: Promise<T>): Promise<T> {
    this.pending++;
    try {
      return await answer;
    } finally {
      this.pending--;
    }
  }

  #pass(request: string, stage: ConnectionError['stage']): void {
    this.log.push(request);
    if (this.shut) throw new ConnectionError('refused', stage, 'connect ECONNREFUSED');
  }
}

let cluster: EmbeddedCluster;
let door: Door;
let clock: ManualClock;
let manager: Manager;
let runs: string[];
let ended: Promise<string>;
let stopping: AbortController;

const map = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {namespace, name},
  data,
});

/** Lets time go by, in steps after each of which everything that was asked is answered. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    clock.advance(Math.min(250, left));
    for (let quiet = 0; quiet < 6; quiet = door.pending > 0 ? 0 : quiet + 1)
      await new Promise(resolve => setImmediate(resolve));
  }
}

beforeEach(async () => {
  cluster = await startCluster({shop: false, pace: 0, controllers: false});
  for (let n = 0; n < MANY; n++)
    await cluster.wire.request({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: map(`m-${n}`),
    });
  clock = new ManualClock();
  door = new Door(cluster.wire, clock);
  manager = await createManager({
    transport: door.wire,
    clock,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    leaderElection: {id: 'lock', namespace, identity: 'a'},
    gracefulShutdownTimeout: 0,
    report: false,
  });
  runs = [];
  controllerFor(manager)
    .for(ConfigMap)
    .watches(Secret, {name: 'none', create() {}, update() {}, delete() {}, generic() {}})
    .complete(({name}) => void runs.push(name));
  stopping = new AbortController();
  ended = manager.start(stopping.signal).then(
    () => 'stopped',
    error => (error as Error).message,
  );
  await eventually(
    'everything was reconciled',
    () => runs.filter(name => name.startsWith('m-')).length === MANY,
  );
  runs.length = 0;
});

afterEach(async () => {
  stopping.abort();
  await ended;
  await cluster.stop();
});

test('[140] [120] a server that is away for longer than renewals are tried costs the lease', async () => {
  await pass(5000);
  door.close();
  // The last renewal may be a retryPeriod old when it goes.
  await pass(9500);
  expect(manager.leading).toBe(true);
  await pass(3000);
  expect(await ended).toBe('leader election lost');
});

test('[140] [121] eight seconds without a server: watches go on, only what changed is reconciled, the leader leads on', async () => {
  await pass(5000);
  const {wire} = cluster;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  door.close();
  door.log.length = 0;
  await pass(1000);
  await wire.request({method: 'POST', path, body: map('new')});
  await wire.request({method: 'PUT', path: `${path}/m-1`, body: map('m-1', {changed: 'yes'})});
  await wire.request({method: 'DELETE', path: `${path}/m-2`});
  await pass(7000);
  expect(runs, 'nothing is known yet').toEqual([]);
  door.shut = false;
  // A watch waits a few seconds before it tries again.
  for (let waited = 0; waited < 30 && runs.length < 3; waited++) await pass(1000);
  await pass(30_000);
  expect([...runs].sort(), 'each change once, and nothing else').toEqual(['m-1', 'm-2', 'new']);
  const cached = await manager.client.list(ConfigMap, {namespace});
  const live = await manager.apiReader.list(ConfigMap, {namespace});
  const versions = (items: readonly KubeObject[]) =>
    items.map(({metadata}) => `${metadata.name} ${metadata.resourceVersion}`).sort();
  expect(versions(cached.items)).toEqual(versions(live.items));
  for (const resource of ['configmaps', 'secrets'])
    expect(
      door.log.some(line => line.startsWith('WATCH') && line.endsWith(`/${resource}`)),
      resource,
    ).toBe(true);
  expect(manager.leading).toBe(true);
  await cluster.wire.request({method: 'PUT', path: `${path}/m-3`, body: map('m-3', {live: 'yes'})});
  await eventually('and live again', () => runs.includes('m-3'), {between: () => clock.advance(10)});
});
