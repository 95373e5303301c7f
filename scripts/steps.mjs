// The steps of npm test, and how to read each one's count of passed, failed and skipped.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';

/** Runs a command to its end with its output shown; gives its exit code. */
function run(command, args, env = {}) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {...process.env, ...env},
    });
    child.on('error', error => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', code => resolve(code ?? 1));
  });
}

const bin = name => join('node_modules', '.bin', name);

/** A tool that passes or fails as a whole counts as one test. Says its words at its end: several run at once. */
const whole =
  (command, ...args) =>
  () =>
    new Promise(resolve => {
      const child = spawn(command === 'node' ? process.execPath : bin(command), args, {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said = [];
      child.stdout.on('data', chunk => said.push(chunk));
      child.stderr.on('data', chunk => said.push(chunk));
      child.on('error', error => said.push(Buffer.from(`${command}: ${error.message}\n`)));
      child.on('close', code => {
        process.stdout.write(Buffer.concat(said));
        resolve(code === 0 ? {passed: 1, failed: 0, skipped: 0} : {passed: 0, failed: 1, skipped: 0});
      });
    });

/** Runs a tool that writes a report; undefined if it died before that. */
async function report(command, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-report-'));
  const file = join(folder, 'report.json');
  try {
    const code = await run(bin(command), args(file), env(file));
    return existsSync(file) ? {code, said: JSON.parse(readFileSync(file, 'utf8'))} : undefined;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** A runner that died before its report has failed, whatever it counted; so has one that ends badly and names nothing. */
const counted = (answer, read) => {
  if (answer === undefined) return {passed: 0, failed: 1, skipped: 0};
  const sum = read(answer.said);
  return answer.code !== 0 && sum.failed === 0 ? {...sum, failed: 1} : sum;
};

const runVitest = (projects, files = [], options = []) =>
  report(
    'vitest',
    file => [
      'run',
      ...projects.flatMap(name => ['--project', name]),
      ...files,
      ...options,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    // CI asks for colours where nobody sees them, and every dot of a log gets nine letters of its own.
    () => (process.stdout.isTTY ? {} : {NO_COLOR: '1'}),
  );

/** Its own totals leave out what is skipped inside something skipped. */
function vitestSum({testResults}) {
  const sum = {passed: 0, failed: 0, skipped: 0};
  for (const {status, assertionResults} of testResults) {
    const before = sum.failed;
    for (const one of assertionResults)
      sum[one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped'] += 1;
    // A file that cannot be loaded or prepared has failed without a test that says so.
    if (status === 'failed' && sum.failed === before) sum.failed += 1;
  }
  return sum;
}

const vitest =
  (...projects) =>
  async () =>
    counted(await runVitest(projects), vitestSum);

/** More files than this are no accident of a busy machine. */
const SECOND_TRIES = 4;

/**
 * Files that talk to processes and servers: those that failed get a second try, alone, in which each test may fail
 * once: a file of a hundred tests is not to be lost to two that were late. One that needs it is named in the sum: it
 * passes, and is not sound.
 */
const vitestTwice =
  (...projects) =>
  async () => {
    const first = await runVitest(projects);
    const sum = counted(first, vitestSum);
    const failed = first?.said.testResults.filter(one => one.status === 'failed') ?? [];
    if (sum.failed === 0 || failed.length === 0 || failed.length > SECOND_TRIES) return sum;
    const files = failed.map(({name}) => relative('.', name));
    process.stdout.write(`\nfailed, and tried once more alone: ${files.join(', ')}\n`);
    const second = await runVitest(projects, files, ['--maxWorkers=1', '--retry=1']);
    const again = counted(second, vitestSum);
    const sound = vitestSum({testResults: first.said.testResults.filter(one => one.status !== 'failed')});
    const mended = files.filter((_, i) =>
      second?.said.testResults.some(({name, status}) => name === failed[i].name && status === 'passed'),
    );
    return {
      passed: sound.passed + again.passed,
      failed: sound.failed + again.failed,
      skipped: sound.skipped + again.skipped,
      unsound: mended,
    };
  };

const playwright = async () => {
  const answer = await report(
    'playwright',
    () => ['test', '--reporter=line,json'],
    file => ({PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(process.stdout.isTTY ? {} : {FORCE_COLOR: '0'})}),
  );
  return {
    ...counted(answer, ({stats, errors}) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    })),
    unsound: flaky(answer?.said.suites ?? []),
  };
};

/** Titles of the browser tests that only passed when tried again. */
const flaky = suites =>
  suites.flatMap(({specs = [], suites: inner = []}) => [
    ...specs.filter(({tests}) => tests.some(({status}) => status === 'flaky')).map(({title}) => title),
    ...flaky(inner),
  ]);

/** The second time only what changed is looked at. */
function types(project, name) {
  const memory = join('node_modules', '.cache', `types-${name}.tsbuildinfo`);
  return whole('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', memory, '-p', project);
}

/** Each group at once, one group after the other: tests that start processes want the machine for themselves. */
export const checkGroups = [
  [
    ['format and lint', whole('biome', 'ci', '--colors=off', '--error-on-warnings', '.')],
    ['plain words', whole('node', 'scripts/plain-words.ts')],
    ['types', types('tsconfig.json', 'server')],
    ['types of the page', types('web', 'web')],
  ],
  [['unit', vitest('unit', 'web', 'lockdown')]],
];

export const allGroups = [
  ...checkGroups,
  [['integration', vitestTwice('integration')]],
  [['browser', playwright]],
];
