// .ci/run and npm test hide nothing: if any tool fails in any way, the exit code is not 0 and the last line says so.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {afterEach, expect, test} from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true});
});

/** The behaviour of a substitute tool: writes its report, exits with a code. */
interface Act {
  code?: number;
  report?: unknown;
  /** For the integration tests, and for the files that get a second try. */
  integration?: Act;
  again?: Act;
}

const vitestReport = (passed: number, failed: number, broken = 0) => ({
  testResults: [
    {
      name: join(process.cwd(), 'a.test.ts'),
      status: failed > 0 ? 'failed' : 'passed',
      assertionResults: ['passed', 'failed', 'skipped', 'pending'].flatMap((status, i) =>
        Array.from({length: [passed, failed, 1, 1][i] ?? 0}, () => ({
          status,
          fullName: 'the title',
          failureMessages: status === 'failed' ? ['expected 1 to be 2'] : [],
        })),
      ),
    },
    ...Array.from({length: broken}, () => ({
      name: join(process.cwd(), 'broken.test.ts'),
      status: 'failed',
      assertionResults: [{status: 'skipped'}],
    })),
  ],
});
const playwrightReport = (expected: number, unexpected: number) => ({
  stats: {expected, unexpected, flaky: 0, skipped: 0},
  errors: [],
  suites: [
    {
      suites: [
        {
          specs: Array.from({length: unexpected}, (_, i) => ({
            file: 'sheet.spec.ts',
            title: `the title ${i}`,
            tests: [{status: 'unexpected', results: [{error: {message: 'expected 3 to be 4'}}]}],
          })),
        },
      ],
    },
  ],
});

const good: Record<string, Act> = {
  npm: {},
  biome: {},
  tsc: {},
  vitest: {report: vitestReport(10, 0)},
  playwright: {report: playwrightReport(5, 0)},
};

/** Steps that are scripts of ours. */
const ownTools: Record<string, Act> = {'plain-words.ts': {}, 'build.mjs': {}};

const fake = (act: Act) => `#!${process.execPath}
const {writeFileSync} = require('node:fs');
const asked = ${JSON.stringify(act)};
const isAgain = process.argv.some(word => word.endsWith('.test.ts') || word === '--last-failed');
const act = (isAgain && asked.again) || (process.argv.includes('integration') && asked.integration) || asked;
const named = process.argv.find(word => word.startsWith('--outputFile='))?.slice('--outputFile='.length);
const file = named ?? process.env.PLAYWRIGHT_JSON_OUTPUT_NAME;
if (act.report !== undefined) writeFileSync(file, JSON.stringify(act.report));
process.exit(act.code ?? 0);
`;

/** A tree with our scripts and substitute tools. npm runs the real test script. */
function runCi(acts: Record<string, Act>): {code: number | null; last: string; said: string} {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-ci-'));
  folders.push(folder);
  const bin = join(folder, 'node_modules', '.bin');
  mkdirSync(bin, {recursive: true});
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(bin, 'package.json'), '{"type": "commonjs"}');
  for (const name of ['test.mjs', 'steps.mjs', 'node26.mjs'])
    cpSync(join('scripts', name), join(folder, 'scripts', name));
  for (const [name, act] of Object.entries({...ownTools, ...acts}))
    if (name in ownTools) writeFileSync(join(folder, 'scripts', name), `process.exit(${act.code ?? 0});`);
  cpSync('.ci', join(folder, '.ci'), {recursive: true});
  for (const [name, act] of Object.entries({...good, ...acts})) {
    if (name in ownTools) continue;
    const text =
      name === 'npm'
        ? `#!/bin/sh\nif [ "$1" = ci ]; then exit ${act.code ?? 0}; fi\nexec "${process.execPath}" scripts/test.mjs\n`
        : fake(act);
    writeFileSync(join(bin, name), text, {mode: 0o755});
  }
  const {status, stdout} = spawnSync('bash', [join(folder, '.ci', 'run')], {
    encoding: 'utf8',
    env: {PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), CI: 'true'},
  });
  return {code: status, last: stdout.trimEnd().split('\n').at(-1) ?? '', said: stdout};
}

test('all is well: one line adds up lint, words, two type checks, the build, unit, integration and browser tests; exit 0', () => {
  expect(runCi({})).toMatchObject({code: 0, last: '30 passed, 0 failed, 4 skipped'});
});

