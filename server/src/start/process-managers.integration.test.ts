// krtscope under the programs that keep processes running: setsid, systemd and tmux. npm and nohup are in start.integration.test.ts.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {eventually} from '../../test/manual-clock.ts';
import {bin, descendants} from './testing-instance.ts';

const flags = '--demo --demo-pace=0 --port=0 --no-open';
let folder: string;
/** Processes to end after a test, with everything below them. */
let main = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-managed-'));
  main = 0;
});

afterEach(() => {
  for (const pid of main === 0 ? [] : [main, ...descendants(main)]) send(pid, 'SIGKILL');
  rmSync(folder, {recursive: true, force: true});
});

const read = (file: string) =>
  existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readStat(pid));

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ') Z ';
  }
}

/** Without the variables of npm, which runs the tests: krtscope ends with npm. */
function terminalEnv(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

/** A shell command that runs krtscope in this folder, with its output in files and its process id in `pid`. */
function commandLine(before = ''): string {
  const script = join(folder, 'run.sh');
  const run = `exec ${before} ${process.execPath} ${bin} ${flags} --data-dir=${folder}/data`;
  writeFileSync(script, `echo $$ > ${folder}/pid\n${run} >${folder}/out 2>${folder}/err\n`);
  return `sh ${script}`;
}

async function answers(): Promise<string> {
  await eventually(
    () => `an address, but ${read('out')}${read('err')}`,
    () => read('out').includes('?token='),
  );
  main = Number(read('pid'));
  const url = new URL(/http:\S+token=\S+/.exec(read('out'))?.[0] ?? '');
  await eventually(
    () => `ready, but ${read('err')}`,
    async () => (await fetch(new URL('/readyz', url.origin))).status === 200,
    {every: 100},
  );
  return url.origin;
}

async function ends(processes: readonly number[]): Promise<void> {
  await eventually(
    () => `all end, but ${processes.filter(isAlive).map(readStat)}`,
    () => !processes.some(isAlive),
    {every: 50},
  );
  expect(read('err')).not.toMatch(/^\s+at /m);
}

test('under setsid it outlives the shell that started it and the hangup of its terminal', async () => {
  // The shell leads a group of its own, as in a terminal, and is hung up with all of it.
  const waiting = `while [ ! -s ${folder}/pid ]; do sleep 0.05; done; kill -HUP 0`;
  const shell = spawnSync('setsid', ['sh', '-c', `setsid ${commandLine()} & ${waiting}`], {
    stdio: 'ignore',
    env: terminalEnv(),
  });
  expect(shell.error).toBeUndefined();
  const origin = await answers();
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  const all = [main, ...descendants(main)];
  send(main, 'SIGTERM');
  await ends(all);
});

test('as a service of systemd: almost no environment, no terminal, no input, process 1 as its parent, all stopped at once', async () => {
  const environment = `env -i PATH=${process.env.PATH} LANG=C.UTF-8 INVOCATION_ID=0 JOURNAL_STREAM=8:1`;
  spawnSync('sh', ['-c', `(setsid ${environment} ${commandLine()} </dev/null &)`], {stdio: 'ignore'});
  await answers();
  const parent = readStat(main).split(') ')[1]?.split(' ')[1];
  expect(readFileSync(`/proc/${parent}/cmdline`, 'utf8')).not.toContain('run.sh');
  const all = [main, ...descendants(main)];
  expect(all.length).toBeGreaterThan(2);
  // KillMode=control-group signals every process of the service at the same time.
  for (const pid of all) send(pid, 'SIGTERM');
  await ends(all);
});

test('in tmux it goes on while no client is attached, and ends with its window', async () => {
  const socket = `krtscope-${process.pid}`;
  const hasTmux = spawnSync('tmux', ['-V']).status === 0;
  if (!hasTmux)
    console.warn('tmux is not installed: the hangup of a terminal stands for the end of its window');
  const tmux = (...args: string[]) => execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args]);
  try {
    if (hasTmux) tmux('new-session', '-d', commandLine());
    else spawnSync('sh', ['-c', `(setsid ${commandLine()} &)`], {stdio: 'ignore'});
    await answers();
    const all = [main, ...descendants(main)];
    if (hasTmux) tmux('kill-session');
    else send(main, 'SIGHUP');
    await ends(all);
  } finally {
    if (hasTmux) spawnSync('tmux', ['-L', socket, 'kill-server']);
  }
});
