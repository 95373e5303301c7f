// Proves that lint refuses imports against the table of import directions, and says the rule.
import {spawnSync} from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {
  clientNodeRule,
  directions,
  importRules,
  publicKrtRule,
  rulesFile,
  sharedRule,
  webRule,
} from './import-directions.ts';

const folders = Object.keys(directions);

interface Case {
  file: string;
  specifier: string;
  rule: string | undefined;
}

const between: Case[] = Object.entries(directions).flatMap(([from, {rule, may}]) =>
  folders
    .filter(to => to !== from)
    .map(to => ({
      file: `server/src/${from}/to-${to.replace('/', '-')}.ts`,
      specifier: `${'../'.repeat(from.split('/').length)}${to}/a.ts`,
      rule: may.includes(to) ? undefined : rule,
    })),
);
const library: Case[] = Object.keys(directions).map(from => ({
  file: `server/src/${from}/library.ts`,
  specifier: '@kubernetes/client-node',
  rule: from === 'kube' ? undefined : from === 'krt' ? directions.krt?.rule : clientNodeRule,
}));
const page: Case[] = Object.entries(directions).map(([from, {rule}]) => ({
  file: `server/src/${from}/page.ts`,
  specifier: `${'../'.repeat(from.split('/').length)}../../web/src/main.tsx`,
  rule,
}));
const packages: Case[] = [
  {file: 'server/src/krt/fs.ts', specifier: 'node:fs', rule: directions.krt?.rule},
  {file: 'server/src/krt/shared.ts', specifier: '@krtscope/shared/vocabulary.ts', rule: directions.krt?.rule},
  {file: 'server/src/krt/beside.ts', specifier: './graph/batch.ts', rule: undefined},
  {file: 'server/src/krt/graph/other-room.ts', specifier: '../query/a.ts', rule: undefined},
  {file: 'server/src/krt/graph/outside.ts', specifier: '../../graph/a.ts', rule: directions.krt?.rule},
  {file: 'server/src/krt/graph/fs.ts', specifier: 'node:fs', rule: directions.krt?.rule},
  ...Object.entries(directions)
    .filter(([, {may}]) => may.includes('krt'))
    .map(([from]) => ({
      file: `server/src/${from}/inside-krt.ts`,
      specifier: `${'../'.repeat(from.split('/').length)}krt/run/a.ts`,
      rule: publicKrtRule,
    })),
  // Benchmarks, suites and tests may join any folders.
  ...[
    ['server/bench/a.bench.ts', '../src/krt'],
    ['server/test/truth/a.ts', '../../src/krt'],
    ['server/src/a.test.ts', './krt'],
    ['server/src/session/a.integration.test.ts', '../krt'],
    ['server/src/stream/a.integration.test.ts', '../krt'],
    ['scripts/a.ts', '../server/src/krt'],
    ['web/bench/a.ts', '../../server/src/krt'],
  ].flatMap(([file, krt]) => [
    {file: `${file}`, specifier: `${krt}/run/a.ts`, rule: publicKrtRule},
    {file: `${file}`.replace('a.', 'b.'), specifier: `${krt}/index.ts`, rule: undefined},
    {file: `${file}`.replace('a.', 'c.'), specifier: `${krt}/testing/a.ts`, rule: undefined},
  ]),
  {file: 'server/src/graph/shared.ts', specifier: '@krtscope/shared/vocabulary.ts', rule: undefined},
  {file: 'server/src/config-a.ts', specifier: './krt/index.ts', rule: directions.start?.rule},
  {file: 'server/src/main-a.ts', specifier: './start/serve.ts', rule: undefined},
  {
    file: 'server/src/session/compiles.ts',
    specifier: '../formula/compile/compile.ts',
    rule: undefined,
  },
  {
    file: 'server/src/session/runs.ts',
    specifier: '../formula/sandbox/sandboxed-formula.ts',
    rule: directions.start?.rule,
  },
  {
    file: 'shared/src/a.ts',
    specifier: '../../server/src/krt/index.ts',
    rule: sharedRule,
  },
  {file: 'shared/src/b.ts', specifier: '../../web/src/main.tsx', rule: sharedRule},
  {file: 'web/src/a.ts', specifier: '../../server/src/krt/index.ts', rule: webRule},
  {file: 'web/src/b.ts', specifier: '@kubernetes/client-node', rule: clientNodeRule},
  {file: 'web/src/c.ts', specifier: '@krtscope/shared/vocabulary.ts', rule: undefined},
];
const cycle: Case[] = [
  {file: 'server/src/kube/egg.ts', specifier: './hen.ts', rule: 'part of a cycle'},
  {file: 'server/src/kube/hen.ts', specifier: './egg.ts', rule: 'part of a cycle'},
];
const cases = [...between, ...library, ...page, ...packages, ...cycle];

