// Reads flags and environment variables into one typed config.
import {homedir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {nameOfTarget, parseAttachTarget, splitAttachName} from './attach/attach-target.ts';
import {type Flag, flags, flagText} from './flags.ts';
import {UsageError} from './usage-error.ts';

export interface Config {
  demo: boolean;
  kubeconfig?: string;
  context?: string;
  namespaces: string[];
  /** Kinds besides the built-in ones, in any form that kubectl accepts. */
  sources: string[];
  /** Programs to attach to, with the files of their logs. */
  attach: AttachRequest[];
  /** Folder of the first session's formulas. Default: the data directory, as for all other sessions. */
  graph?: string;
  /** Shipped collections that are not read. */
  without: string[];
  host: string;
  port: number;
  /** Host names besides addresses, localhost and `host`. */
  allowedHosts: string[];
  publicUrl?: string;
  tls?: {cert: string; key: string};
  auth: AuthKind;
  /** Networks whose forwarded user is believed. */
  trustedProxies: string[];
  token?: string;
  dataDir: string;
  open: boolean;
  demoSeed: number;
  demoPace: number;
  demoPods?: number;
  historyRuns: number;
  historyMb: number;
  /** Folder of the history on disk. */
  historyDir: string;
  historyDays: number;
  /** Gigabytes; 0 keeps nothing on disk. */
  historyDisk: number;
  engineMemory: number;
  showSecrets: boolean;
  /** The file of a redaction policy. */
  redact?: string;
  /** Run formulas from the cluster. The demo always does. */
  clusterFormulas: boolean;
  /** Allow writes to clusters other than the demo. */
  allowWrites: boolean;
}

const authKinds = ['token', 'kubernetes', 'proxy'] as const;
export type AuthKind = (typeof authKinds)[number];

export interface AttachRequest {
  name: string | undefined;
  target: string;
  /** A file, or `off`: a Pod's log is not read. */
  log: string | undefined;
}

export type ConfigEnvironment = Record<string, string | undefined>;
type ConfigValue = {value: boolean | string | number | string[]; from: 'flag' | 'environment'};

const environmentVariableOf = (name: string) => `KRTSCOPE_${name.toUpperCase().replaceAll('-', '_')}`;

/** The config of `krtscope [flags]`; `rest` holds the other arguments. Throws UsageError. */
export function parseConfig(args: string[], env: ConfigEnvironment): {config: Config; rest: string[]} {
  const options = Object.fromEntries(
    flags.map(flag => [
      flag.name,
      {
        type: flag.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: flag.type === 'list',
      },
    ]),
  );
  let parsed: {values: Record<string, unknown>; positionals: string[]};
  try {
    parsed = parseArgs({args, options, allowPositionals: true, allowNegative: true, strict: true});
  } catch (error) {
    // Keep only the first sentence: the rest is advice about Node's parser.
    const message = (error as Error).message.split(/\.\s/)[0];
    throw new UsageError(`${message}; krtscope --help lists the flags`);
  }
  const given = new Map<string, ConfigValue>();
  for (const flag of flags) {
    const value = parsed.values[flag.name];
    const text = env[environmentVariableOf(flag.name)];
    if (value !== undefined) given.set(flag.name, {value: readFlag(flag, value), from: 'flag'});
    else if (text !== undefined && text !== '')
      given.set(flag.name, {value: readVariable(flag, text), from: 'environment'});
  }
  resolveDemoFlags(given);
  const auth = given.get('auth')?.value ?? 'token';
  if (given.get('demo')?.value === true && auth !== 'token')
    throw new UsageError(
      `--auth ${auth} asks a cluster who may enter, and --demo has no users; leave one of them out`,
    );
  return {config: toConfig(given, env), rest: parsed.positionals};
}

function readFlag(flag: Flag, value: unknown): ConfigValue['value'] {
  if (flag.type === 'boolean') return value as boolean;
  if (flag.type === 'list')
    return (value as string[]).map(one =>
      checkText(flag, flagText(flag), requireNonEmpty(flagText(flag), one)),
    );
  const text = requireNonEmpty(flagText(flag), value as string);
  return flag.type === 'number' ? readNumber(flag, flagText(flag), text) : text;
}

function readVariable(flag: Flag, text: string): ConfigValue['value'] {
  const name = environmentVariableOf(flag.name);
  if (flag.type === 'list')
    return text
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
      .map(one => checkText(flag, name, one));
  if (flag.type === 'number') return readNumber(flag, name, text);
  if (flag.type === 'text') return text;
  if (text !== '1' && text !== '0') throw new UsageError(`${name} is "${text}"; give 1 or 0`);
  return text === '1';
}

function requireNonEmpty(name: string, text: string): string {
  if (text === '') throw new UsageError(`${name} needs a value; krtscope --help lists the flags`);
  return text;
}

function checkText(flag: Flag, name: string, text: string): string {
  return flag.check === undefined ? text : flag.check(name, text);
}

function readNumber(flag: Flag, name: string, text: string): number {
  const number = Number(text);
  const {min = 0, max = Number.MAX_SAFE_INTEGER} = flag;
  const wrong = text.trim() === '' || !Number.isFinite(number) || number < min || number > max;
  if (wrong || (flag.whole && !Number.isInteger(number))) {
    const range = flag.max === undefined ? `from ${min} up` : `from ${min} to ${max}`;
    throw new UsageError(`${name} is "${text}"; give a ${flag.whole ? 'whole ' : ''}number ${range}`);
  }
  return number;
}

// A flag wins over a variable, so only two of the same origin contradict each other.
function resolveDemoFlags(given: Map<string, ConfigValue>): void {
  const demo = given.get('demo');
  if (demo?.value !== true) return;
  for (const name of ['kubeconfig', 'context']) {
    const other = given.get(name);
    if (other === undefined) continue;
    if (other.from === demo.from) {
      throw new UsageError(`--demo and --${name} contradict each other; give one of them`);
    }
    given.delete(demo.from === 'flag' ? name : 'demo');
  }
}

function toConfig(given: Map<string, ConfigValue>, env: ConfigEnvironment): Config {
  const read = (name: string) => given.get(name)?.value ?? flags.find(flag => flag.name === name)?.default;
  const text = (name: string) => read(name) as string | undefined;
  const number = (name: string) => read(name) as number;
  const token = text('token');
  if (token !== undefined && token.length < 8)
    throw new UsageError('--token is shorter than 8 characters; leave it out to generate one');
  const dataDir =
    text('data-dir') ??
    join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'krtscope');
  if (read('show-secrets') === true && text('redact') !== undefined)
    throw new UsageError('--show-secrets hides nothing, and --redact hides more; give one of them');
  return {
    demo: read('demo') === true,
    kubeconfig: text('kubeconfig'),
    context: text('context'),
    namespaces: [...new Set((read('namespace') as string[] | undefined) ?? [])],
    sources: [...new Set((read('source') as string[] | undefined) ?? [])],
    attach: attachRequests(
      (read('attach') as string[] | undefined) ?? [],
      (read('attach-log') as string[] | undefined) ?? [],
    ),
    graph: text('graph'),
    without: [...new Set((read('without') as string[] | undefined) ?? [])],
    host: text('host') as string,
    allowedHosts: [...new Set((read('allowed-host') as string[] | undefined) ?? [])],
    publicUrl: publicUrlOf(text('public-url')),
    tls: tlsOf(text('tls-cert'), text('tls-key')),
    ...authOf(text('auth') as string, (read('trusted-proxy') as string[] | undefined) ?? []),
    port: number('port'),
    token,
    dataDir,
    open: read('open') !== false,
    demoSeed: number('demo-seed'),
    demoPace: number('demo-pace'),
    demoPods: read('demo-pods') as number | undefined,
    historyRuns: number('history-runs'),
    historyMb: number('history-mb'),
    historyDir: text('history-dir') ?? join(dataDir, 'history'),
    historyDays: number('history-days'),
    historyDisk: number('history-disk'),
    engineMemory: number('engine-memory'),
    showSecrets: read('show-secrets') === true,
    redact: text('redact'),
    clusterFormulas: read('cluster-formulas') === true,
    allowWrites: read('allow-writes') === true,
  };
}

