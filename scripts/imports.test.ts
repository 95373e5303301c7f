// Proves that lint refuses imports against the directions of ARCHITECTURE.md, and says the rule.
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

interface Direction {
  rule: string;
  /** Folders beside it that it may import; every other one is refused. */
  may: string[];
}

/** What the wiring folders tie together. */
const wired = ['engine/link', 'engine/supervisor', 'kube', 'runtime', 'cluster', 'stream', 'http', 'attach'];

/** Every folder of server/src. */
const directions: Record<string, Direction> = {
  krt: {rule: 'krt imports nothing outside its folder', may: []},
  graph: {rule: 'graph imports only krt and shared', may: ['krt']},
  history: {rule: 'history imports only krt and shared', may: ['krt']},
  explain: {rule: 'explain imports only krt and shared', may: ['krt']},
  formula: {rule: 'formula imports only krt and shared', may: ['krt']},
  'engine/host': {
    rule: 'engine/host imports krt, graph, formula, explain and history, never kube',
    may: ['krt', 'graph', 'formula', 'explain', 'history', 'engine/link'],
  },
  'engine/lab': {
    rule: 'engine/lab imports krt, formula, explain, engine/host and engine/link',
    may: ['krt', 'formula', 'explain', 'engine/host', 'engine/link'],
  },
  'engine/link': {rule: 'engine/link and engine/supervisor import shared only', may: ['engine/supervisor']},
  'engine/supervisor': {rule: 'engine/link and engine/supervisor import shared only', may: ['engine/link']},
  kube: {rule: 'kube knows nothing of krt', may: []},
  attach: {rule: 'attach imports only shared', may: []},
  runtime: {rule: 'runtime imports only kube and shared', may: ['kube']},
  program: {rule: 'program imports only krt, runtime and shared', may: ['krt', 'runtime']},
  cluster: {rule: 'cluster imports only runtime, kube and shared', may: ['runtime', 'kube']},
  stream: {rule: 'stream imports shared and engine/link only', may: ['engine/link']},
  http: {rule: 'http imports shared and engine/link only', may: ['engine/link']},
  cli: {rule: 'cli imports shared and engine/link only', may: ['engine/link', 'start']},
  session: {
    rule: 'main never runs a formula',
    may: [...wired, 'start', 'cli'],
  },
  start: {
    rule: 'main never runs a formula',
    may: [...wired, 'session', 'cli'],
  },
};
const folders = Object.keys(directions);
const clientNodeRule = 'only kube/ imports @kubernetes/client-node';

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
      rule: 'krt is imported by its public face alone',
    })),
  // What stands beside the stages: benchmarks, suites, tests that may wire anything together.
  ...[
    ['server/bench/a.bench.ts', '../src/krt'],
    ['server/test/truth/a.ts', '../../src/krt'],
    ['server/src/a.test.ts', './krt'],
    ['server/src/session/a.integration.test.ts', '../krt'],
    ['server/src/stream/a.integration.test.ts', '../krt'],
    ['scripts/a.ts', '../server/src/krt'],
    ['web/bench/a.ts', '../../server/src/krt'],
  ].flatMap(([file, krt]) => [
    {file: `${file}`, specifier: `${krt}/run/a.ts`, rule: 'krt is imported by its public face alone'},
    {file: `${file}`.replace('a.', 'b.'), specifier: `${krt}/index.ts`, rule: undefined},
    {file: `${file}`.replace('a.', 'c.'), specifier: `${krt}/testing/a.ts`, rule: undefined},
  ]),
  {file: 'server/src/graph/shared.ts', specifier: '@krtscope/shared/vocabulary.ts', rule: undefined},
  {file: 'server/src/config-a.ts', specifier: './krt/index.ts', rule: 'main never runs a formula'},
  {file: 'server/src/main-a.ts', specifier: './start/serve.ts', rule: undefined},
  {
    file: 'server/src/session/compiles.ts',
    specifier: '../formula/compile/compile.ts',
    rule: undefined,
  },
  {
    file: 'server/src/session/runs.ts',
    specifier: '../formula/sandbox/sandboxed-formula.ts',
    rule: 'main never runs a formula',
  },
  {
    file: 'shared/src/a.ts',
    specifier: '../../server/src/krt/index.ts',
    rule: 'shared imports nothing of ours',
  },
  {file: 'shared/src/b.ts', specifier: '../../web/src/main.tsx', rule: 'shared imports nothing of ours'},
  {file: 'web/src/a.ts', specifier: '../../server/src/krt/index.ts', rule: 'web imports only shared'},
  {file: 'web/src/b.ts', specifier: '@kubernetes/client-node', rule: clientNodeRule},
  {file: 'web/src/c.ts', specifier: '@krtscope/shared/vocabulary.ts', rule: undefined},
];
const cycle: Case[] = [
  {file: 'server/src/kube/egg.ts', specifier: './hen.ts', rule: 'part of a cycle'},
  {file: 'server/src/kube/hen.ts', specifier: './egg.ts', rule: 'part of a cycle'},
];
const cases = [...between, ...library, ...packages, ...cycle];

