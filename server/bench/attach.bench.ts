// An attached program: a document of 100,000 items against JSON.parse, a log of a million lines against a line split.
import {KrtzStructure} from '../src/attach/infer/krtz-structure.ts';
import {KrtzReader} from '../src/attach/krtz-document.ts';
import {LogStream} from '../src/attach/log/log-stream.ts';
import {atMost, type Bench} from './support/result-row.ts';

const ITEMS = 100_000;
const LINES = 1_000_000;
const ROUNDS = 7;
const PIECE_BYTES = 64 * 1024;

/** Half of the items are Pods of an informer, half are Workloads computed from them. */
function makeDocument(): string {
  const pods: Record<string, unknown> = {};
  const inputs: Record<string, unknown> = {};
  const workloads: Record<string, unknown> = {};
  for (let n = 0; n < ITEMS / 2; n++) {
    const [namespace, name] = [`ns-${n % 50}`, `pod-${n}`];
    const key = `${namespace}/${name}`;
    const labels = {app: `app-${n % 500}`, version: 'v1'};
    pods[key] = {
      metadata: {name, namespace, uid: `uid-${n}`, resourceVersion: String(n), labels},
      spec: {nodeName: `node-${n % 100}`, containers: [{name: 'main', image: 'registry/app:1'}]},
      status: {phase: 'Running', podIP: `10.0.${n % 250}.${n % 240}`},
    };
    const output = `Kubernetes//Pod/${key}`;
    inputs[key] = {dependencies: ['informer/Nodes', 'Services', 'Services'], outputs: [output]};
    workloads[output] = {Workload: {uid: output, name, namespace, node: `node-${n % 100}`}, Labels: labels};
  }
  return JSON.stringify([
    {name: 'informer/Pods', uid: 1, state: {outputs: pods, synced: true}},
    {name: 'informer/Nodes', uid: 2, state: {synced: true}},
    {name: 'Services', uid: 3, state: {synced: true}},
    {
      name: 'Workloads',
      uid: 4,
      state: {inputCollection: 'informer/Pods', inputs, outputs: workloads, synced: true},
    },
  ]);
}

/** Runs of one input each: an event, three fetches, an output, a publication. */
function makeLog(): Buffer[] {
  const parts: string[] = [];
  for (let n = 0; parts.length < LINES; n++) {
    const time = new Date(1_790_000_000_000 + n).toISOString().replace('Z', '000Z');
    const head = `${time}\tdebug\tkrt\t`;
    const [owner, input] = [`ambient/Collection${Math.floor(n / 20) % 30}`, `ns-${n % 50}/pod-${n % 5000}`];
    const parent = `Fetch\tparent=${owner}{${input}}`;
    parts.push(
      `${head}event size 1, impacts [${input}] objects\towner=${owner}`,
      `${head}${parent} fetch=informer/Nodes filter={keys=[node-${n % 100}]} size=1`,
      `${head}${parent} fetch=ambient/Services filter={selectsNonEmpty=map[app:app-${n % 500}]} size=0`,
      `${head}no match selectsNonEmpty: map[app:a] vs map[app:b]`,
      `${head}${parent} fetch=informer/Namespaces filter={keys=[ns-${n % 50}]} size=1`,
      `${head}handled\towner=${owner} res=${input} type=update`,
      `${head}calling handlers\towner=${owner} events=1`,
    );
  }
  const bytes = Buffer.from(`${parts.join('\n')}\n`);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}

function splitLines(pieces: readonly Buffer[]): number {
  let characters = 0;
  let rest = '';
  for (const piece of pieces) {
    const lines = (rest + piece.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) characters += line.length;
  }
  return characters;
}

function readLog(pieces: readonly Buffer[]): number {
  const stream = new LogStream();
  let batches = 0;
  for (const piece of pieces) {
    stream.write(piece);
    batches += stream.take().length;
  }
  return batches;
}

/** The shortest of some rounds, in milliseconds. */
function shortest(work: () => unknown): number {
  const times = Array.from({length: ROUNDS}, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}

function usedMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

const bench: Bench = {
  name: 'attach',
  async run() {
    const text = makeDocument();
    const parse = shortest(() => JSON.parse(text));
    const document = shortest(() => new KrtzReader().read(text));
    const structure = shortest(() => new KrtzStructure(new KrtzReader().read(text)));
    const before = usedMegabytes();
    const kept = new KrtzStructure(new KrtzReader().read(text));
    const memory = usedMegabytes() - before;
    const rows = kept.rows('Workloads').size;
    const pieces = makeLog();
    const split = shortest(() => splitLines(pieces));
    const log = shortest(() => readLog(pieces));
    const ratio = (value: number, base: number) => Math.round((value / base) * 10) / 10;
    return [
      {name: `JSON.parse of ${ITEMS} items`, value: parse, unit: 'ms', goals: []},
      {
        name: 'document / JSON.parse',
        value: ratio(document, parse),
        unit: 'x',
        goals: [atMost(3, ratio(document, parse), 'x')],
      },
      {name: 'document with lookups / JSON.parse', value: ratio(structure, parse), unit: 'x', goals: []},
      {name: `memory of a document with ${rows} workloads`, value: memory, unit: 'MB', goals: []},
      {name: `plain split of ${LINES} lines`, value: split, unit: 'ms', goals: []},
      {name: 'log / split', value: ratio(log, split), unit: 'x', goals: [atMost(8, ratio(log, split), 'x')]},
    ];
  },
};
export default bench;