/** Joins the targets with their logs, by name. */
function attachRequests(targets: readonly string[], logs: readonly string[]): AttachRequest[] {
  const files = new Map(
    logs.map(text => {
      const {name, rest} = splitAttachName(text);
      return [name as string, rest];
    }),
  );
  const requests = targets.map(text => {
    const {name, rest: target} = splitAttachName(text);
    const log = files.get(name ?? nameOfTarget(parseAttachTarget(target)));
    return {name, target, log};
  });
  const names = new Set(requests.map(({name, target}) => name ?? nameOfTarget(parseAttachTarget(target))));
  const unknown = [...files.keys()].find(name => !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(`--attach-log names "${unknown}"; give --attach ${unknown}=TARGET too`);
  return requests;
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol) || new URL(text).pathname !== '/')
    throw new UsageError(
      `--public-url is "${text}"; give an address without a path, such as https://krtscope.example.com`,
    );
  return new URL(text).origin;
}

function tlsOf(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key go together; give both');
  return {cert, key};
}

function authOf(text: string, trustedProxies: string[]): Pick<Config, 'auth' | 'trustedProxies'> {
  const auth = authKinds.find(kind => kind === text);
  if (auth === undefined) throw new UsageError(`--auth is "${text}"; give ${authKinds.join(', ')}`);
  if (auth === 'proxy' && trustedProxies.length === 0)
    throw new UsageError(
      '--auth proxy needs --trusted-proxy CIDR: without it anyone could send X-Forwarded-User',
    );
  if (auth !== 'proxy' && trustedProxies.length > 0)
    throw new UsageError('--trusted-proxy goes with --auth proxy');
  return {auth, trustedProxies};
}
