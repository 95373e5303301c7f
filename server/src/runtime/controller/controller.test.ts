import {expect, test} from 'vitest';
import {ConfigMap, Pod} from '../scheme/built-in-kinds.ts';
import {enqueueObject} from './event-handler.ts';
import {isTerminal, TerminalError} from './reconcile-errors.ts';
import type {Result} from './reconciler.ts';
import {pod, settle, TestHost} from './testing-controller-host.ts';

/** Runs and their start times. */
function recorder(host: TestHost, answer: (run: number) => Result | undefined | Promise<Result | undefined>) {
  const runs: string[] = [];
  const at: number[] = [];
  const reconcile = (request: {namespace: string; name: string}) => {
    runs.push(`${request.namespace}/${request.name}`);
    at.push(host.clock.now());
    return answer(runs.length);
  };
  return {runs, at, reconcile};
}

test('workers begin when every watch has handed on what was there, and each object is reconciled once', async () => {
  const host = new TestHost();
  host.cache.apply(Pod, pod('a'));
  host.cache.apply(Pod, pod('b'));
  host.cache.of(ConfigMap).synced = false;
  const {runs, reconcile} = recorder(host, () => undefined);
  host.build().for(Pod).watches(ConfigMap, enqueueObject()).complete(reconcile);
  const [running] = await host.start();
  expect(runs).toEqual([]);
  host.cache.of(ConfigMap).sync();
  await settle();
  expect(runs).toEqual(['default/a', 'default/b']);
  host.cache.apply(Pod, pod('b', {resourceVersion: '2'}));
  host.cache.remove(Pod, 'default/a');
  await settle();
  expect(runs).toEqual(['default/a', 'default/b', 'default/b', 'default/a']);
  host.stop.abort();
  await running;
});

