// Some rounds of `npm run fuzz:history`: a kill, a copied folder, a damaged block.
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

test('history on disk survives a kill, a copy of its folder and a damaged block', async () => {
  const script = fileURLToPath(new URL('fuzz-history.ts', import.meta.url));
  const {stdout} = await promisify(execFile)(process.execPath, [script, '--rounds', '3', '--seed', '6000']);
  expect(stdout).toMatch(/^3 rounds from seed 6000 on: 6 kills, \d+ moments compared, .* 0 rounds/m);
}, 120_000);
