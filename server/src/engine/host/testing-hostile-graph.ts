// A graph for tests whose formulas try to get out, to eat all memory or never to end, as an object of its source asks.
import {createRequire} from 'node:module';
import {type Collection, type Engine, newCollection} from '../../krt/index.ts';

interface Order {
  metadata: {name: string};
  spec?: {attack?: string; target?: string; pid?: number};
}

export const sources = ['Orders'];

export function build(engine: Engine, source: (name: string) => Collection<unknown>): void {
  void engine;
  newCollection(
    source('Orders') as Collection<Order>,
    (_, {metadata, spec}) => ({name: metadata.name, result: obey(spec?.attack, spec)}),
    {name: 'Results', key: row => row.name},
  );
}

const require = createRequire(import.meta.url);

/** What came of it; some refusals come later. */
function obey(attack: string | undefined, spec: Order['spec']): string {
  const target = spec?.target ?? '';
  switch (attack) {
    case 'socket':
      return attempt(() => require('node:net').connect(Number(target), '127.0.0.1'));
    case 'listen':
      return attempt(() => require('node:net').createServer().listen(0, '127.0.0.1'));
    case 'lookup':
      return attempt(() => lookup());
    case 'udp':
      return attempt(() => sendPacket(Number(target)));
    case 'write':
      return attempt(() => require('node:fs').writeFileSync(target, 'x'));
    case 'read':
      return attempt(() => require('node:fs').readFileSync(target, 'utf8'));
    case 'child':
      return attempt(() => require('node:child_process').execFileSync('/bin/true'));
    case 'worker':
      return attempt(() => new (require('node:worker_threads').Worker)('1', {eval: true}));
    case 'inspector':
      return attempt(() => require('node:inspector').open(0));
    case 'addon':
      return attempt(() => require(target));
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
    case 'memory':
      return eat();
    case 'buffers':
      return eatBuffers();
    case 'loop':
      for (;;);
    default:
      return 'nothing asked';
  }
}

function sendPacket(port: number): unknown {
  const socket = require('node:dgram').createSocket('udp4');
  socket.send('x', port, '127.0.0.1');
  return socket;
}

function lookup(): void {
  require('node:dns').lookup('localhost', (error: NodeJS.ErrnoException | null) =>
    later.push(error === null ? 'got in: lookup' : `refused: ${error.code}`),
  );
}

/** What came later, as an event: refusals, or a way out. */
const later: string[] = [];

function attempt(attack: () => unknown): string {
  try {
    const got = attack();
    if (typeof got === 'object' && got !== null && 'on' in got) {
      const emitter = got as NodeJS.EventEmitter;
      emitter.on('error', error => later.push(`refused: ${(error as NodeJS.ErrnoException).code}`));
      for (const name of ['connect', 'listening', 'message'])
        emitter.on(name, () => later.push(`got in: ${name}`));
    }
    return 'no refusal yet';
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}

function eat(): string {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({length: 1000}, (_, i) => ({i})));
}

function eatBuffers(): string {
  const kept: Uint8Array[] = [];
  for (;;) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1));
}
