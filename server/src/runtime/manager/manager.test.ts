import {describe, expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {controllerFor} from '../controller/controller-builder.ts';
import {rawSource} from '../controller/event-source.ts';
import {type LoggerLine, makeLogger} from '../log/logger.ts';
import {Pod} from '../scheme/built-in-kinds.ts';
import {TestWire} from '../testing-wire.ts';
import {createManager} from './create-manager.ts';
import type {Manager} from './manager.ts';
import type {ManagerOptions} from './manager-options.ts';
import type {Runnable, ServerRunnable} from './runnable.ts';

interface Rig {
  manager: Manager;
  clock: ManualClock;
  wire: TestWire;
  lines: LoggerLine[];
  happened: string[];
  stop: AbortController;
  /** A runnable that reports its start and end. */
  part(name: string, more?: Partial<Runnable & ServerRunnable> & {ends?: Promise<void>}): Runnable;
}

async function rig(options: ManagerOptions = {}): Promise<Rig> {
  const clock = new ManualClock();
  const wire = Object.assign(new TestWire(), {clock});
  const lines: LoggerLine[] = [];
  const happened: string[] = [];
  const manager = await createManager({
    transport: wire,
    clock,
    log: makeLogger(line => lines.push(line)),
    metrics: {bindAddress: '0'},
    report: false,
    ...options,
  });
  return {
    manager,
    clock,
    wire,
    lines,
    happened,
    stop: new AbortController(),
    part: (name, {ends, ...more} = {}) => ({
      async start(signal: AbortSignal) {
        happened.push(`${name} begins`);
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
        await ends;
        happened.push(`${name} ends`);
      },
      ...more,
    }),
  };
}

/** Another holder's lease, which a test may take over. */
function leaseIn(wire: TestWire): {holder: string} {
  const lease = {holder: 'other'};
  wire.answer = ({path, body}) => {
    if (!path.endsWith('/leases/lock')) return undefined;
    const spec = {holderIdentity: lease.holder, leaseDurationSeconds: 15, renewTime: 'now'};
    return body ?? {metadata: {name: 'lock', resourceVersion: '5'}, spec};
  };
  return lease;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve));
}

const outcome = (running: Promise<void>) =>
  running.then(
    () => 'ended',
    (error: Error) => error.message,
  );

test('[1] [9] groups start in order, each when the one before is ready, and stop in the opposite one', async () => {
  const {manager, part, happened, stop} = await rig();
  const http = Promise.withResolvers<void>();
  const synced = Promise.withResolvers<boolean>();
  manager.add(part('controller'));
  manager.add(part('other', {needLeaderElection: () => false}));
  manager.add(
    part('warm', {needLeaderElection: () => true, warmup: async () => void happened.push('warmup')}),
  );
  manager.add({...part('cluster'), cache: {waitForSync: () => synced.promise}} as Runnable);
  manager.add(part('webhooks', {serves: 'webhooks', ready: async () => {}}));
  manager.add(part('http', {serves: 'http', ready: () => http.promise}));
  const running = manager.start(stop.signal);
  await settle();
  expect(happened).toEqual(['http begins']);
  http.resolve();
  await settle();
  expect(happened).toEqual(['http begins', 'webhooks begins', 'cluster begins']);
  synced.resolve(true);
  await manager.elected;
  expect(happened.slice(3)).toEqual(['other begins', 'warmup', 'controller begins', 'warm begins']);
  happened.length = 0;
  stop.abort();
  await running;
  expect(happened).toEqual([
    'other ends',
    'controller ends',
    'warm ends',
    'cluster ends',
    'webhooks ends',
    'http ends',
  ]);
});

test('[3] what needs the lease is not started while another holds it', async () => {
  const {manager, part, happened, stop, wire} = await rig({
    leaderElection: {id: 'lock', namespace: 'default', identity: 'me'},
  });
  leaseIn(wire);
  manager.add(part('controller'));
  manager.add(async () => void happened.push('bare function'));
  manager.add(part('other', {needLeaderElection: () => false}));
  const running = manager.start(stop.signal);
  await settle();
  expect(happened).toEqual(['other begins']);
  expect(manager.leader).toMatchObject({leader: 'other', identity: 'me', leading: false});
  stop.abort();
  await running;
  expect(happened).toEqual(['other begins', 'other ends']);
});

