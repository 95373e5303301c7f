// Child processes that do not behave: they die between two words, or cannot be started at all.
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
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
    // Nobody has heard of its death yet: it still looks connected.
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
