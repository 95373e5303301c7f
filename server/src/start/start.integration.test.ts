// The command from outside: output lines, exit codes, signals, leftovers.
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {connect as connectSocket, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, test} from 'vitest';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {escapeControlCharacters} from '../terminal.ts';
import {bin, descendants, survivors, TestInstance} from './testing-instance.ts';

const open: TestInstance[] = [];
function start(...args: ConstructorParameters<typeof TestInstance>): TestInstance {
  const instance = new TestInstance(...args);
  open.push(instance);
  return instance;
}
afterEach(async () => {
  for (const instance of open.splice(0)) await instance.stop('SIGKILL');
});

const demo = ['--demo', '--port', '0', '--no-open', '--demo-pace', '0'];
const portIsFree = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
const portOf = async (instance: TestInstance) => Number(new URL((await instance.address()).url).port);

describe('what it says', () => {
  test('exactly three lines: the address with its token, the cluster and why, that it is read-only', async () => {
    const instance = start(demo);
    const lines = await instance.lines();
    await instance.ready();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\?token=\S{20,}$/);
    expect(lines[1]).toContain('demo');
    expect(lines[1]).toContain('--demo');
    const kubeconfig = join(instance.home, '.local/state/krtscope/cluster/kubeconfig');
    expect(lines[1]).toContain(kubeconfig);
    expect(lines[2]).toContain('read-only');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(statSync(join(instance.home, '.local/state/krtscope/token')).mode & 0o777).toBe(0o600);
    const port = await portOf(instance);
    const note = join(instance.home, `.local/state/krtscope/instances/${port}.json`);
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({
      address: `http://127.0.0.1:${port}/`,
      token: (await instance.address()).token,
    });
    expect(statSync(note).mode & 0o777).toBe(0o600);
    instance.child.kill('SIGTERM');
    const {code, stdout} = await instance.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(() => statSync(note)).toThrow();
  });

  test('with no kubeconfig it is the demo, and says that this is why', async () => {
    const lines = await start(['--port', '0', '--no-open']).lines();
    expect(lines[1]).toMatch(/demo.*no kubeconfig/);
  });

  test('the token is kept, so that open tabs survive a restart', async () => {
    const first = start(demo);
    const {token} = await first.address();
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    const second = start(demo, {home: first.home});
    expect((await second.address()).token).toBe(token);
  });

  test('--allow-writes says what may be written, in the third line and in /session', async () => {
    const made = start([...demo, '--allow-writes']);
    const lines = await made.lines();
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^writes are allowed \(--allow-writes\).*secrets are redacted/);
    await made.ready();
    expect(await made.json('/api/v1/session')).toMatchObject({readOnly: false});
  });

  test('open shows a recording with no cluster, and says that it shows secrets when it was made so', async () => {
    const made = start([...demo, '--show-secrets']);
    expect((await made.lines())[2]).toMatch(/read-only.*SHOWN \(--show-secrets\)/);
    await made.ready();
    const file = join(made.home, 'shown.krtrec');
    writeFileSync(file, Buffer.from(await (await made.get('/api/v1/recording')).arrayBuffer()));
    const opened = start(['open', file, '--port', '0', '--no-open']);
    const lines = await opened.lines();
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(file);
    expect(lines[2]).toMatch(/read-only.*SHOWN \(the recording/);
    expect(await opened.json('/api/v1/session')).toMatchObject({
      name: 'file:shown.krtrec',
      cluster: {kind: 'recording'},
      redacted: false,
    });
    const items = await opened.json<{total: number}>('/api/v1/collections/Workloads/items');
    expect(items.total).toBeGreaterThan(40);
    expect((await opened.get('/readyz')).status).toBe(200);
  });

  test('--help and --version say their part and end', async () => {
    expect(await start(['--help']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--demo-pods'),
    });
    expect(await start(['--version']).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^krtscope \d/),
    });
  });
});

