// Proves that lint refuses imports against the direction of ARCHITECTURE.md, and says the rule.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {afterAll, expect, test} from 'vitest';

// A tree of its own with our rules: a file against them inside the repository would fail everybody else's lint.
const folder = mkdtempSync(join(tmpdir(), 'krtscope-lint-'));
const {vcs: _, ...rules} = JSON.parse(readFileSync('biome.json', 'utf8'));
writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
afterAll(() => rmSync(folder, {recursive: true}));

function lint(file: string, specifier: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, `import {x} from '${specifier}';\n\nexport const y = x;\n`);
  const {stdout, stderr} = spawnSync(resolve('node_modules/.bin/biome'), ['lint', '--colors=off', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

test.each([
  ['server/src/krt/a.ts', '../kube/client.ts', 'krt imports nothing outside its folder'],
  ['server/src/krt/a.ts', 'node:fs', 'krt imports nothing outside its folder'],
  ['shared/src/a.ts', '../../server/src/krt/index.ts', 'shared imports nothing of ours'],
  ['web/src/a.ts', '../../server/src/krt/index.ts', 'web imports only shared'],
  ['server/src/kube/a.ts', '../krt/index.ts', 'kube knows nothing of krt'],
  ['server/src/graph/a.ts', '../kube/client.ts', 'graph imports only krt and shared'],
  ['server/src/explain/a.ts', '../kube/client.ts', 'explain imports only krt and shared'],
  ['server/src/history/a.ts', '../engine/host/a.ts', 'history imports only krt and shared'],
  ['server/src/engine/host/a.ts', '../../kube/client.ts', 'engine/host imports krt, graph'],
  ['server/src/engine/supervisor/a.ts', '../../krt/index.ts', 'main never runs a formula'],
  ['server/src/http/a.ts', '../explain/why.ts', 'http imports shared and engine/link only'],
  ['server/src/stream/a.ts', '../krt/index.ts', 'stream imports shared and engine/link only'],
  ['server/src/cluster/a.ts', '../krt/index.ts', 'cluster imports only runtime, kube and shared'],
  ['server/src/runtime/a.ts', '../krt/index.ts', 'runtime imports only kube and shared'],
  ['server/src/http/a.ts', '@kubernetes/client-node', 'only kube/ imports @kubernetes/client-node'],
])('%s may not import %s', (file, specifier, rule) => {
  expect(lint(file, specifier)).toContain(rule);
});

test.each([
  ['server/src/krt/a.ts', './batch.ts'],
  ['server/src/explain/a.ts', '../krt/index.ts'],
  ['server/src/cluster/a.ts', '../kube/client.ts'],
  ['server/src/http/a.ts', '../engine/link/link.ts'],
  ['web/src/a.ts', '@krtscope/shared/words.ts'],
  ['server/src/engine/host/a.ts', '../../krt/index.ts'],
])('%s may import %s', (file, specifier) => {
  expect(lint(file, specifier)).not.toContain('noRestrictedImports');
});
