// Some rounds of `npm run fuzz:recording`.
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

async function outputOf(...args: string[]): Promise<string> {
  const script = fileURLToPath(new URL('fuzz-recording.ts', import.meta.url));
  return (await promisify(execFile)(process.execPath, [script, ...args])).stdout;
}

test('every retained moment survives a restart of the engine process', async () => {
  expect(await outputOf('--rounds', '40', '--seed', '1')).toMatch(
    /^40 rounds from seed 1 on: \d+ restarts, \d+ moments compared, 0 rounds/m,
  );
});

test('and a SIGKILL of a real one', async () => {
  expect(await outputOf('--processes', '--rounds', '4', '--seed', '1')).toMatch(
    /^4 rounds from seed 1 on: 4 restarts, \d\d+ moments compared, 0 rounds/m,
  );
});
