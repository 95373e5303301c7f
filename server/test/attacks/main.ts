// npm run attacks: runs the tests of the table and prints for each row what happened.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {type Attack, attacks} from './attack-table.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'krtscope-attacks-'));

interface TestResult {
  file: string;
  title: string;
  passed: boolean;
  /** The first line of the failure. */
  message: string;
}

const firstLine = (text = '') => stripVTControlCharacters(text).split('\n', 1)[0]?.slice(0, 200) ?? '';

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  spawnSync(command, args, {
    cwd: root,
    stdio: 'ignore',
    env: {...process.env, ...env},
  });
}

function runVitest(project: string, files: string[]): TestResult[] {
  const output = join(folder, `${project}.json`);
  run('npx', ['vitest', 'run', '--project', project, '--reporter', 'json', '--outputFile', output, ...files]);
  interface VitestReport {
    testResults: {
      name: string;
      assertionResults: {title: string; status: string; failureMessages?: string[]}[];
    }[];
  }
  const {testResults} = JSON.parse(readFileSync(output, 'utf8')) as VitestReport;
  return testResults.flatMap(({name, assertionResults}) =>
    assertionResults.map(({title, status, failureMessages}) => ({
      file: relative(root, name),
      title,
      passed: status === 'passed',
      message: firstLine(failureMessages?.[0]),
    })),
  );
}

function runPlaywright(files: string[]): TestResult[] {
  const output = join(folder, 'browser.json');
  run('npx', ['playwright', 'test', '--reporter', 'json', ...files], {PLAYWRIGHT_JSON_OUTPUT_NAME: output});
  interface PlaywrightSuite {
    specs: {title: string; ok: boolean; file: string; tests: {results: {error?: {message: string}}[]}[]}[];
    suites?: PlaywrightSuite[];
  }
  const flat = (suite: PlaywrightSuite): TestResult[] => [
    ...suite.specs.map(({title, ok, file, tests}) => {
      const message = firstLine(tests.flatMap(one => one.results).find(one => one.error)?.error?.message);
      return {file: join('web/e2e', file), title, passed: ok, message};
    }),
    ...(suite.suites ?? []).flatMap(flat),
  ];
  const {suites} = JSON.parse(readFileSync(output, 'utf8')) as {suites: PlaywrightSuite[]};
  return suites.flatMap(flat);
}

/** `%s` in a title stands for any text. */
function matches(title: string, beginning: string): boolean {
  const [head = '', ...rest] = beginning.split(/%[sdj]/);
  return title.startsWith(head) && rest.every(part => title.includes(part));
}

const rows = Object.values(attacks).flat();
const files = [...new Set(rows.map(row => row.file))];
const results = [
  ...runVitest(
    'unit',
    files.filter(file => /(?<!integration)\.test\.ts$/.test(file)),
  ),
  ...runVitest(
    'integration',
    files.filter(file => file.endsWith('.integration.test.ts')),
  ),
  ...runPlaywright(files.filter(file => file.endsWith('.spec.ts'))),
];
rmSync(folder, {recursive: true});

function outcome({file, tests}: Attack): {held: boolean; text: string} {
  const own = results.filter(
    one => one.file === file && (tests.length === 0 || tests.some(test => matches(one.title, test))),
  );
  const failed = own.filter(one => !one.passed);
  if (own.length === 0) return {held: false, text: 'NOT RUN'};
  if (failed.length > 0)
    return {held: false, text: `FAILED: ${failed.map(one => `${one.title} (${one.message})`).join('; ')}`};
  return {held: true, text: `held (${own.length} ${own.length === 1 ? 'test' : 'tests'})`};
}

let held = true;
for (const [area, list] of Object.entries(attacks)) {
  console.log(`\n${area}`);
  for (const attack of list) {
    const one = outcome(attack);
    held &&= one.held;
    console.log(
      `  ${one.held ? one.text.padEnd(18) : `${one.text}\n${' '.repeat(20)}`} ${attack.tried}\n${' '.repeat(21)}→ ${attack.result}`,
    );
  }
}
process.exit(held ? 0 : 1);
