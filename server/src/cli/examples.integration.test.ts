// Every example in the help of a command runs, and docs/cli.md shows it.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {bin, descendants, TestInstance} from '../start/testing-instance.ts';
import type {TerminalCommand} from './command.ts';
import {commands} from './commands.ts';

let server: TestInstance;
const folder = mkdtempSync(join(tmpdir(), 'krtscope-examples-'));
beforeAll(async () => {
  // The files that the examples of redact name.
  writeFileSync(join(folder, 'shop.yaml'), 'kind: Secret\nmetadata: {name: db}\ndata: {a: Yg==}\n');
  writeFileSync(join(folder, 'policy.yaml'), 'names: [iban]\n');
  server = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '10']);
  await server.ready();
  // The examples name moments up to 80.
  while ((await server.json<{sequence: number}>('/api/v1/graph')).sequence <= 80)
    await new Promise(resolve => setTimeout(resolve, 100));
});
afterAll(async () => {
  rmSync(folder, {recursive: true});
  await server.stop();
});

const loaded: [string, TerminalCommand][] = [];
for (const [name, {load}] of Object.entries(commands)) loaded.push([name, await load()]);
/** These need another program or files that the examples only name; their own tests run them. */
const examples = loaded
  .filter(([name]) => name !== 'what-if' && name !== 'attach')
  .flatMap(([name, {examples: list, exitCodes = []}]) =>
    list.map(([line]) => ({line, codes: [0, ...exitCodes.map(([code]) => code)], name})),
  );

/** Runs a line in a shell, as a user types it. */
function runLine(line: string): TestInstance {
  const shell = `cd "${folder}" && krtscope() { "${process.execPath}" "${bin}" "$@"; } && ${line}`;
  return new TestInstance([], {home: server.home, command: ['bash', '-c', shell]});
}

test.each(examples.filter(({line}) => !/ -w$|incident-ended/.test(line)))('$line', async ({line, codes}) => {
  const {code, stderr} = await runLine(line).ended;
  expect({stderr, fits: codes.includes(code ?? -1)}).toEqual({stderr: expect.any(String), fits: true});
  expect(stderr).not.toMatch(/^krtscope:/m);
});

test('docs/cli.md shows each of them, and each command', () => {
  const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  const lines = page.split('\n');
  for (const {line} of examples) expect(lines).toContain(line);
  for (const name of Object.keys(commands)) expect(page).toContain(`\`${name}\``);
});

test('each command has help of its own, with its flags and its exit codes', async () => {
  const {stdout, code} = await runLine('krtscope why --help').ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/^krtscope why: /);
  expect(stdout).toContain('--run ID');
  expect(stdout).not.toContain('--demo');
  expect((await runLine('krtscope help wait').ended).stdout).toContain('  4  the condition did not hold');
});

test('get -w prints what changes', async () => {
  const watch = runLine('krtscope get pods -w --output-watch-events');
  await expect.poll(() => watch.stdout, {timeout: 60_000}).toMatch(/^EVENT +NAMESPACE +NAME/);
  await expect.poll(() => watch.stdout, {timeout: 60_000}).toMatch(/^MODIFIED +\w+/m);
  for (const pid of [watch.child.pid as number, ...descendants(watch.child.pid as number)]) process.kill(pid);
  await watch.ended;
});

test('wait ends with 4 after its time, and says why', async () => {
  const {code, stderr} = await runLine('krtscope wait --for row=pods/shop/none --timeout 1s').ended;
  expect(code).toBe(4);
  expect(stderr).toContain('timed out waiting for row=pods/shop/none');
});

test('completion offers commands, kinds, keys, namespaces and flags', async () => {
  const complete = async (line: string) => (await runLine(`krtscope __complete ${line}`).ended).stdout;
  expect(await complete('why')).toMatch(/^why\t/m);
  expect(await complete('get po')).toMatch(/^pods\tPod$/m);
  expect(await complete('get Work')).toMatch(/^Workloads$/m);
  expect(await complete('why workloads -n data re')).toBe('redis-0\nredis-1\nredis-2\n');
  expect(await complete("get pods -n ''")).toMatch(/^data$/m);
  expect(await complete('get pods --no-h')).toMatch(/^--no-headers\t/);
  expect(await complete('wait --for row=pods/data/redis')).toMatch(/^row=pods\/data\/redis-0$/m);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s is valid where that shell exists', async shell => {
  const check = {bash: 'bash -n', zsh: 'zsh -n', fish: 'fish -n'}[shell];
  const line = `krtscope completion ${shell} > script && if command -v ${shell}; then ${check} script; fi`;
  expect(await runLine(line).ended).toMatchObject({code: 0, stderr: ''});
});

test('bash completes with the script', async () => {
  const line = `source <(krtscope completion bash)
    COMP_WORDS=(krtscope get pods data/redis); COMP_CWORD=3; compopt() { :; }; _krtscope; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect((await runLine(line).ended).stdout).toBe('data/redis-0\ndata/redis-1\ndata/redis-2\n');
});

test('a terminal gets colours and columns that fit; NO_COLOR turns colours off', async () => {
  const inTerminal = (before: string) =>
    runLine(
      `stty -a >/dev/null 2>&1; script -qec 'stty cols 60; ${before} "${process.execPath}" "${bin}" get pods' /dev/null`,
    ).ended;
  const {stdout} = await inTerminal('');
  expect(stdout).toContain('\u001b[1mNAMESPACE\u001b[22m');
  const plain = (await inTerminal('NO_COLOR=1')).stdout;
  expect(plain).not.toContain('\u001b[');
  for (const line of plain.split('\r\n')) expect(line.length).toBeLessThanOrEqual(60);
});
