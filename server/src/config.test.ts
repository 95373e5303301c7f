import {expect, test} from 'vitest';
import {parseConfig} from './config.ts';
import {flags} from './flags.ts';
import {helpText} from './help.ts';
import {UsageError} from './usage-error.ts';

const parse = (args: string[], env: Record<string, string> = {}) =>
  parseConfig(args, {HOME: '/home/x', ...env}).config;

test('defaults: loopback, port 7070, 50,000 runs in 64 MB, data under the home directory', () => {
  expect(parse([])).toEqual({
    demo: false,
    namespaces: [],
    without: [],
    allowedHosts: [],
    auth: 'token',
    trustedProxies: [],
    sources: [],
    attach: [],
    host: '127.0.0.1',
    port: 7070,
    dataDir: '/home/x/.local/state/krtscope',
    open: true,
    demoSeed: 1,
    demoPace: 1,
    historyRuns: 50_000,
    historyMb: 64,
    historyDir: '/home/x/.local/state/krtscope/history',
    historyDays: 7,
    historyDisk: 4,
    engineMemory: 4096,
    showSecrets: false,
    clusterFormulas: false,
    allowWrites: false,
  });
  expect(parse([], {XDG_STATE_HOME: '/state'}).dataDir).toBe('/state/krtscope');
});

test('a variable sets what no flag sets, lists split at commas, KRTSCOPE_OPEN=0 is --no-open', () => {
  const env = {KRTSCOPE_PORT: '0', KRTSCOPE_NAMESPACE: 'a, b', KRTSCOPE_OPEN: '0', KRTSCOPE_DEMO: '1'};
  expect(parse(['--port', '8080'], env)).toMatchObject({
    port: 8080,
    namespaces: ['a', 'b'],
    open: false,
    demo: true,
  });
  expect(parse(['--no-open']).open).toBe(false);
  expect(parse([], {KRTSCOPE_REDACT: 'policy.yaml'}).redact).toBe('policy.yaml');
});

test('an empty variable counts as not set', () => {
  expect(parse([], {KRTSCOPE_PORT: '', KRTSCOPE_DEMO: ''})).toMatchObject({port: 7070, demo: false});
});

test.each([
  [['--nope'], 'nope'],
  [['--port', 'x'], '--port is "x"'],
  [['--port', '70000'], 'from 0 to 65535'],
  [['--port'], 'port'],
  [['--demo', '--context', 'a'], 'contradict'],
  [['--redact', 'a', '--show-secrets'], 'give one of them'],
  [['--demo', '--kubeconfig', 'a'], 'contradict'],
  [['--demo-pace', '-1'], 'demo-pace'],
  [['--history-mb', '1.5'], 'whole number'],
  [['--history-runs', '0'], 'from 1 up'],
  [['--namespace', 'a,b'], 'repeat the flag'],
  [['--namespace', 'No Such'], 'not a valid namespace name'],
])('%j is a usage error that says what is wrong', (args, words) => {
  expect(() => parse(args)).toThrow(UsageError);
  expect(() => parse(args)).toThrow(words);
});

test('a recording may be as short as one run', () => {
  expect(parse(['--history-runs', '1'])).toMatchObject({historyRuns: 1});
});

test('a boolean variable takes 1 and 0 only', () => {
  expect(() => parse([], {KRTSCOPE_DEMO: 'yes'})).toThrow('give 1 or 0');
});

test('a flag beats a contradicting variable instead of being refused', () => {
  expect(parse(['--demo'], {KRTSCOPE_CONTEXT: 'prod'})).toMatchObject({demo: true});
  expect(parse(['--demo'], {KRTSCOPE_CONTEXT: 'prod'}).context).toBeUndefined();
  expect(parse(['--context', 'prod'], {KRTSCOPE_DEMO: '1'})).toMatchObject({demo: false, context: 'prod'});
});

test('help lists every flag', () => {
  for (const flag of flags)
    expect(helpText()).toContain(flag.name === 'open' ? '--no-open' : `--${flag.name}`);
});

test('a token that could be guessed is refused', () => {
  expect(() => parseConfig(['--token', 'ab'], {})).toThrow(/shorter than 8/);
  expect(parseConfig(['--token', 'abcdefgh'], {}).config.token).toBe('abcdefgh');
});

test('kinds to read are named as for kubectl, by flag or variable', () => {
  const {config} = parseConfig(['--source', 'gtw', '--source', 'gateways.gateway.networking.k8s.io'], {});
  expect(config.sources).toEqual(['gtw', 'gateways.gateway.networking.k8s.io']);
  expect(parseConfig([], {KRTSCOPE_SOURCE: 'jobs, leases'}).config.sources).toEqual(['jobs', 'leases']);
  expect(() => parseConfig(['--source', 'a/b'], {})).toThrow(/name a resource/);
  expect(parseConfig(['--graph', 'mine'], {}).config.graph).toBe('mine');
  expect(parseConfig([], {KRTSCOPE_GRAPH: '/tmp/mine'}).config.graph).toBe('/tmp/mine');
});

test('programs to attach to, each with its log', () => {
  const {attach} = parse([
    '--attach',
    'http://127.0.0.1:8080/debug/krtz?a=b',
    '--attach',
    'mine=http://127.0.0.1:9097/snapshots/krt',
    '--attach-log',
    'mine=/var/log/mine.log',
  ]);
  expect(attach).toEqual([
    {name: undefined, target: 'http://127.0.0.1:8080/debug/krtz?a=b', log: undefined},
    {name: 'mine', target: 'http://127.0.0.1:9097/snapshots/krt', log: '/var/log/mine.log'},
  ]);
  expect(parse(['--attach', 'istiod.mesh', '--attach-log', 'istiod=off']).attach).toEqual([
    {name: undefined, target: 'istiod.mesh', log: 'off'},
  ]);
});

test.each([
  [['--attach', 'ftp://x'], /ftp:\/\/ is not supported/],
  [['--attach', 'pod/a/b'], /needs a port: pod\/a\/b:8080/],
  [['--attach', 'deploy/a'], /write deploy\/NAMESPACE\/NAME:PORT/],
  [['--attach-log', '/var/log/x'], /write NAME=FILE/],
  [['--attach-log', 'x=/var/log/x'], /give --attach x=TARGET too/],
])('%j is refused', (args, message) => {
  expect(() => parse(args)).toThrow(message);
});
