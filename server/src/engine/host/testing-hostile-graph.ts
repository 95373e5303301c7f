// A graph for tests. An object of its source makes a formula try to escape, use all memory, or never end.
import {type Collection, type Engine, newCollection} from '../../krt/index.ts';
import door from './testing-door.cjs';

interface AttackOrder {
  metadata: {name: string};
  spec?: {attack?: string; target?: string; pid?: number};
}

export const sources = ['Orders'];

export function build(engine: Engine, source: (name: string) => Collection<unknown>): void {
  void engine;
  newCollection(
    source('Orders') as Collection<AttackOrder>,
    (_, {metadata, spec}) => ({name: metadata.name, result: runAttack(spec?.attack, spec)}),
    {name: 'Results', key: row => row.name},
  );
}

type Loader = (name: string) => unknown;
const loose = process as unknown as Record<string, Loader>;
/** Every known way to get a builtin module. `import` answers later. */
const moduleLoaders: Record<string, Loader> = {
  require: name => door.require(name),
  moduleRequire: name => door.module.require(name),
  load: name => door.module.constructor._load(name),
  getBuiltinModule: name => loose.getBuiltinModule!(name),
  binding: name => loose.binding!(name),
  import: name => {
    void import(name).then(
      () => later.push(`got in: import ${name}`),
      (error: NodeJS.ErrnoException) => later.push(`refused: ${error.code}`),
    );
    return undefined;
  },
};

/** The result of an attempt. Some refusals come later. */
function runAttack(attack: string | undefined, spec: AttackOrder['spec']): string {
  const target = spec?.target ?? '';
  switch (attack) {
    case 'builtin':
      return loadBuiltin(target);
    case 'left':
      return JSON.stringify({
        globals: Object.getOwnPropertyNames(globalThis),
        process: [process, Object.getPrototypeOf(process) as object].flatMap(Object.getOwnPropertyNames),
      });
    case 'global':
      return attempt(() => (globalThis as unknown as Record<string, (what: string) => unknown>)[target]!(''));
    case 'on-process':
      return String((process as unknown as Record<string, unknown>)[target]);
    case 'later':
      return later.join();
    case 'own-environment':
      return JSON.stringify({...process.env});
    case 'kill':
      return attempt(() => process.kill(spec?.pid ?? 0, 'SIGUSR2'));
    case 'debug':
      return attempt(() =>
        (process as unknown as Record<string, (pid: number) => void>)._debugProcess!(spec?.pid ?? 0),
      );
    case 'binding':
      return attempt(() =>
        (process as unknown as Record<string, (name: string) => unknown>).binding!('process_methods'),
      );
    case 'abort':
      return attempt(() => process.abort());
    case 'exit':
      return attempt(() => process.exit(3));
    case 'execve':
      return attempt(() => process.execve!('/bin/true', ['true'], {}));
    case 'warn':
      return attempt(() => process.emitWarning('a warning of a formula'));
    case 'memory':
      return exhaustHeap();
    case 'buffers':
      return exhaustBuffers();
    case 'loop':
      for (;;);
    default:
      return 'nothing asked';
  }
}

/** The result of each way to that module. */
function loadBuiltin(name: string): string {
  return Object.entries(moduleLoaders)
    .map(([way, load]) => `${way} ${attempt(() => load(name))}`)
    .join('; ');
}

/** Later results, as events: refusals, or an escape. */
const later: string[] = [];

function attempt(attack: () => unknown): string {
  try {
    attack();
    return 'no refusal yet';
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}

function exhaustHeap(): string {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({length: 1000}, (_, i) => ({i})));
}

function exhaustBuffers(): string {
  const kept: Uint8Array[] = [];
  for (;;) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1));
}
