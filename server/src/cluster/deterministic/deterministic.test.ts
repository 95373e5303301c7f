// Virtual time: the same seed gives the same event log, and permute finds orders that break a program.
import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {
  ConfigMap,
  controllerFor,
  createManager,
  ignoreNotFound,
  type Manager,
  silentLogger,
  type types,
} from '../../runtime/index.ts';
import {startApiServer} from '../api-server.ts';
import {type Permutation, permute} from './permute.ts';
import {VirtualClock} from './virtual-clock.ts';

const quiet = {metrics: {bindAddress: '0'}, report: false, log: silentLogger} as const;
const at = (name: string) => ({namespace: 'default', name});
const configMap = (name: string, data: Record<string, string> = {}): types.ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: at(name),
  data,
});

/** Copies every ConfigMap `source-*` to `copy-*`. */
function addCopier(manager: Manager): void {
  const {client} = manager;
  controllerFor(manager)
    .for(ConfigMap)
    .complete(async ({name}) => {
      if (!name.startsWith('source-')) return;
      const source = await ignoreNotFound(client.get(ConfigMap, at(name)));
      if (!source) return;
      const target = configMap(name.replace('source', 'copy'), source.data);
      await client.apply(target, {fieldOwner: 'copier', force: true});
    });
}

async function runCopier(seed: number): Promise<string> {
  const clock = new VirtualClock({seed});
  const server = await startApiServer({clock, seed, controllers: false});
  const manager = await createManager({transport: server.transport, ...quiet});
  addCopier(manager);
  const end = new AbortController();
  const running = manager.start(end.signal);
  await manager.elected;
  await Promise.all([1, 2, 3].map(n => manager.client.create(configMap(`source-${n}`, {n: String(n)}))));
  await clock.until(
    async () => (await manager.client.list(ConfigMap, {namespace: 'default'})).items.length >= 6,
  );
  const log = createHash('sha256').update(server.eventLog.join('\n')).digest('hex');
  end.abort();
  await running;
  await server.stop();
  return log;
}

test('the same seed gives the same event log a hundred times, another seed another one', async () => {
  const logs = new Set<string>();
  for (let run = 0; run < 100; run++) logs.add(await runCopier(1));
  expect(logs.size).toBe(1);
  expect(logs.has(await runCopier(2))).toBe(false);
});

test('hours pass at once, and a program that waits for nothing is told', async () => {
  const clock = new VirtualClock({limit: 7_210_000});
  await clock.sleep(2 * 60 * 60_000);
  expect(new Date(clock.date()).toISOString()).toBe('2026-01-01T02:00:00.000Z');
  await expect(clock.until(() => false)).rejects.toThrow('7210000 ms of virtual time have passed');
});

/** Counts in a ConfigMap. `lock` decides whether it checks the resourceVersion. */
function counter(lock: boolean) {
  return async ({server, clock}: Permutation) => {
    const manager = await createManager({transport: server.transport, ...quiet});
    const {client} = manager;
    const end = new AbortController();
    const running = manager.start(end.signal);
    await manager.elected;
    await client.create(configMap('counter', {n: '0'}));
    const count = async () => {
      for (;;) {
        const object = await ignoreNotFound(client.get(ConfigMap, at('counter')));
        if (!object) {
          await clock.sleep(5);
          continue;
        }
        object.data = {n: String(Number(object.data?.n) + 1)};
        if (!lock) delete object.metadata.resourceVersion;
        try {
          return void (await client.update(object));
        } catch {
          await clock.sleep(5);
        }
      }
    };
    await Promise.all([count(), count()]);
    const {data} = await manager.apiReader.get(ConfigMap, at('counter'));
    end.abort();
    await running;
    expect(data).toEqual({n: '2'});
  };
}

test('a program that is right passes under 200 orders', async () => {
  await permute(counter(true));
});

test('a lost update is found, and its seed repeats it', async () => {
  const failure = (await permute(counter(false)).catch(error => error)) as Error;
  expect(failure.message).toMatch(
    /^seed \d+ fails: .*Repeat it with permute\(test, \{seed: \d+, runs: 1\}\)$/s,
  );
  const seed = Number(/seed (\d+)/.exec(failure.message)?.[1]);
  await expect(permute(counter(false), {seed, runs: 1})).rejects.toThrow(`seed ${seed} fails`);
});
