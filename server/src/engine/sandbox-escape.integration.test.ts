import {builtinModules} from 'node:module';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {allowedGlobals, allowedProcessProperties, languageGlobals} from './host/sandbox/allowed-globals.ts';
import {ask, engineFor, put, type TestEngine, until} from './testing-engine.ts';

// Every attempt is made by a formula inside the real engine process, in its real sandbox.
describe('from inside a formula', () => {
  let engine: TestEngine;
  let count = 0;
  const logged: string[] = [];

  beforeAll(async () => {
    process.env.KRTSCOPE_ESCAPE_TEST = 'swordfish';
    engine = engineFor({
      log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
      graph: new URL('./host/testing-hostile-graph.ts', import.meta.url).href,
    });
    engine.sourceState('Orders', {state: 'synced', synced: true});
  });
  afterAll(async () => {
    delete process.env.KRTSCOPE_ESCAPE_TEST;
    await engine.stop();
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

  test('no builtin module can be had, by any way: what it could do needs no permission', async () => {
    // Includes modules that a list of well-known ones omits: sqlite, v8, test, sea.
    const names = [...new Set(builtinModules.flatMap(name => [name, `node:${name.replace(/^node:/, '')}`]))];
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      const answer = await order('builtin', {target: name});
      for (const way of answer.split('; ')) {
        if (way.startsWith('import ')) expect(way).toBe('import no refusal yet');
        else expect(way, name).toMatch(/^\w+ refused: /);
      }
    }
    const later = (await order('later')).split(',');
    expect(later.length).toBeGreaterThanOrEqual(names.length);
    expect(new Set(later)).toEqual(new Set(['refused: ERR_ACCESS_DENIED']));
  });

  test('what is left of globalThis and process is what is listed', async () => {
    const left = JSON.parse(await order('left')) as {globals: string[]; process: string[]};
    for (const name of left.globals)
      expect(allowedGlobals.has(name) || languageGlobals.has(name), name).toBe(true);
    for (const name of left.process) {
      // A removed function reads as undefined.
      if (name !== 'constructor' && !allowedProcessProperties.has(name))
        expect(await order('on-process', {target: name}), name).toBe('undefined');
    }
    for (const name of ['fetch', 'WebSocket', 'Worker', 'BroadcastChannel']) {
      expect(await order('global', {target: name}), name).toMatch(/^refused: .*not a function/);
    }
    expect(await order('own-environment')).toBe('{}');
  });

  test('what Node itself needs is still there: a warning is no error', async () => {
    expect(await order('warn')).toBe('no refusal yet');
    await order('none');
    expect(logged).toEqual([]);
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
