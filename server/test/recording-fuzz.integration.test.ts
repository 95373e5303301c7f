// Some rounds of `npm run fuzz:recording`.
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

test('every retained moment survives a restart of the engine process', async () => {
  const script = fileURLToPath(new URL('fuzz-recording.ts', import.meta.url));
  const {stdout} = await promisify(execFile)(process.execPath, [script, '--rounds', '40', '--seed', '1']);
  expect(stdout).toMatch(/^40 rounds from seed 1 on: \d+ restarts, \d+ moments compared, 0 rounds/m);
});