/** What lint says of each file, by its path: one call, for starting the linter takes longer than its work. */
let said: Map<string, string[]>;
// A tree of its own with our rules: a file against them inside the repository would fail everybody else's lint.
const folder = mkdtempSync(join(tmpdir(), 'krtscope-lint-'));

beforeAll(() => {
  const {vcs: _, ...rules} = JSON.parse(readFileSync('biome.json', 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
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
  said = new Map(cases.map(({file}) => [file, []]));
  for (const {location, message} of JSON.parse(stdout).diagnostics)
    said.get(location.path.replace(/^\.\//, ''))?.push(message);
  // Lint looks at every pair of folders at once; a busy machine takes its time.
}, 60_000);
afterAll(() => rmSync(folder, {recursive: true}));

describe('against the directions', () => {
  const refused = cases.filter(one => one.rule !== undefined);
  test.each(refused)('$file may not import $specifier: $rule', ({file, rule}) => {
    expect(said.get(file)).toEqual([expect.stringContaining(rule as string)]);
  });
});

describe('along the directions', () => {
  const allowed = cases.filter(one => one.rule === undefined);
  test.each(allowed)('$file may import $specifier', ({file}) => {
    expect(said.get(file)).toEqual([]);
  });
});

// What lint does not look at, such as benchmarks, and what its patterns may miss.
test('nobody outside krt imports anything of it but krt/index.ts, and the fuzzer and the mutants its test room', () => {
  const offenders: string[] = [];
  for (const top of ['server', 'scripts', 'web', 'shared']) {
    for (const path of readdirSync(top, {recursive: true, encoding: 'utf8'})) {
      if (/node_modules|dist/.test(path) || !/\.(ts|tsx|mjs)$/.test(path) || path.startsWith('src/krt/'))
        continue;
      const text = readFileSync(join(top, path), 'utf8');
      for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?'([^']*\/krt\/[^']+)'/g)) {
        const allowed =
          specifier?.endsWith('/krt/index.ts') ||
          (['bench/fuzz.ts', 'mutants/worker.ts'].includes(path) && specifier?.includes('src/krt/testing/'));
        if (!allowed) offenders.push(`${top}/${path}: ${specifier}`);
      }
    }
  }
  expect(offenders.filter(line => !line.startsWith('scripts/imports.test.ts'))).toEqual([]);
});

test('every folder of server/src has its direction here', () => {
  const inside = readdirSync('server/src', {withFileTypes: true}).filter(entry => entry.isDirectory());
  const tops = folders.map(name => name.split('/')[0]);
  expect(inside.map(entry => entry.name).filter(name => !tops.includes(name))).toEqual([]);
});
