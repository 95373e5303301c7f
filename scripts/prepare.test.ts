// npm ci must succeed where the page cannot be built.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterEach, expect, test} from 'vitest';
import manifest from '../package.json' with {type: 'json'};

const folder = mkdtempSync(join(tmpdir(), 'krtscope-prepare-'));
afterEach(() => rmSync(folder, {recursive: true, force: true}));

test('an installation without the sources of the page ends well and says when the page is built', () => {
  expect(manifest.scripts.prepare).toBe('node scripts/prepare.mjs');
  for (const name of ['prepare.mjs', 'build.mjs', 'node26.mjs'])
    cpSync(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
  const {status, stdout, stderr} = spawnSync(process.execPath, [join(folder, 'prepare.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toContain('the first "npm start" builds it');
});