/** Lint's messages by file, from one call: starting the linter takes longer than its work. */
let messages: Map<string, string[]>;
// A folder outside the repository: wrong imports inside it would fail the repository's own lint.
const folder = mkdtempSync(join(tmpdir(), 'krtscope-lint-'));

beforeAll(() => {
  const {vcs: _, ...settings} = JSON.parse(readFileSync('biome.json', 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(settings));
  copyFileSync(rulesFile, join(folder, basename(rulesFile)));
  for (const {file, specifier} of cases) {
    const path = join(folder, file);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, `import {x} from '${specifier}';\n\nexport const y = x;\n`);
  }
  const only = ['--only=style/noRestrictedImports', '--only=suspicious/noImportCycles'];
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', ...only, '.'];
  const {stdout, stderr} = spawnSync(resolve('node_modules/.bin/biome'), args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout.startsWith('{')) throw new Error(`biome said no JSON:\n${stdout}${stderr}`);
  messages = new Map(cases.map(({file}) => [file, []]));
  for (const {location, message} of JSON.parse(stdout).diagnostics)
    messages.get(location.path.replace(/^\.\//, ''))?.push(message);
}, 60_000);
afterAll(() => rmSync(folder, {recursive: true}));

describe('against the directions', () => {
  const refused = cases.filter(one => one.rule !== undefined);
  test.each(refused)('$file may not import $specifier: $rule', ({file, rule}) => {
    expect(messages.get(file)).toEqual([expect.stringContaining(rule as string)]);
  });
});

describe('along the directions', () => {
  const allowed = cases.filter(one => one.rule === undefined);
  test.each(allowed)('$file may import $specifier', ({file}) => {
    expect(messages.get(file)).toEqual([]);
  });
});

// Finds imports that lint's patterns may miss.
test('folders outside krt import krt/index.ts only; the fuzzer and the mutants also import krt/testing', () => {
  const offenders: string[] = [];
  for (const top of ['server', 'scripts', 'web', 'shared']) {
    for (const path of readdirSync(top, {recursive: true, encoding: 'utf8'})) {
      if (/node_modules|dist/.test(path) || !/\.(ts|tsx|mjs)$/.test(path) || path.startsWith('src/krt/'))
        continue;
      const text = readFileSync(join(top, path), 'utf8');
      for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?'([^']*\/krt\/[^']+)'/g)) {
        const allowed =
          specifier?.endsWith('/krt/index.ts') ||
          (['bench/fuzz/engine-fuzz.ts', 'mutants/worker.ts'].includes(path) &&
            specifier?.includes('src/krt/testing/'));
        if (!allowed) offenders.push(`${top}/${path}: ${specifier}`);
      }
    }
  }
  expect(offenders.filter(line => !line.startsWith('scripts/imports.test.ts'))).toEqual([]);
});

test('biome.imports.json is what the table says: node scripts/import-directions.ts --write', () => {
  expect(JSON.parse(readFileSync(rulesFile, 'utf8'))).toEqual(importRules());
});

test('every folder of server/src has its direction here', () => {
  const inside = readdirSync('server/src', {withFileTypes: true}).filter(entry => entry.isDirectory());
  const tops = folders.map(name => name.split('/')[0]);
  expect(inside.map(entry => entry.name).filter(name => !tops.includes(name))).toEqual([]);
});