const once = {code: 1, report: vitestReport(8, 2, 1)};

test('what talks to servers gets a second try, alone, and is named for it', () => {
  const mended = runCi({vitest: {...good.vitest, integration: once, again: {report: vitestReport(10, 0)}}});
  expect(mended).toMatchObject({code: 0, last: '30 passed, 0 failed, 4 skipped'});
  expect(mended.said).toMatch(/only on a second try: \S*a\.test\.ts\n/);
});

test('browser tests that fail get a second try, alone, and are named for it', () => {
  const failing = {code: 1, report: playwrightReport(3, 2)};
  const mended = runCi({playwright: {...failing, again: {report: playwrightReport(2, 0)}}});
  expect(mended).toMatchObject({code: 0, last: '30 passed, 0 failed, 4 skipped'});
  expect(mended.said).toContain('only on a second try: sheet.spec.ts: the title 1\n');
});

test('the summary names what failed, with its error', () => {
  const {said} = runCi({
    vitest: {...good.vitest, integration: once, again: {code: 1, report: vitestReport(9, 1)}},
    playwright: {code: 1, report: playwrightReport(3, 2), again: {code: 1, report: playwrightReport(1, 1)}},
  });
  expect(said).toMatch(/failed: \S*a\.test\.ts: the title\n +expected 1 to be 2\n/);
  expect(said).toMatch(/failed: sheet\.spec\.ts: the title 0\n +expected 3 to be 4\n/);
  expect(said).toContain('28 passed, 2 failed, 4 skipped');
});

test.each<[string, Record<string, Act>, string]>([
  ['npm ci fails: no test runs', {npm: {code: 1}}, ''],
  ['format or lint fails', {biome: {code: 1}}, '29 passed, 1 failed, 4 skipped'],
  ['plain words fail', {'plain-words.ts': {code: 1}}, '29 passed, 1 failed, 4 skipped'],
  ['the page cannot be built', {'build.mjs': {code: 1}}, '29 passed, 1 failed, 4 skipped'],
  ['types fail', {tsc: {code: 2}}, '28 passed, 2 failed, 4 skipped'],
  ['tests fail', {vitest: {code: 1, report: vitestReport(8, 2)}}, '26 passed, 4 failed, 4 skipped'],
  [
    'a test file cannot be loaded',
    {vitest: {code: 1, report: vitestReport(9, 0, 1), again: {code: 1, report: vitestReport(0, 0, 1)}}},
    '28 passed, 2 failed, 8 skipped',
  ],
  [
    'an error outside every test',
    {vitest: {code: 1, report: vitestReport(10, 0)}},
    '30 passed, 2 failed, 4 skipped',
  ],
  [
    'a test fails twice',
    {vitest: {...good.vitest, integration: once, again: {code: 1, report: vitestReport(9, 1)}}},
    '29 passed, 1 failed, 4 skipped',
  ],
  [
    'the second try dies without a report',
    {vitest: {...good.vitest, integration: once, again: {code: 0}}},
    '20 passed, 1 failed, 2 skipped',
  ],
  [
    'many files fail: no second try',
    {
      vitest: {
        ...good.vitest,
        integration: {code: 1, report: vitestReport(10, 0, 5)},
        again: {report: vitestReport(10, 0)},
      },
    },
    '30 passed, 5 failed, 9 skipped',
  ],
  ['a runner dies without a report', {vitest: {code: 0}}, '10 passed, 2 failed, 0 skipped'],
  [
    'browser tests fail',
    {playwright: {code: 1, report: playwrightReport(3, 2), again: {code: 1, report: playwrightReport(0, 2)}}},
    '28 passed, 2 failed, 4 skipped',
  ],
  [
    'the second try of browser tests dies without a report',
    {playwright: {code: 1, report: playwrightReport(3, 2), again: {code: 1}}},
    '28 passed, 2 failed, 4 skipped',
  ],
  ['the browser is not there', {playwright: {code: 1}}, '25 passed, 1 failed, 4 skipped'],
])('%s: not 0', (_, acts, line) => {
  const {code, last} = runCi(acts);
  expect(code).not.toBe(0);
  expect(last).toBe(line);
});
