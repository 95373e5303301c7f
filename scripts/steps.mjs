// The steps of npm test, and how to read each one's count of passed, failed and skipped.
import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

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
      const child = spawn(bin(command), args, {stdio: ['ignore', 'pipe', 'pipe']});
      const said = [];
      child.stdout.on('data', chunk => said.push(chunk));
      child.stderr.on('data', chunk => said.push(chunk));
      child.on('error', error => said.push(Buffer.from(`${command}: ${error.message}\n`)));
      child.on('close', code => {
        process.stdout.write(Buffer.concat(said));
        resolve(code === 0 ? {passed: 1, failed: 0, skipped: 0} : {passed: 0, failed: 1, skipped: 0});
      });
    });

const report = (command, args, reportEnv, read) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-report-'));
  const file = join(folder, 'report.json');
  try {
    const code = await run(bin(command), args(file), reportEnv(file));
    // A runner that died before its report has failed, whatever it counted.
    if (!existsSync(file)) return {passed: 0, failed: 1, skipped: 0};
    const counted = read(JSON.parse(readFileSync(file, 'utf8')));
    return code !== 0 && counted.failed === 0 ? {...counted, failed: 1} : counted;
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
};

const vitest = (...projects) =>
  report(
    'vitest',
    file => [
      'run',
      ...projects.flatMap(name => ['--project', name]),
      '--reporter=dot',
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    // CI asks for colours where nobody sees them, and every dot of a log gets nine letters of its own.
    () => (process.stdout.isTTY ? {} : {NO_COLOR: '1'}),
    // Its own totals leave out what is skipped inside something skipped.
    ({testResults}) => {
      const counted = {passed: 0, failed: 0, skipped: 0};
      for (const {status, assertionResults} of testResults) {
        const before = counted.failed;
        for (const one of assertionResults)
          counted[one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped'] += 1;
        // A file that cannot be loaded or prepared has failed without a test that says so.
        if (status === 'failed' && counted.failed === before) counted.failed += 1;
      }
      return counted;
    },
  );

const playwright = report(
  'playwright',
  () => ['test', '--reporter=line,json'],
  file => ({PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...(process.stdout.isTTY ? {} : {FORCE_COLOR: '0'})}),
  ({stats, errors}) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }),
);

/** The second time only what changed is looked at. */
function types(project, name) {
  const memory = join('node_modules', '.cache', `types-${name}.tsbuildinfo`);
  return whole('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', memory, '-p', project);
}

/** Each group at once, one group after the other: tests that start processes want the machine for themselves. */
export const checkGroups = [
  [
    ['format and lint', whole('biome', 'ci', '--colors=off', '--error-on-warnings', '.')],
    ['types', types('tsconfig.json', 'server')],
    ['types of the page', types('web', 'web')],
  ],
  [['unit', vitest('unit', 'web', 'lockdown')]],
];

export const allGroups = [
  ...checkGroups,
  [['integration', vitest('integration')]],
  [['browser', playwright]],
];
