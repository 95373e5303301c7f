// The steps of npm test, and how to read each one's count of passed, failed and skipped.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {stripVTControlCharacters} from 'node:util';

const bin = name => join('node_modules', '.bin', name);

/**
 * Runs a command to its end and gives its exit code. Shows its output as it comes, or at its end where several
 * commands run at once.
 */
function run(command, args, {env = {}, atEnd = false} = {}) {
  return new Promise(resolve => {
    const output = atEnd ? 'pipe' : 'inherit';
    const child = spawn(command, args, {
      stdio: ['ignore', output, output],
      env: {...process.env, ...env},
    });
    const chunks = [];
    child.stdout?.on('data', chunk => chunks.push(chunk));
    child.stderr?.on('data', chunk => chunks.push(chunk));
    child.on('error', error => chunks.push(Buffer.from(`${command}: ${error.message}\n`)));
    child.on('close', code => {
      process.stdout.write(Buffer.concat(chunks));
      resolve(code ?? 1);
    });
  });
}

/** A tool that passes or fails as a whole counts as one test. */
const whole =
  (command, ...args) =>
  async () => {
    const code = await run(command === 'node' ? process.execPath : bin(command), args, {atEnd: true});
    return {passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0};
  };

/** Runs a tool that writes a report; undefined if the tool died before that. */
async function report(command, args, options) {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-report-'));
  const file = join(folder, 'report.json');
  try {
    const code = await run(bin(command), args(file), options(file));
    return existsSync(file) ? {code, report: JSON.parse(readFileSync(file, 'utf8'))} : undefined;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

/** A runner fails if it dies before its report, or if it exits with an error and its report names no failure. */
const counted = (result, read) => {
  if (result === undefined)
    return {passed: 0, failed: 1, skipped: 0, failures: ['the tool ended without a report']};
  const sum = read(result.report);
  return result.code !== 0 && sum.failed === 0
    ? {...sum, failed: 1, failures: [`an error outside every test; the tool ended with code ${result.code}`]}
    : sum;
};

const runVitest = (projects, files = [], flags = []) =>
  report(
    'vitest',
    file => [
      'run',
      ...projects.flatMap(name => ['--project', name]),
      ...files,
      ...flags,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    // CI asks for colours, which turn every dot of a log into nine letters.
    () => ({env: process.stdout.isTTY ? {} : {NO_COLOR: '1'}}),
  );

const FIRST_LINES = 6;

/** A title with the first lines of its error, without colours. */
const failure = (title, message = '') =>
  [title, ...stripVTControlCharacters(message).trim().split('\n').slice(0, FIRST_LINES)]
    .join('\n      ')
    .trimEnd();

/** Counts the tests itself: vitest's totals leave out tests that are skipped inside a skipped group. */
function vitestSum({testResults}) {
  const sum = {passed: 0, failed: 0, skipped: 0, failures: []};
  for (const {name, status, message, assertionResults} of testResults) {
    const file = relative('.', name);
    const before = sum.failed;
    for (const one of assertionResults) {
      sum[one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped'] += 1;
      if (one.status === 'failed')
        sum.failures.push(failure(`${file}: ${one.fullName}`, one.failureMessages?.[0]));
    }
    // A file that cannot be loaded fails without a failed test.
    if (status === 'failed' && sum.failed === before) {
      sum.failed += 1;
      sum.failures.push(failure(file, message));
    }
  }
  return sum;
}

const SLOWEST_FILES = 8;

/** The files that took longest, for those who want a shorter run. */
const slowestFiles = ({testResults}) =>
  testResults
    .map(({name, startTime, endTime}) => ({file: relative('.', name), seconds: (endTime - startTime) / 1000}))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES)
    .map(({file, seconds}) => `${seconds.toFixed(0)} s ${file}`);

const vitest =
  (...projects) =>
  async () =>
    counted(await runVitest(projects), vitestSum);

/** If more files fail, the cause is not a busy machine. */
const MAX_SECOND_TRIES = 4;

/**
 * For tests that start processes and servers. Files that failed run a second time, alone, and each of their tests may
 * fail once more: two late tests should not fail a file of a hundred. The summary names these files as unsound.
 */
const vitestTwice =
  (...projects) =>
  async () => {
    const first = await runVitest(projects);
    const sum = {...counted(first, vitestSum), slowest: first ? slowestFiles(first.report) : []};
    const failed = first?.report.testResults.filter(one => one.status === 'failed') ?? [];
    if (sum.failed === 0 || failed.length === 0 || failed.length > MAX_SECOND_TRIES) return sum;
    return {...sum, again: () => vitestAgain(projects, first.report, failed)};
  };

async function vitestAgain(projects, firstReport, failed) {
  const files = failed.map(({name}) => relative('.', name));
  process.stdout.write(`\nfailed, trying once more alone: ${files.join(', ')}\n`);
  const second = await runVitest(projects, files, ['--maxWorkers=1', '--retry=1']);
  const again = counted(second, vitestSum);
  const sound = vitestSum({testResults: firstReport.testResults.filter(one => one.status !== 'failed')});
  const recovered = files.filter((_, i) =>
    second?.report.testResults.some(({name, status}) => name === failed[i].name && status === 'passed'),
  );
  return {
    passed: sound.passed + again.passed,
    failed: sound.failed + again.failed,
    skipped: sound.skipped + again.skipped,
    unsound: recovered,
    slowest: slowestFiles(firstReport),
    failures: again.failures,
  };
}

const runPlaywright = (flags = []) =>
  report(
    'playwright',
    () => ['test', `--reporter=${sideBySide ? 'dot' : 'line'},json`, ...flags],
    file => ({
      env: {PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(process.stdout.isTTY ? {} : {FORCE_COLOR: '0'})},
      atEnd: sideBySide,
    }),
  );

/** The browser tests of a report that ended in a state: flaky ones passed only when tried again. */
const browserTests = (suites, state) =>
  suites.flatMap(({specs = [], suites: inner = []}) => [
    ...specs.filter(({tests}) => tests.some(({status}) => status === state)),
    ...browserTests(inner, state),
  ]);

const playwrightSum = ({stats, errors, suites = []}) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
  unsound: browserTests(suites, 'flaky').map(({title}) => title),
  failures: [
    ...browserTests(suites, 'unexpected').map(({file, title, tests}) =>
      failure(`${file}: ${title}`, tests.at(-1)?.results.at(-1)?.error?.message),
    ),
    ...errors.map(({message}) => failure('outside every test', message)),
  ],
});

/** As for vitest: a few failed tests run once more when the machine has nothing else to do. */
const playwright = async () => {
  const result = await runPlaywright();
  const first = counted(result, playwrightSum);
  const failed = browserTests(result?.report.suites ?? [], 'unexpected').length;
  if (failed === 0 || failed !== first.failed || failed > MAX_SECOND_TRIES) return first;
  return {...first, again: () => playwrightAgain(first)};
};

async function playwrightAgain(first) {
  process.stdout.write(`\nfailed, trying once more alone: ${first.failed} browser tests\n`);
  const again = counted(await runPlaywright(['--last-failed', '--workers=1']), playwrightSum);
  const isComplete = again.passed + again.failed >= first.failed;
  return {
    passed: first.passed + again.passed,
    failed: isComplete ? again.failed : first.failed - again.passed,
    skipped: first.skipped,
    unsound: [...first.unsound, ...(again.failed === 0 ? first.failures : [])],
    failures: isComplete ? again.failures : first.failures,
  };
}

/** Checks types incrementally: the second time tsc looks only at what changed. */
function types(project, name) {
  const cache = join('node_modules', '.cache', `types-${name}.tsbuildinfo`);
  return whole('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', cache, '-p', project);
}

/** The steps of a group run at once, the groups one after the other. */
export const checkGroups = [
  [
    ['format and lint', whole('biome', 'ci', '--colors=off', '--error-on-warnings', '.')],
    ['plain words', whole('node', 'scripts/plain-words.ts')],
    ['types', types('tsconfig.json', 'server')],
    ['types of the page', types('web', 'web')],
  ],
  [['unit', vitest('unit', 'web', 'lockdown')]],
];

// Both mostly wait for processes, so that one fills the pauses of the other. A single core is too slow for both.
const sideBySide = availableParallelism() > 1;
const integration = ['integration', vitestTwice('integration')];
const browser = ['browser', playwright];

export const allGroups = [
  ...checkGroups,
  // Built once here, and not by each of the servers that the next steps start.
  [['build of the page', whole('node', 'scripts/build.mjs')]],
  ...(sideBySide ? [[integration, browser]] : [[integration], [browser]]),
];
