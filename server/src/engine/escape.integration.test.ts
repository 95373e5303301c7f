import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ask, engineFor, put, type TestEngine, until} from './testing-engine.ts';

// Every attempt is made by a formula inside the real engine process, with the real walls around it.
describe('from inside a formula', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-escape-'));
  const secret = join(folder, 'secret');
  let engine: TestEngine;
  let server: Server;
  let port = 0;
  let connections = 0;
  let count = 0;

  beforeAll(async () => {
    writeFileSync(secret, 'swordfish');
    server = createServer(socket => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as {port: number}).port;
    process.env.KRTSCOPE_ESCAPE_TEST = 'swordfish';
    engine = engineFor({graph: new URL('./host/testing-hostile-graph.ts', import.meta.url).href});
    engine.sourceState('Orders', {state: 'synced', synced: true});
  });
  afterAll(async () => {
    delete process.env.KRTSCOPE_ESCAPE_TEST;
    await engine.stop();
    server.close();
    rmSync(folder, {recursive: true});
  });

  async function order(attack: string, spec: {target?: string; pid?: number} = {}): Promise<string> {
    count += 1;
    const name = `order-${count}`;
    engine.apply([put('Orders', {metadata: {name}, spec: {attack, ...spec}})]);
    const {value} = await until(() =>
      ask<{value: {result: string}}>(engine, {ask: 'item', collection: 'Results', key: name}),
    );
    return value.result;
  }

  test('a harmless order is carried out, so refusals below are refusals', async () => {
    expect(await order('none')).toBe('nothing asked');
  });

  test('no file can be written', async () => {
    const target = join(folder, 'written');
    expect(await order('write', {target})).toBe('refused: ERR_ACCESS_DENIED');
    expect(existsSync(target)).toBe(false);
  });

  test('no file outside the code can be read, nor the environment of main', async () => {
    expect(await order('read', {target: secret})).toBe('refused: ERR_ACCESS_DENIED');
    expect(await order('read', {target: `/proc/${process.pid}/environ`})).toBe('refused: ERR_ACCESS_DENIED');
    expect(await order('read', {target: '/etc/hostname'})).toBe('refused: ERR_ACCESS_DENIED');
    expect(await order('own-environment')).toBe('{}');
  });

  test('no socket reaches anyone', async () => {
    const answers: string[] = [];
    for (const attack of ['socket', 'udp', 'lookup', 'listen'])
      answers.push(await order(attack, {target: String(port)}));
    await new Promise(resolve => setTimeout(resolve, 300));
    const later = (await order('later')).split(',').filter(word => word !== '');
    const refusals = [...answers.filter(word => word !== 'no refusal yet'), ...later];
    // A refusal for each attempt, at once or as an event (krt's checks may have repeated one); and nobody came.
    expect(refusals.length).toBeGreaterThanOrEqual(4);
    expect(new Set(refusals)).toEqual(new Set(['refused: ERR_ACCESS_DENIED']));
    expect(connections).toBe(0);
  });

  test('no child process, worker or inspector starts', async () => {
    for (const attack of ['child', 'worker', 'inspector']) {
      expect(await order(attack), attack).toMatch(/^refused: /);
    }
  });

  test('neither main nor itself can be signalled or ended', async () => {
    const {pid} = engine;
    let signalled = false;
    const onSignal = () => {
      signalled = true;
    };
    process.on('SIGUSR2', onSignal);
    process.on('SIGUSR1', onSignal);
    for (const attack of ['kill', 'debug', 'binding', 'abort', 'exit', 'execve']) {
      expect(await order(attack, {pid: process.pid}), attack).toMatch(/^refused: .*not a function/);
    }
    await new Promise(resolve => setTimeout(resolve, 100));
    process.off('SIGUSR2', onSignal);
    process.off('SIGUSR1', onSignal);
    expect(signalled).toBe(false);
    expect(engine.pid).toBe(pid);
    expect(engine.gaps).toEqual([]);
  });
});
