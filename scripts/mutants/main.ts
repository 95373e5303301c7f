// Tries a seeded sample of the engine's mutants, each against the tests that run through it, cheapest first, and prints which
// survive. equivalents.json lists those that change nothing anybody could see, each with its reason.
import {globSync, readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {Worker} from 'node:worker_threads';
import {type Mutant, mutate} from './mutate.ts';
import type {Answer, Ask, Given} from './worker.ts';

const root = join(import.meta.dirname, '../..');
const {values} = parseArgs({
  options: {
    sample: {type: 'string', default: '1000'},
    seed: {type: 'string', default: '13'},
    file: {type: 'string', default: ''},
    minutes: {type: 'string', default: '60'},
  },
});
/** A test may take so many times what it takes without a mutant, and these milliseconds: the machine may be busy. */
const TIMES = 20;
const TEST_LIMIT = 10_000;
/** What all tests of one mutant may take together; what they have not noticed by then lives. */
const MUTANT_LIMIT = 60_000;

interface Equivalent {
  readonly file: string;
  readonly text: string;
  readonly change: string;
  readonly reason: string;
}
const equivalents = JSON.parse(
  readFileSync(join(import.meta.dirname, 'equivalents.json'), 'utf8'),
) as Equivalent[];

const code: Record<string, string> = {};
const mutants: Mutant[] = [];
for (const path of globSync('server/src/krt/**/*.ts', {cwd: root}).sort()) {
  if (/\.test\.ts$|\.d\.ts$|\/testing\/|krt\/index\.ts$/.test(path)) continue;
  const file = join(root, path);
  const made = mutate(path, readFileSync(file, 'utf8'), mutants.length + 1);
  code[file] = made.code;
  mutants.push(...made.mutants);
}
const tests = globSync('server/src/krt/**/*.test.ts', {cwd: root})
  // Those that play hundreds of graphs, or make very long ones, would take minutes for each mutant.
  .filter(path => !/integration|graph\.model|chains\.test/.test(path))
  .sort()
  .map(path => join(root, path));

/** Gives what the worker says next; undefined if it is silent for too long, or ends. */
class Hand {
  #worker: Worker;
  #answers: Answer[] = [];
  lastError: unknown;
  #wake: (() => void) | undefined;

  constructor() {
    this.#worker = this.#start();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: {code, tests, mutants: mutants.length} satisfies Given,
      resourceLimits: {maxOldGenerationSizeMb: 1500, stackSizeMb: 4},
    });
    worker.on('message', (answer: Answer) => {
      this.#answers.push(answer);
      this.#wake?.();
    });
    worker.on('error', error => {
      this.lastError = error;
      this.#wake?.();
    });
    return worker;
  }

  async next(limit: number): Promise<Answer | undefined> {
    if (this.#answers.length === 0) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, limit);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#answers.shift();
  }

  ask(ask: Ask): void {
    this.#worker.postMessage(ask);
  }

  async again(): Promise<void> {
    await this.#worker.terminate();
    this.#answers = [];
    this.#worker = this.#start();
    if ((await this.next(120_000))?.type !== 'loaded') throw new Error('the tests cannot be loaded again');
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Small and seeded: the same seed draws the same sample. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function drawn(from: readonly Mutant[], count: number, seed: number): Mutant[] {
  const next = random(seed);
  const pool = [...from];
  const out: Mutant[] = [];
  while (out.length < count && pool.length > 0) out.push(...pool.splice(Math.floor(next() * pool.length), 1));
  return out;
}

const hand = new Hand();
const loaded = await hand.next(120_000);
if (loaded?.type !== 'loaded') throw hand.lastError ?? new Error('the tests cannot be loaded');
hand.ask({ask: 'cover'});
let covered = await hand.next(60_000);
let last = '';
for (; covered?.type === 'begun'; covered = await hand.next(120_000)) last = covered.name;
if (covered?.type !== 'covered') throw new Error(`a test does not end: ${last}`);
if (covered.failed.length > 0) {
  console.error(`tests fail without any mutant:\n${covered.failed.join('\n')}`);
  process.exit(1);
}
const byMutant = new Map<number, number[]>();
covered.hits.forEach((ids, test) => {
  for (const id of ids) byMutant.set(id, [...(byMutant.get(id) ?? []), test]);
});
const sample = drawn(
  mutants.filter(({file}) => file.includes(values.file)),
  Number(values.sample),
  Number(values.seed),
);
console.log(
  `${mutants.length} mutants in ${Object.keys(code).length} files, ${loaded.tests} tests; ${sample.length} drawn with seed ${values.seed}`,
);

const isEquivalent = (mutant: Mutant) =>
  equivalents.some(
    ({file, text, change}) => file === mutant.file && text === mutant.text && change === mutant.change,
  );
const survivors: Mutant[] = [];
let killed = 0;
let slow = 0;
let excused = 0;
let tried = 0;
const end = performance.now() + Number(values.minutes) * 60_000;
for (const mutant of sample) {
  if (performance.now() > end) break;
  tried++;
  if (isEquivalent(mutant)) {
    excused++;
    continue;
  }
  const times = covered.times;
  const places = (byMutant.get(mutant.id) ?? []).sort((a, b) => times[a]! - times[b]!);
  hand.ask({ask: 'try', id: mutant.id, tests: places});
  const began = performance.now();
  let limit = TEST_LIMIT;
  for (;;) {
    const answer = await hand.next(limit);
    if (answer?.type === 'begun' && performance.now() - began < MUTANT_LIMIT) {
      limit = TEST_LIMIT + TIMES * times[answer.test]!;
      continue;
    }
    if (answer?.type === 'tried') {
      if (answer.killedBy === undefined) survivors.push(mutant);
      else killed++;
      if (answer.spoilt) await hand.again();
      break;
    }
    if (answer === undefined) {
      killed++;
      slow++;
    } else survivors.push(mutant);
    await hand.again();
    break;
  }
  if (tried % 50 === 0) console.log(`${tried} tried, ${killed} killed, ${survivors.length} live`);
}
await hand.end();

survivors.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
for (const {file, line, text, change} of survivors) {
  console.log(`lives: ${relative('server/src/krt', file)}:${line}: ${change}    ${text}`);
}
const counted = tried - excused;
console.log(
  `${killed} of ${counted} killed (${((killed / counted) * 100).toFixed(1)} %; ${slow} by the clock), ${survivors.length} live, ${excused} equivalent, ${tried} of ${sample.length} tried`,
);
