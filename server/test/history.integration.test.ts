// Some rounds of `npm run fuzz:history`, and a file of each version that must stay readable.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {readMoments} from './history/disk-moments.ts';

test('history on disk survives a kill, a copy of its folder and a damaged block', async () => {
  const script = fileURLToPath(new URL('fuzz-history.ts', import.meta.url));
  const {stdout} = await promisify(execFile)(process.execPath, [script, '--rounds', '3', '--seed', '6000']);
  expect(stdout).toMatch(/^3 rounds from seed 6000 on: 6 kills, \d+ moments compared, .* 0 rounds/m);
}, 120_000);

test('a file of version 5 is read', async () => {
  const read = (name: string) => readFileSync(new URL(`history/${name}`, import.meta.url));
  const wanted = JSON.parse(read('version-5.json').toString()) as [number, Record<string, string>][];
  const file = {bytes: read('version-5.krtrec'), oldest: 0, newest: 99};
  const found = await readMoments(
    () => file,
    wanted.map(([at]) => at),
  );
  expect([...found]).toEqual(wanted);
});
