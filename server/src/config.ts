// Flags and environment to one typed config. Decides nothing about clusters; says what is wrong with the words.
import {homedir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

/** A mistake of the person who typed the command: one line on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Flag {
  name: string;
  type: 'boolean' | 'text' | 'list' | 'number';
  value?: string;
  help: string;
  default?: string | number;
  min?: number;
  max?: number;
  whole?: boolean;
  /** What each of a list has to be; throws UsageError. */
  check?: (name: string, text: string) => string;
}

export const flags: Flag[] = [
  {name: 'demo', type: 'boolean', help: 'start the embedded cluster and look at that'},
  {
    name: 'kubeconfig',
    type: 'text',
    value: 'FILE',
    help: 'the kubeconfig to read (as kubectl: KUBECONFIG, ~/.kube/config)',
  },
  {name: 'context', type: 'text', value: 'NAME', help: 'the context in it (default: its current one)'},
  {
    name: 'namespace',
    type: 'list',
    value: 'NAME',
    help: 'look at this namespace only; repeat for several',
    check: namespaceName,
  },
  {
    name: 'source',
    type: 'list',
    value: 'RESOURCE',
    help: 'read this kind too, named as kubectl takes it; repeat for several',
    check: resourceName,
  },
  {
    name: 'graph',
    type: 'text',
    value: 'FOLDER',
    help: 'where formulas and graph modules are kept (default: in the data directory)',
  },
  {name: 'host', type: 'text', value: 'ADDRESS', help: 'address to listen on', default: '127.0.0.1'},
  {
    name: 'port',
    type: 'number',
    value: 'N',
    help: 'port to listen on; 0 picks a free one',
    default: 7070,
    min: 0,
    max: 65535,
    whole: true,
  },
  {
    name: 'token',
    type: 'text',
    value: 'TEXT',
    help: 'access token (default: made once, kept in the data directory)',
  },
  {
    name: 'data-dir',
    type: 'text',
    value: 'FOLDER',
    help: 'where token, instances and the demo’s kubeconfig are kept',
  },
  {name: 'open', type: 'boolean', help: 'do not open a browser'},
  {
    name: 'demo-seed',
    type: 'number',
    value: 'N',
    help: 'what happens in the demo, repeatably',
    default: 1,
    min: 0,
    whole: true,
  },
  {
    name: 'demo-pace',
    type: 'number',
    value: 'X',
    help: 'how fast the demo lives; 0 is paused',
    default: 1,
    min: 0,
    max: 100,
  },
  {
    name: 'demo-pods',
    type: 'number',
    value: 'N',
    help: 'grow the demo’s shop to so many Pods',
    min: 1,
    max: 1_000_000,
    whole: true,
  },
  {
    name: 'history-runs',
    type: 'number',
    value: 'N',
    help: 'runs that the recording keeps',
    default: 50_000,
    min: 1,
    whole: true,
  },
  {
    name: 'history-mb',
    type: 'number',
    value: 'MB',
    help: 'size that the recording keeps to',
    default: 64,
    min: 1,
    whole: true,
  },
  {
    name: 'engine-memory',
    type: 'number',
    value: 'MB',
    help: 'heap limit of the engine process',
    default: 4096,
    min: 64,
    whole: true,
  },
  {name: 'show-secrets', type: 'boolean', help: 'do not redact Secrets, tokens and passwords'},
  {
    name: 'cluster-formulas',
    type: 'boolean',
    help: 'take formulas from the cluster, too (formulas.krtscope.dev; krtscope crd prints its CRD)',
  },
  {
    name: 'allow-writes',
    type: 'boolean',
    help: 'write to the cluster: the status of its formulas, and what apply controllers keep',
  },
];

export interface Config {
  demo: boolean;
  kubeconfig?: string;
  context?: string;
  namespaces: string[];
  /** Kinds beside the shipped ones, in any form that kubectl takes. */
  sources: string[];
  /** Where the first session keeps its formulas; absent: in the data directory, as all others. */
  graph?: string;
  host: string;
  port: number;
  token?: string;
  dataDir: string;
  open: boolean;
  demoSeed: number;
  demoPace: number;
  demoPods?: number;
  historyRuns: number;
  historyMb: number;
  engineMemory: number;
  showSecrets: boolean;
  /** Formulas of the cluster run, too; those of the demo always do. */
  clusterFormulas: boolean;
  /** Something other than GET may leave for a cluster that is not the demo's. */
  allowWrites: boolean;
}

export type Environment = Record<string, string | undefined>;
type Given = {value: boolean | string | number | string[]; from: 'flag' | 'environment'};

const variable = (name: string) => `KRTSCOPE_${name.toUpperCase().replaceAll('-', '_')}`;
const shown = (flag: Flag) => (flag.name === 'open' ? '--no-open' : `--${flag.name}`);

/** The config of `krtscope [flags]`; `rest` holds what is not a flag. Throws UsageError. */
export function parseConfig(args: string[], env: Environment): {config: Config; rest: string[]} {
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
    // Node's advice after the first sentence is about its own parser.
    const message = (error as Error).message.split(/\.\s/)[0];
    throw new UsageError(`${message}; krtscope --help lists the flags`);
  }
  const given = new Map<string, Given>();
  for (const flag of flags) {
    const value = parsed.values[flag.name];
    const text = env[variable(flag.name)];
    if (value !== undefined) given.set(flag.name, {value: readFlag(flag, value), from: 'flag'});
    else if (text !== undefined && text !== '')
      given.set(flag.name, {value: readVariable(flag, text), from: 'environment'});
  }
  settleDemo(given);
  return {config: toConfig(given, env), rest: parsed.positionals};
}