test('[95] errors are tried again after 5, 10, 20 … ms; a success starts over', async () => {
  const host = new TestHost();
  let failing = true;
  const {at, reconcile} = recorder(host, () => {
    if (failing) throw new Error('not yet');
    return undefined;
  });
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  for (let ms = 0; ms < 400; ms++) await host.advance(1);
  expect(at).toEqual([0, 5, 15, 35, 75, 155, 315]);
  failing = false;
  await host.advance(400);
  const before = at.length;
  failing = true;
  host.cache.apply(Pod, pod('a', {resourceVersion: '2'}));
  await settle();
  await host.advance(5);
  expect(at.slice(before).map(one => one - at[before]!)).toEqual([0, 5]);
  expect(await host.metric('controller_runtime_reconcile_errors_total', {controller: 'pod'})).toBe(9);
  expect(host.lines.at(-1)).toMatchObject({
    level: 'error',
    message: 'reconcile failed',
    fields: {
      controller: 'pod',
      namespace: 'default',
      name: 'a',
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
});

test('[96] requeue waits as long as an error would; [97] requeueAfter runs once, with the failures forgotten', async () => {
  const host = new TestHost();
  const {at, reconcile} = recorder(host, run =>
    run <= 3
      ? {requeue: true}
      : run === 4
        ? {requeueAfter: 30_000, requeue: true}
        : run === 5
          ? {requeue: true}
          : undefined,
  );
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  for (let ms = 0; ms < 40; ms++) await host.advance(1);
  expect(at).toEqual([0, 5, 15, 35]);
  await host.advance(29_994);
  expect(at).toHaveLength(4);
  await host.advance(1);
  expect(at[4]).toBe(30_035);
  await host.advance(5);
  expect(at[5]).toBe(30_040);
  const result = (value: string) =>
    host.metric('controller_runtime_reconcile_total', {controller: 'pod', result: value});
  expect([await result('requeue'), await result('requeue_after'), await result('success')]).toEqual([
    4, 1, 1,
  ]);
});

test('[98] an event during a requeueAfter runs at once, and then not again', async () => {
  const host = new TestHost();
  const {at, reconcile} = recorder(host, run => (run === 1 ? {requeueAfter: 30_000} : undefined));
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  await host.advance(5000);
  host.cache.apply(Pod, pod('a', {resourceVersion: '2'}));
  await settle();
  await host.advance(60_000);
  expect(at).toEqual([0, 5000]);
});

test('[99] a result beside an error is ignored, and said so', async () => {
  const host = new TestHost();
  const {at, reconcile} = recorder(host, run =>
    run === 1 ? {error: new Error('no'), requeueAfter: 30_000} : undefined,
  );
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  await host.advance(5);
  expect(at).toEqual([0, 5]);
  expect(host.lines.map(line => line.level)).toEqual(['warn', 'error']);
});

test('a terminal error is not tried again, also as the cause of another one', async () => {
  const host = new TestHost();
  const {runs, reconcile} = recorder(host, () => {
    throw new Error('wrapped', {cause: new TerminalError('the spec is nonsense')});
  });
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  await host.advance(3_600_000);
  expect(runs).toHaveLength(1);
  const of = (name: string, more = {}) =>
    host.metric(`controller_runtime_${name}`, {controller: 'pod', ...more});
  expect(await of('terminal_reconcile_errors_total')).toBe(1);
  expect(await of('reconcile_errors_total')).toBe(1);
  expect(await of('reconcile_total', {result: 'error'})).toBe(1);
  expect(isTerminal(new AggregateError([new Error('a'), new TerminalError('b')]))).toBe(true);
});

test('[101] a panic is counted and tried again, and the worker lives on; an Error is no panic', async () => {
  const host = new TestHost();
  const {runs, reconcile} = recorder(host, run => {
    if (run === 1) throw new TypeError('x is not a function');
    if (run === 2) throw 'text';
    if (run === 3) throw new SyntaxError('an Error');
    return undefined;
  });
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  for (let ms = 0; ms < 50; ms++) await host.advance(1);
  expect(runs).toHaveLength(4);
  expect(await host.metric('controller_runtime_reconcile_panics_total', {controller: 'pod'})).toBe(2);
  expect(String(host.lines[0]?.fields.error)).toContain('panic: x is not a function [recovered]');
});

test('without recovery a panic ends the controller', async () => {
  const host = new TestHost();
  host
    .build()
    .for(Pod)
    .withOptions({recoverPanic: false, maxConcurrentReconciles: 3})
    .complete(() => {
      throw new RangeError('out of range');
    });
  host.cache.apply(Pod, pod('a'));
  const ended = host.controllers[0]!.start(host.stop.signal);
  await expect(ended).rejects.toThrow('out of range');
});

test('[114] the signal aborts when the time is over, and only then is a timeout counted', async () => {
  const host = new TestHost();
  let waiting: AbortSignal | undefined;
  host
    .build()
    .for(Pod)
    .withOptions({reconciliationTimeout: 1000})
    .complete(
      (_, {signal}) =>
        new Promise((_, reject) => {
          waiting = signal;
          signal.addEventListener('abort', () => reject(signal.reason), {once: true});
        }),
    );
  host.cache.apply(Pod, pod('a'));
  const [running] = await host.start();
  await host.advance(999);
  expect(waiting?.aborted).toBe(false);
  await host.advance(1);
  expect(waiting?.aborted).toBe(true);
  const timeouts = () => host.metric('controller_runtime_reconcile_timeouts_total', {controller: 'pod'});
  expect(await timeouts()).toBe(1);
  await host.advance(5);
  host.stop.abort();
  await running;
  expect(await timeouts()).toBe(1);
});

test('[102] what changes goes before what was there at the start', async () => {
  const host = new TestHost();
  for (let at = 0; at < 50; at++) host.cache.apply(Pod, pod(`initial${at}`));
  const {runs, reconcile} = recorder(host, async run => {
    if (run === 1) host.cache.apply(Pod, pod('initial40', {resourceVersion: '2'}));
    await settle();
    return undefined;
  });
  host.build().for(Pod).complete(reconcile);
  await host.start();
  while (runs.length < 3) await settle();
  expect(runs.slice(0, 3)).toEqual(['default/initial0', 'default/initial40', 'default/initial1']);
});

test('as many runs at once as were allowed, never two of one request', async () => {
  const host = new TestHost();
  for (let at = 0; at < 6; at++) host.cache.apply(Pod, pod(`p${at}`));
  const running = new Set<string>();
  const ends: (() => void)[] = [];
  let most = 0;
  host
    .build()
    .for(Pod)
    .withOptions({maxConcurrentReconciles: 3})
    .complete(async ({name}) => {
      expect(running.has(name)).toBe(false);
      running.add(name);
      most = Math.max(most, running.size);
      await new Promise<void>(resolve => ends.push(resolve));
      running.delete(name);
    });
  await host.start();
  for (let at = 0; at < 6; at++) host.cache.apply(Pod, pod('p0', {resourceVersion: String(at + 2)}));
  expect(await host.metric('controller_runtime_active_workers', {controller: 'pod'})).toBe(3);
  for (let at = 0; at < 10; at++) {
    ends.shift()?.();
    await settle();
  }
  expect(most).toBe(3);
});

test('stopping waits for the run that is under way; what is queued is dropped', async () => {
  const host = new TestHost();
  for (let at = 0; at < 3; at++) host.cache.apply(Pod, pod(`p${at}`));
  let end = () => {};
  const {runs, reconcile} = recorder(
    host,
    () =>
      new Promise(resolve => {
        end = () => resolve(undefined);
      }),
  );
  host.build().for(Pod).complete(reconcile);
  const [running] = await host.start();
  let over = false;
  void running?.then(() => {
    over = true;
  });
  host.stop.abort();
  await settle();
  expect(over).toBe(false);
  end();
  await running;
  expect(runs).toHaveLength(1);
});

test('a watch that does not sync in time ends the controller and is named', async () => {
  const host = new TestHost();
  host.cache.of(Pod).synced = false;
  host
    .build()
    .for(Pod)
    .complete(() => undefined);
  const ended = host.controllers[0]!.start(host.stop.signal);
  const seen = expect(ended).rejects.toThrow(/the watch of Pod has not synced within 120 s/);
  await settle();
  await host.advance(120_000);
  await seen;
});

test('a kind that cannot be watched yet is tried again every 10 s', async () => {
  const host = new TestHost();
  host.cache.refused.set('Pod', new Error('no matches for kind Pod'));
  host.cache.apply(Pod, pod('a'));
  const {at, reconcile} = recorder(host, () => undefined);
  host.build().for(Pod).complete(reconcile);
  await host.start();
  await host.advance(10_000);
  host.cache.refused.clear();
  await host.advance(10_000);
  expect(at).toEqual([20_000]);
});

test('a paused controller begins no run, and goes on where it was', async () => {
  const host = new TestHost();
  const {runs, reconcile} = recorder(host, () => undefined);
  const controller = host.build().for(Pod).complete(reconcile);
  controller.pause();
  host.cache.apply(Pod, pod('a'));
  const [running] = await host.start();
  expect(runs).toEqual([]);
  expect(controller.view()).toMatchObject({state: 'paused', ready: [{key: 'default/a', priority: -100}]});
  controller.resume();
  await settle();
  expect(runs).toEqual(['default/a']);
  controller.pause();
  host.stop.abort();
  await running;
});

test('a long row of runs that wait for nothing lets timers have their turn', async () => {
  const host = new TestHost();
  for (let at = 0; at < 500; at++) host.cache.apply(Pod, pod(`p${at}`));
  let runs = 0;
  let seenByTimer = -1;
  host
    .build()
    .for(Pod)
    .complete(() => {
      if (runs++ === 0) setTimeout(() => (seenByTimer = runs), 0);
      for (const end = performance.now() + 0.2; performance.now() < end; );
    });
  const [running] = await host.start();
  while (runs < 500) await settle();
  host.stop.abort();
  await running;
  expect(seenByTimer).toBeGreaterThan(0);
  expect(seenByTimer).toBeLessThan(500);
});

test('a run that ignores its timeout has a log line and counts as a timeout while it still runs', async () => {
  const host = new TestHost();
  host
    .build()
    .for(Pod)
    .withOptions({reconciliationTimeout: 1000})
    .complete(() => new Promise<never>(() => {}));
  host.cache.apply(Pod, pod('a'));
  await host.start();
  await host.advance(1001);
  expect(host.lines.at(-1)).toMatchObject({
    level: 'warn',
    message: 'reconcile exceeded its timeout, waiting for it to end',
    fields: {name: 'a', timeout: 1000},
  });
  expect(await host.metric('controller_runtime_reconcile_timeouts_total', {controller: 'pod'})).toBe(1);
});

test('a result that is not valid is an error that says why, and the request is tried again', async () => {
  const host = new TestHost();
  const {at, reconcile} = recorder(host, run => (run === 1 ? ({requeueAfter: '5s'} as never) : undefined));
  host.build().for(Pod).complete(reconcile);
  host.cache.apply(Pod, pod('a'));
  await host.start();
  await host.advance(5);
  expect(at).toEqual([0, 5]);
  expect(String(host.lines.at(-1)?.fields.error)).toContain('requeueAfter is "5s"; it must be');
});