describe('what bad input gets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-bad-'));
  afterAll(() => rmSync(folder, {recursive: true}));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const good = file(
    'good',
    'apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "https://127.0.0.1:9"}}]\nusers: [{name: u, user: {}}]\n',
  );
  const broken = file('broken', 'apiVersion: v1\nkind: Config\nclusters: [\n  - {{\n');
  const uncertified = file(
    'uncertified',
    readFileSync(good, 'utf8').replace(
      'user: {}',
      'user: {client-certificate: none.crt, client-key: none.key}',
    ),
  );
  mkdirSync(join(folder, 'folder'), {recursive: true});

  test.each([
    ['an unknown flag', ['--nope'], /--nope/],
    ['--demo with --context', ['--demo', '--context', 'a'], /contradict/],
    ['a port that is no number', ['--port', 'x'], /--port/],
    ['an unknown context', ['--kubeconfig', good, '--context', 'b'], /unknown context "b"/],
    ['a kubeconfig that is not there', ['--kubeconfig', join(folder, 'none')], /none/],
    ['a kubeconfig that is a folder', ['--kubeconfig', join(folder, 'folder')], /folder/],
    ['a kubeconfig that is not YAML: file and line', ['--kubeconfig', broken], /broken:\d+: not valid YAML/],
    ['a redaction policy that is wrong: file and line', ['--demo', '--redact', broken], /broken:\d+: /],
    [
      'a redaction policy that is not there',
      ['--demo', '--redact', join(folder, 'none')],
      /--redact .*none cannot be read/,
    ],
    ['a certificate that is not there', ['--kubeconfig', uncertified], /none\.crt/],
    ['a number that looks like a flag', ['--demo-pace', '-1'], /'--demo-pace' argument is ambiguous; /],
    ['a data directory that cannot be made', ['--demo', '--data-dir', join(good, 'x')], /data directory/],
    ['open without a file', ['open'], /krtscope open FILE/],
    ['a word that is no command', ['frobnicate'], /frobnicate/],
    ['a recording that is not there', ['open', join(folder, 'none.krtrec')], /none\.krtrec/],
    ['a recording that is none', ['open', good], /good/],
    ['a flag that speaks to the terminal', ['--\u001b[2J'], /\\u001b\[2J/],
    ['a command that does', ['\u001b]0;owned\u0007'], /\\u001b\]0;owned\\u0007/],
    ['a context that does', ['--kubeconfig', good, '--context', 'b\r\u009b1A'], /"b\\u000d\\u009b1A"/],
    ['a file that does, in two lines', ['open', 'a\nkrtscope: \u001b[2J'], /a krtscope: \\u001b\[2J/],
  ])('%s: one line that says it, exit 2', async (_, args, words) => {
    const {code, stdout, stderr} = await start([...args, '--no-open'], {env: {KRTSCOPE_PORT: '0'}}).ended;
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr.trimEnd()).toBe(escapeControlCharacters(stderr.trimEnd()));
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a port in use: one line that names it and offers --port 0, exit 1', async () => {
    const taken = createServer();
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve));
    const {port} = taken.address() as {port: number};
    const {code, stderr} = await start(['--demo', '--no-open', '--port', String(port)]).ended;
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} is in use`);
    expect(stderr).toContain('--port 0');
  });

  test('a cluster that does not answer: it serves all the same, says what is wrong, and opens the demo when asked', async () => {
    const instance = start(['--kubeconfig', good, '--port', '0', '--no-open', '--demo-pace', '0']);
    expect((await instance.lines())[1]).toContain('context a');
    type Described = {connection: {state: string; reason?: string}; cluster: {kind: string}; name: string};
    const deadline = Date.now() + 15_000;
    let session = await instance.json<Described>('/api/v1/session');
    while (session.connection.state === 'connecting' && Date.now() < deadline) {
      await new Promise(resolve => setTimeout(resolve, 100));
      session = await instance.json<Described>('/api/v1/session');
    }
    expect(session.connection).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining('does not answer'),
    });
    const {url} = await instance.address();
    const reasons = async () =>
      ((await (await instance.get('/readyz')).json()) as {reasons: string[]}).reasons.join('; ');
    await expect.poll(reasons, {timeout: 15_000}).toMatch(/unreachable: .*127\.0\.0\.1/);
    // A stranger learns the state, and no address of a server.
    const stranger = await fetch(new URL('/readyz', url));
    expect(stranger.status).toBe(503);
    expect(await stranger.json()).toEqual({ready: false, reasons: ['the cluster is unreachable']});
    expect((await instance.get('/healthz')).status).toBe(200);
    expect((await instance.get('/', {headers: {accept: 'text/html'}})).status).toBe(200);
    const opened = await instance.get('/api/v1/sessions', {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({demo: true}),
    });
    expect(opened.status).toBe(201);
    expect(((await opened.json()) as Described).cluster.kind).toBe('demo');
    expect(instance.child.exitCode).toBeNull();
  });
});

describe.skipIf(process.platform !== 'linux')('how it ends', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, no process left, no port held', async signal => {
    const instance = start(demo);
    const port = await portOf(instance);
    const below = descendants(instance.child.pid as number);
    expect(below.length).toBeGreaterThanOrEqual(2);
    instance.child.kill(signal);
    expect((await instance.ended).code).toBe(0);
    expect(await survivors(below)).toEqual([]);
    expect(await portIsFree(port)).toBe(true);
    expect(readdirSync(join(instance.home, '.local/state/krtscope/instances'))).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s to the whole group, as Ctrl+C in a terminal sends it, ends npm and everything',
    async signal => {
      const instance = start(['--', ...demo], {command: ['npm', 'start'], group: true});
      const port = await portOf(instance);
      const pid = instance.child.pid as number;
      const all = [pid, ...descendants(pid)];
      expect(all.length).toBeGreaterThanOrEqual(4);
      process.kill(-pid, signal);
      expect(await survivors(all)).toEqual([]);
      expect(await portIsFree(port)).toBe(true);
    },
  );

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('%s to npm alone ends everything', async signal => {
    const instance = start(['--', ...demo], {command: ['npm', 'start']});
    const port = await portOf(instance);
    const below = descendants(instance.child.pid as number);
    expect(below.length).toBeGreaterThanOrEqual(2);
    instance.child.kill(signal);
    expect(await survivors(below)).toEqual([]);
    expect(await portIsFree(port)).toBe(true);
  });

  test('it outlives who read its first lines, and says on stderr what happened to its engine process', async () => {
    const heard = start(demo);
    const unheard = start(demo);
    const engineOf = (instance: TestInstance) =>
      descendants(instance.child.pid as number).find(pid =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--permission'),
      ) ?? 0;
    for (const instance of [heard, unheard]) await instance.ready();
    unheard.child.stdout?.destroy();
    unheard.child.stderr?.destroy();
    for (const instance of [heard, unheard]) {
      const engine = engineOf(instance);
      // Process 0 would be this test's own group.
      expect(engine).toBeGreaterThan(0);
      process.kill(engine, 'SIGKILL');
      expect(await survivors([engine])).toEqual([]);
      await instance.ready();
    }
    expect(heard.stderr).toMatch(/^krtscope: engine process ended, restarting \(.*SIGKILL/m);
    expect(heard.stdout.trimEnd().split('\n')).toHaveLength(3);
  });

  test('the demo cluster that dies is started again with its seed, its address and its credentials', async () => {
    const instance = start(demo);
    await instance.ready();
    const kubeconfig = join(instance.home, '.local/state/krtscope/cluster/kubeconfig');
    const before = readFileSync(kubeconfig, 'utf8');
    const pods = async () => {
      const {items} = await instance.json<{items: {key: string}[]}>(
        '/api/v1/collections/Pods/items?limit=1000',
      );
      return items.map(({key}) => key).sort();
    };
    const seeded = await pods();
    const clusterPid = () =>
      descendants(instance.child.pid as number).find(pid =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('cluster/main'),
      );
    const first = clusterPid();
    expect(first).toBeGreaterThan(0);
    process.kill(first as number, 'SIGKILL');
    await expect
      .poll(() => instance.stderr, {timeout: 20_000})
      .toMatch(/demo cluster's process ended \(SIGKILL\) and is started again/);
    await expect.poll(clusterPid, {timeout: 20_000}).not.toBeOneOf([first, undefined]);
    // A write to the new process arrives in the old session.
    const config = readKubeconfig([kubeconfig]);
    const client = connect({config, context: config.currentContext ?? '', readOnly: false});
    const write = () => client.create(resources.Namespaces, {metadata: {name: 'after'}});
    await expect
      .poll(
        () =>
          write().then(
            () => true,
            () => false,
          ),
        {timeout: 30_000},
      )
      .toBe(true);
    const arrived = () => instance.get('/api/v1/collections/Namespaces/items/after');
    await expect.poll(async () => (await arrived()).status, {timeout: 90_000}).toBe(200);
    await instance.ready();
    expect(readFileSync(kubeconfig, 'utf8')).toBe(before);
    expect(await pods()).toEqual(seeded);
  });

  test('under an old Node, as with nohup, it outlives the shell that started it', async () => {
    const wrapper = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), {
      stdio: 'inherit', env: {...process.env, KRTSCOPE_PARENT: String(process.pid)}})`;
    const script = '"$0" -e "$1" "$2" "$3" "$4" "$5" "$6" & while [ ! -e "$HOME/end" ]; do sleep 0.1; done';
    const instance = start([], {
      command: [
        'sh',
        '-c',
        script,
        process.execPath,
        wrapper,
        bin,
        '--demo',
        '--port=0',
        '--no-open',
        '--demo-pace=0',
      ],
    });
    await instance.lines();
    const all = descendants(instance.child.pid as number);
    try {
      const ended = new Promise(resolve => instance.child.once('exit', resolve));
      writeFileSync(join(instance.home, 'end'), '');
      await ended;
      // Longer than the wrapper is watched.
      await new Promise(resolve => setTimeout(resolve, 1000));
      expect((await instance.get('/healthz')).status).toBe(200);
    } finally {
      for (const pid of all) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended with the others.
        }
      }
    }
  });

  test('SIGKILL of the main process takes the engine and the cluster with it', async () => {
    const instance = start(demo);
    await instance.ready();
    const below = descendants(instance.child.pid as number);
    instance.child.kill('SIGKILL');
    expect(await survivors(below)).toEqual([]);
  });

  test.each([28, 36])('with %d file descriptors it ends with a sentence and exit code 1', async limit => {
    const command = ['bash', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, bin];
    // Started by npm, which once mistook missing descriptors for its own end and exited with 0.
    const {code, stderr} = await start(demo, {command, env: {npm_command: 'exec'}}).ended;
    expect(stderr).toContain(
      `krtscope: out of file descriptors (the limit is ${limit}); raise the limit with "ulimit -n 65536" and start it again`,
    );
    expect(code).toBe(1);
  });
});