test('who is elected while the manager stops begins nothing', async () => {
  const {manager, part, happened, stop, clock, wire} = await rig({
    leaderElection: {id: 'lock', namespace: 'default', identity: 'me'},
  });
  const lease = leaseIn(wire);
  const slow = Promise.withResolvers<void>();
  manager.add(part('controller'));
  manager.add(part('other', {needLeaderElection: () => false, ends: slow.promise}));
  const running = manager.start(stop.signal);
  await settle();
  stop.abort();
  await settle();
  lease.holder = '';
  for (let second = 0; second < 6; second++) {
    clock.advance(1000);
    await settle();
  }
  // It has the lease now and still ends.
  expect(manager.leader).toMatchObject({leader: 'me'});
  expect(manager.leading).toBe(false);
  slow.resolve();
  await running;
  expect(happened).toEqual(['other begins', 'other ends']);
});

describe('warm-up', () => {
  const patient = {timeout: 20_000};

  async function standby(enableWarmup: boolean) {
    const made = await rig({
      leaderElection: {id: 'lock', namespace: 'default', identity: 'me'},
      cache: {streaming: false},
    });
    const {manager, wire, clock} = made;
    const lease = leaseIn(wire);
    const metadata = {namespace: 'default', uid: 'a', resourceVersion: '1'};
    wire.put('/api/v1/pods', {apiVersion: 'v1', kind: 'Pod', metadata: {...metadata, name: 'a'}});
    const runs: string[] = [];
    const controller = controllerFor(manager)
      .for(Pod)
      .watchesRaw(rawSource('later', enqueue => enqueue({name: 'later'}, {after: 3_600_000})))
      .withOptions({enableWarmup})
      .complete(({name}) => void runs.push(name));
    const running = manager.start(made.stop.signal);
    await settle();
    const win = async () => {
      lease.holder = '';
      for (let second = 0; second < 6 && !manager.leading; second++) {
        clock.advance(1000);
        await settle();
      }
    };
    return {...made, controller, running, runs, win};
  }

  test('watches before it leads and runs when it does; without it both begin then', async () => {
    for (const enableWarmup of [true, false]) {
      const {controller, running, runs, win, wire, stop} = await standby(enableWarmup);
      const lists = () => wire.log.filter(line => line.startsWith('GET /api/v1/pods')).length;
      await expect
        .poll(() => controller.view().ready.map(({key}) => key), patient)
        .toEqual(enableWarmup ? ['default/a'] : []);
      expect(lists()).toBe(enableWarmup ? 1 : 0);
      expect(controller.view().state).toBe('waiting');
      expect(runs).toEqual([]);
      await win();
      await expect.poll(() => runs, patient).toEqual(['a']);
      expect(lists()).toBe(1);
      stop.abort();
      await running;
      expect(controller.view().state).toBe('stopped');
    }
  });

  test('one that never led leaves nothing waiting', async () => {
    const {controller, running, runs, stop, clock} = await standby(true);
    await expect.poll(() => controller.view().ready, patient).toHaveLength(1);
    expect(controller.view().delayed.map(({key}) => key)).toEqual(['later']);
    stop.abort();
    await running;
    expect(controller.view()).toMatchObject({ready: [], delayed: []});
    expect(clock.waits()).toEqual([]);
    expect(runs).toEqual([]);
  });
});

test('[5] a manager starts once', async () => {
  const {manager, stop} = await rig();
  const running = manager.start(stop.signal);
  await expect(manager.start(stop.signal)).rejects.toThrow('already started');
  stop.abort();
  expect(await outcome(running)).toBe('ended');
});

test('[6] [7] what is added to a running manager begins at once; a stopping one takes nothing', async () => {
  const {manager, part, happened, stop} = await rig();
  const end = Promise.withResolvers<void>();
  manager.add(part('first', {ends: end.promise}));
  const running = manager.start(stop.signal);
  await manager.elected;
  manager.add(part('second'));
  expect(happened).toEqual(['first begins', 'second begins']);
  stop.abort();
  await settle();
  expect(() => manager.add(part('third'))).toThrow(/stop procedure is already engaged/);
  end.resolve();
  await running;
});

test('[8] a runnable that fails ends the manager with its error, and the others', async () => {
  const {manager, part, happened, stop} = await rig();
  manager.add(part('fine'));
  manager.add(async () => {
    throw new Error('no good');
  });
  expect(await outcome(manager.start(stop.signal))).toBe('no good');
  expect(happened).toEqual(['fine begins', 'fine ends']);
});

test('a runnable that fails while it is told to end is heard of in the log', async () => {
  const {manager, lines, stop} = await rig();
  manager.add(async signal => {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
    throw new Error('late');
  });
  const running = manager.start(stop.signal);
  await manager.elected;
  stop.abort();
  await running;
  expect(lines.map(line => line.message)).toContain('error received after stop sequence was engaged');
});

