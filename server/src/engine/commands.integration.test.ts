// Collections that are added and removed while the engine process runs and dies.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {afterEach, expect, test} from 'vitest';
import type {EngineHandle} from './link/engine-link.ts';
import {openRecording} from './supervisor/start-engine.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const running: {stop(): Promise<void>}[] = [];
afterEach(async () => {
  for (const engine of running.splice(0)) await engine.stop();
});

function started(): TestEngine {
  const engine = engineFor();
  running.push(engine);
  return engine;
}

const gateway = (name: string, port: number) => ({metadata: {namespace: 'default', name}, spec: {port}});
const addGateways = (engine: EngineHandle) =>
  engine.command({command: 'add-source', source: {collection: 'Gateways'}});

async function named(engine: EngineHandle, at?: number): Promise<string[]> {
  const {collections} = await ask<Graph>(engine, {ask: 'graph', ...(at === undefined ? {} : {at})});
  return collections.map(({name}) => name);
}

const ports = async (engine: EngineHandle, at?: number) => {
  const {items} = await ask<Items>(engine, {
    ask: 'items',
    collection: 'Gateways',
    ...(at === undefined ? {} : {at}),
  });
  return items.map(({key, value}) => `${key} ${(value as {spec: {port: number}}).spec.port}`);
};

test('a source comes, is written to, survives deaths, goes, and each moment shows what was there', async () => {
  const engine = started();
  engine.apply([put('Nodes', {metadata: {name: 'n1'}})]);
  await until(async () => (engine.sequence > 0 ? true : undefined));
  const before = engine.sequence;
  expect(await addGateways(engine)).toEqual({name: 'Gateways'});
  expect(await named(engine)).toContain('Gateways');
  await expect(addGateways(engine)).rejects.toMatchObject({code: 'taken'});
  engine.apply([put('Gateways', gateway('a', 80)), put('Gateways', gateway('b', 81))]);
  engine.sourceState('Gateways', {state: 'synced', synced: true});
  await until(async () => ((await ports(engine)).length === 2 ? true : undefined));
  const there = engine.sequence;

  for (const pause of [0, 600]) {
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    await ask(engine, {ask: 'trace'});
    await new Promise(resolve => setTimeout(resolve, pause));
  }
  expect(await ports(engine)).toEqual(['default/a 80', 'default/b 81']);
  expect(await named(engine, before)).not.toContain('Gateways');
  expect(await named(engine, there)).toContain('Gateways');

  expect(await engine.command({command: 'drop-source', name: 'Gateways'})).toEqual({name: 'Gateways'});
  engine.apply([put('Nodes', {metadata: {name: 'n2'}})]);
  await until(async () => (engine.sequence > there + 1 ? true : undefined));
  expect(await named(engine)).not.toContain('Gateways');
  await expect(ports(engine)).rejects.toMatchObject({code: 'unknown-collection'});
  expect(await named(engine, there)).toContain('Gateways');
  expect(await ports(engine, there)).toEqual(['default/a 80', 'default/b 81']);

  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  expect(await ports(engine, there)).toEqual(['default/a 80', 'default/b 81']);
  expect(await named(engine)).not.toContain('Gateways');

  const file = await openRecording(await engine.export(), {name: 'file', memoryMb: 256});
  running.push(file);
  expect(await named(file)).not.toContain('Gateways');
  expect(await named(file, before)).not.toContain('Gateways');
  expect(await named(file, there)).toContain('Gateways');
  expect(await ports(file, there)).toEqual(['default/a 80', 'default/b 81']);
  await expect(addGateways(file)).rejects.toMatchObject({code: 'read-only'});
});

test('a source that others read is not dropped, and they are named', async () => {
  const engine = started();
  await expect(engine.command({command: 'drop-source', name: 'Services'})).rejects.toMatchObject({
    code: 'in-use',
    readers: expect.arrayContaining(['ServiceInfos']),
  });
  await expect(engine.command({command: 'drop-source', name: 'Nope'})).rejects.toMatchObject({
    code: 'unknown-collection',
  });
});

test('a command given while the process is away is obeyed by the next one', async () => {
  const engine = started();
  await until(async () => (engine.state === 'ready' ? true : undefined));
  process.kill(engine.pid, 'SIGKILL');
  await until(async () => (engine.state === 'restarting' ? true : undefined));
  const asked = addGateways(engine);
  expect(await asked).toEqual({name: 'Gateways'});
  await until(async () => ((await named(engine)).includes('Gateways') ? true : undefined));
});

test('what was synced before a death is called synced of that time after two deaths', async () => {
  const engine = started();
  engine.apply([put('Nodes', {metadata: {name: 'n1'}})]);
  engine.sourceState('Nodes', {state: 'synced', synced: true});
  const nodes = async (at?: number) => {
    const {collections} = await ask<Graph>(engine, {ask: 'graph', ...(at === undefined ? {} : {at})});
    return collections.find(({name}) => name === 'Nodes');
  };
  await until(async () => ((await nodes())?.synced ? true : undefined));
  const then = engine.sequence;
  engine.apply([put('Nodes', {metadata: {name: 'n2'}})]);
  await until(async () => (engine.sequence > then ? true : undefined));
  for (let death = 0; death < 2; death++) {
    const back = waitForRestart(engine);
    process.kill(engine.pid, 'SIGKILL');
    await back;
    await ask(engine, {ask: 'trace'});
  }
  expect((await nodes(then))?.synced).toBe(true);
});