function readFlag(flag: Flag, value: unknown): Given['value'] {
  if (flag.type === 'boolean') return value as boolean;
  if (flag.type === 'list')
    return (value as string[]).map(one => checked(flag, shown(flag), nonEmpty(shown(flag), one)));
  const text = nonEmpty(shown(flag), value as string);
  return flag.type === 'number' ? readNumber(flag, shown(flag), text) : text;
}

function readVariable(flag: Flag, text: string): Given['value'] {
  const name = variable(flag.name);
  if (flag.type === 'list')
    return text
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
      .map(one => checked(flag, name, one));
  if (flag.type === 'number') return readNumber(flag, name, text);
  if (flag.type === 'text') return text;
  if (text !== '1' && text !== '0') throw new UsageError(`${name} is "${text}"; give 1 or 0`);
  return text === '1';
}

function nonEmpty(name: string, text: string): string {
  if (text === '') throw new UsageError(`${name} needs a value; krtscope --help lists the flags`);
  return text;
}

function checked(flag: Flag, name: string, text: string): string {
  return flag.check === undefined ? text : flag.check(name, text);
}

function resourceName(name: string, text: string): string {
  if (/^[A-Za-z][\w-]*(\.[\w-]+)*$/.test(text)) return text;
  throw new UsageError(
    `${name} is "${text}"; name a resource as for kubectl get: gateways, or gateways.gateway.networking.k8s.io`,
  );
}

// The server would answer with an empty list for a name that cannot be one, and the page would be empty without a word.
function namespaceName(name: string, text: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(`${name} is "${text}", which is no name of a namespace; repeat the flag for several`);
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

// A flag wins over a variable, so only two of the same rank contradict each other.
function settleDemo(given: Map<string, Given>): void {
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

function toConfig(given: Map<string, Given>, env: Environment): Config {
  const read = (name: string) => given.get(name)?.value ?? flags.find(flag => flag.name === name)?.default;
  const text = (name: string) => read(name) as string | undefined;
  const number = (name: string) => read(name) as number;
  const token = text('token');
  if (token !== undefined && token.length < 8)
    throw new UsageError('--token is shorter than 8 characters; leave it out, and one is made');
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  return {
    demo: read('demo') === true,
    ...(text('kubeconfig') === undefined ? {} : {kubeconfig: text('kubeconfig')}),
    ...(text('context') === undefined ? {} : {context: text('context')}),
    namespaces: [...new Set((read('namespace') as string[] | undefined) ?? [])],
    sources: [...new Set((read('source') as string[] | undefined) ?? [])],
    ...(text('graph') === undefined ? {} : {graph: text('graph')}),
    host: text('host') as string,
    port: number('port'),
    ...(token === undefined ? {} : {token}),
    dataDir: text('data-dir') ?? join(state, 'krtscope'),
    open: read('open') !== false,
    demoSeed: number('demo-seed'),
    demoPace: number('demo-pace'),
    ...(read('demo-pods') === undefined ? {} : {demoPods: number('demo-pods')}),
    historyRuns: number('history-runs'),
    historyMb: number('history-mb'),
    engineMemory: number('engine-memory'),
    showSecrets: read('show-secrets') === true,
    clusterFormulas: read('cluster-formulas') === true,
    allowWrites: read('allow-writes') === true,
  };
}

export function helpText(): string {
  const rows = flags.map(flag => {
    const left = `  ${shown(flag)}${flag.value === undefined ? '' : ` ${flag.value}`}`;
    const rest = flag.default === undefined ? '' : ` (default ${flag.default})`;
    return `${left.padEnd(24)}${flag.help}${rest}`;
  });
  return `krtscope, a visual debugger for declarative Kubernetes controllers

  krtscope [flags]                            look at a cluster, or at the demo when there is none
  krtscope open FILE [flags]                  look at a recording (.krtrec), no cluster needed
  krtscope why COLLECTION KEY                 why an item is as it is, from a running instance
  krtscope why-not COLLECTION KEY --expected COLLECTION/KEY
                                              why it did not react to that
  krtscope origin COLLECTION KEY [--field PATH] [--input]
                                              which write made it so, and how
  krtscope incidents [--state open|ended|all] what is wrong, by the write it goes back to
  krtscope items COLLECTION [-q FILTER] [-o json]
  krtscope graph [--mermaid | --dot | -o json]
  krtscope crd                                print the CRD of formulas.krtscope.dev, for kubectl apply -f -
  krtscope init [DIR]                         lay out an operator of your own; krtscope init --help
  krtscope node FILE [ARGS]                   run your own program with krtscope's Node 26, which takes TypeScript
  why, why-not, origin, incidents, items and graph take --url, --token, --session, --at N and -o json; without --url, the newest live
  instance. why takes --input (the key is an input's), items --sort [-]PATH and --limit N

Flags
${rows.join('\n')}
  --help                  this text
  --version               the version

Each flag is also a variable: KRTSCOPE_ and its name in capitals, "-" as "_"
(KRTSCOPE_PORT=0, KRTSCOPE_NAMESPACE=a,b, KRTSCOPE_OPEN=0). A flag wins.
krtscope only ever reads from the cluster. Formulas that you save are files in --graph.
`;
}
