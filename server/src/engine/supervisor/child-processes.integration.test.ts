// Child processes that misbehave: they die between two messages, or cannot be started at all.
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {EngineProcess} from './engine-process.ts';
import {DraftStopped, LabProcess} from './lab-process.ts';
import {sendTo} from './send-to.ts';

test('what is said to a process that has just died harms nobody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-child-'));
  try {
    const entry = join(folder, 'child.mjs');
    writeFileSync(entry, 'process.on("message", () => {}); process.send("up");');
    const child = fork(entry, [], {stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: []});
    const errors: Error[] = [];
    child.on('error', error => errors.push(error));
    const exit = once(child, 'exit');
    await once(child, 'message');
    process.kill(child.pid as number, 'SIGKILL');
    // Main has not noticed its death yet: it still looks connected.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    expect(child.connected).toBe(true);
    for (let i = 0; i < 3; i++) sendTo(child, {type: 'ping', n: i});
    await exit;
    sendTo(child, {type: 'ping', n: 3});
    await new Promise(resolve => setImmediate(resolve));
    expect(errors).toEqual([]);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

/** Like a machine without room for another process. */
function unstartable<T>(start: () => T): T {
  const {execPath} = process;
  process.execPath = join(tmpdir(), 'krtscope-there-is-no-such-program');
  try {
    return start();
  } finally {
    process.execPath = execPath;
  }
}

test('an engine process that cannot be started has ended, in words, and can be stopped', async () => {
  const ends: string[] = [];
  const life = unstartable(
    () =>
      new EngineProcess({
        memoryMb: 64,
        silenceMs: 1000,
        onMessage: () => {},
        onEnd: end => void ends.push(end.reason),
      }),
  );
  await life.stop();
  const another = await new Promise<string>(resolve => {
    unstartable(
      () =>
        new EngineProcess({
          memoryMb: 64,
          silenceMs: 1000,
          onMessage: () => {},
          onEnd: end => resolve(end.reason),
        }),
    );
  });
  expect(another).toContain('it could not be started');
  expect(ends).toEqual([]);
});

test('a lab process that cannot be started says so, and the next draft finds another', async () => {
  const lab = new LabProcess({bring: async () => '1'});
  const draft = {name: 'Draft', kind: 'singleton' as const, compiled: {} as never};
  const {execPath} = process;
  process.execPath = join(tmpdir(), 'krtscope-there-is-no-such-program');
  try {
    await expect(lab.try(draft, [])).rejects.toThrow('the lab process could not be started');
  } finally {
    process.execPath = execPath;
  }
  // It answers: the process exists.
  await expect(lab.try(draft, [])).rejects.not.toThrow('could not be started');
  await lab.stop();
});

test('a lab process that ends while it takes in rows is nobody’s draft, and holds up no other', async () => {
  let kills = 1;
  const lab: LabProcess = new LabProcess({
    bring: async () => {
      if (kills-- > 0) {
        process.kill(lab.pid as number, 'SIGKILL');
        while (lab.pid !== undefined) await new Promise(resolve => setTimeout(resolve, 5));
      }
      return '1';
    },
  });
  const draft = {name: 'Draft', kind: 'singleton' as const, compiled: {} as never};
  await expect(lab.try(draft, ['Pods'])).rejects.toThrow('ended while it took in the rows of Pods');
  await expect(lab.try(draft, ['Pods'])).rejects.not.toThrow('took in the rows');
  await lab.stop();
});

test('a lab process that nobody asks anything is not taken for one that hangs', async () => {
  const lab = new LabProcess({bring: async () => '1'}, {silenceMs: 300});
  try {
    // No process can run: it reports that and keeps going.
    const tried = () => lab.try({name: 'draft', kind: 'singleton', compiled: {}}, []);
    await expect(tried()).rejects.toBeInstanceOf(DraftStopped);
    const {pid} = lab;
    expect(pid).toBeDefined();
    // Four times the allowed silence.
    await sleep(1200);
    expect(lab.pid).toBe(pid);
    await expect(tried()).rejects.toBeInstanceOf(DraftStopped);
    expect(lab.pid).toBe(pid);
  } finally {
    await lab.stop();
  }
});
