// No file refers to a page outside the repository, because a reader could not open it.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {cwd: root, encoding: 'utf8'})
  .split('\n')
  .filter(path => /\.(ts|tsx|mjs|css|md)$/.test(path) && existsSync(join(root, path)))
  // Generated, with the links of Kubernetes.
  .filter(path => !/^server\/src\/built-in-types\/.*\.ts$/.test(path));
const pages = tracked.filter(path => path.endsWith('.md'));
/** Written by the build or for a user's own project. */
const elsewhere = new Set(['licences.md']);

test('every .md that a file names is there', () => {
  const lost: string[] = [];
  for (const path of tracked) {
    for (const [, named = ''] of readFileSync(join(root, path), 'utf8').matchAll(/([\w./-]*\w\.md)\b/g)) {
      const name = named.replace(/^(\.\.?\/)+/, '').replace('node_modules/krtscope/', '');
      const beside = join(dirname(path), named);
      const found = pages.some(page => page === name || page === beside || page.endsWith(`/${name}`));
      if (!found && !elsewhere.has(basename(name))) lost.push(`${path}: ${named}`);
    }
  }
  expect(lost).toEqual([]);
});