test('what does not end within the grace period is an error; [13] beside another, both are told', async () => {
  const never = new Promise<void>(() => {});
  const first = await rig();
  first.manager.add(first.part('slow', {ends: never}));
  const ended = outcome(first.manager.start(first.stop.signal));
  await first.manager.elected;
  first.stop.abort();
  await settle();
  first.clock.advance(30_000);
  expect(await ended).toMatch(/failed waiting for all runnables to end within grace period of 30s/);

  const second = await rig({gracefulShutdownTimeout: 1000});
  second.manager.add(second.part('slow', {ends: never}));
  second.manager.add(async () => {
    throw new Error('no good');
  });
  const both = second.manager.start(second.stop.signal).catch((error: AggregateError) => error);
  await settle();
  second.clock.advance(1000);
  const error = (await both) as AggregateError;
  expect(error.errors.map(String)).toEqual([
    'Error: no good',
    expect.stringContaining('within grace period of 1s'),
  ]);
});

test('[11] with a grace period of 0 it does not wait, and says nothing about it', async () => {
  const {manager, part, stop, happened} = await rig({gracefulShutdownTimeout: 0});
  manager.add(part('slow', {ends: new Promise(() => {})}));
  const ended = outcome(manager.start(stop.signal));
  await manager.elected;
  stop.abort();
  expect(await ended).toBe('ended');
  expect(happened).toEqual(['slow begins']);
});

test('[12] with a negative one it waits as long as it takes', async () => {
  const {manager, part, stop, clock} = await rig({gracefulShutdownTimeout: -1});
  const end = Promise.withResolvers<void>();
  manager.add(part('slow', {ends: end.promise}));
  let over = false;
  const ended = manager.start(stop.signal).then(() => {
    over = true;
  });
  await manager.elected;
  stop.abort();
  await settle();
  clock.advance(300_000);
  await settle();
  expect(over).toBe(false);
  end.resolve();
  await ended;
});

test('[19] a fresh controller has its four results at 0 before any event', async () => {
  const {manager} = await rig();
  controllerFor(manager)
    .for(Pod)
    .complete(() => undefined);
  const text = await manager.metrics.registry.metrics();
  for (const result of ['success', 'error', 'requeue', 'requeue_after'])
    expect(text).toContain(`controller_runtime_reconcile_total{controller="pod",result="${result}"} 0`);
  expect(text).toContain('controller_runtime_max_concurrent_reconciles{controller="pod"} 1');
});

test('[113] two controllers of one name cannot be told apart', async () => {
  const {manager} = await rig();
  const build = () =>
    controllerFor(manager)
      .for(Pod)
      .complete(() => undefined);
  build();
  expect(build).toThrow(/a controller named pod already/);
});

test('a lost lease ends the manager without waiting for what runs', async () => {
  const {manager, part, stop, clock, wire} = await rig({
    leaderElection: {id: 'lock', namespace: 'default', identity: 'me'},
  });
  let broken = false;
  wire.answer = ({path, body}) => {
    if (!path.includes('/leases')) return undefined;
    if (broken) return new Error('no answer');
    return body ?? {metadata: {name: 'lock', resourceVersion: '1'}, spec: {holderIdentity: 'me'}};
  };
  manager.add(part('controller', {ends: new Promise(() => {})}));
  const ended = outcome(manager.start(stop.signal));
  await manager.elected;
  broken = true;
  for (let second = 0; second < 14; second++) {
    clock.advance(1000);
    await settle();
  }
  expect(await ended).toBe('leader election lost');
  await expect(
    manager.client.create({apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'a', name: 'b'}}),
  ).rejects.toThrow(/another process may lead/);
});

test('start, stop and a lost lease have a log line each; elected rejects when the manager ends before', async () => {
  const {manager, stop, lines, wire} = await rig({
    leaderElection: {id: 'lock', namespace: 'default', identity: 'me'},
  });
  leaseIn(wire);
  const ended = outcome(manager.start(stop.signal));
  await settle();
  stop.abort();
  await ended;
  expect(lines.map(({message}) => message)).toEqual(
    expect.arrayContaining(['manager started', 'manager stopped']),
  );
  await expect(manager.elected).rejects.toThrow('the manager stopped before it was elected');
});

test('options that cannot work are refused with words', async () => {
  await expect(rig({metrics: {bindAddress: 'foo'}})).rejects.toThrow(
    'the metrics address "foo" is not host:port',
  );
  await expect(rig({gracefulShutdownTimeout: Number.NaN})).rejects.toThrow(
    'gracefulShutdownTimeout is NaN; it must be a number of milliseconds of at least 0',
  );
  await expect(rig({cache: {syncTimeout: -1}})).rejects.toThrow('cache.syncTimeout is -1');
  const {manager} = await rig();
  const build = () =>
    controllerFor(manager)
      .for(Pod)
      .withOptions({reconciliationTimeout: Number.NaN})
      .complete(() => undefined);
  expect(build).toThrow('reconciliationTimeout is NaN; it must be a number of milliseconds of at least 0');
});
