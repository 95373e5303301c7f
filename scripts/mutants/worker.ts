// Loads the engine with all its mutants and runs the tests with one mutant active. Runs in its own thread,
// because a mutant may never return.
import {readFileSync} from 'node:fs';
import {registerHooks, stripTypeScriptTypes} from 'node:module';
import {fileURLToPath} from 'node:url';
import {parentPort, workerData} from 'node:worker_threads';
import {usedCpuTime} from './cpu-time.ts';

export interface MutantWorkerData {
  /** Instrumented files, by path. */
  readonly code: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
  /** The number of mutants. */
  readonly mutants: number;
}

export type MutantWorkerRequest =
  | {readonly ask: 'cover'}
  | {readonly ask: 'try'; readonly id: number; readonly tests: readonly number[]; readonly effort: number};
export type MutantWorkerResponse =
  | {readonly type: 'loaded'; readonly tests: number}
  | {
      readonly type: 'covered';
      readonly names: readonly string[];
      readonly hits: readonly (readonly number[])[];
      readonly times: readonly number[];
      readonly failed: readonly string[];
    }
  | {readonly type: 'begun'; readonly test: number; readonly name: string}
  | {readonly type: 'tried'; readonly killedBy: string | undefined; readonly spoilt: boolean};

const {code, tests, mutants} = workerData as MutantWorkerData;
const mutantGlobal = globalThis as unknown as {$m: (id: number) => boolean};
let alive = 0;
let hits = new Uint8Array(0);
mutantGlobal.$m = id => {
  hits[id] = 1;
  return id === alive;
};

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitest'
      ? {url: new URL('./vitest.ts', import.meta.url).href, shortCircuit: true}
      : next(specifier, context),
  load: (url, context, next) => {
    if (url.endsWith('?raw')) {
      const text = readFileSync(fileURLToPath(url.slice(0, -'?raw'.length)), 'utf8');
      return {format: 'module', source: `export default ${JSON.stringify(text)};`, shortCircuit: true};
    }
    const own = url.startsWith('file:') ? code[fileURLToPath(url)] : undefined;
    if (own === undefined) return next(url, context);
    return {format: 'module', source: stripTypeScriptTypes(own), shortCircuit: true};
  },
});

const {collected} = await import('./vitest.ts');
for (const test of tests) await import(test);
// A few seeded random graphs replace the model tests, which run hundreds.
const {default: fc} = await import('fast-check');
const {caseSpec} = await import('../../server/src/krt/testing/model-arbitrary.ts');
const {problemsOf} = await import('../../server/src/krt/testing/model-check.ts');
for (const faults of [false, true]) {
  for (const seed of [1, 2, 3, 4]) {
    const run = () => {
      for (const spec of fc.sample(caseSpec({nodes: 8, batches: 8, faults}), {numRuns: 16, seed})) {
        const problems = problemsOf(spec);
        if (problems.length > 0) throw new Error(problems.join('\n'));
      }
    };
    collected.push({name: `random graphs, seed ${seed}${faults ? ', with faults' : ''}`, run});
  }
}
let stray: unknown;
process.on('uncaughtException', error => {
  stray = error;
});
process.on('unhandledRejection', error => {
  stray = error;
});

const tell = (answer: MutantWorkerResponse) => parentPort!.postMessage(answer);

/** The error of a failed test. */
async function runTest(at: number): Promise<unknown> {
  stray = undefined;
  try {
    await collected[at]!.run();
    await new Promise(resolve => setImmediate(resolve));
    return stray;
  } catch (error) {
    return error ?? new Error('nothing was thrown');
  }
}

async function cover(): Promise<void> {
  const all: number[][] = [];
  const times: number[] = [];
  const failed: string[] = [];
  for (let at = 0; at < collected.length; at++) {
    tell({type: 'begun', test: at, name: collected[at]!.name});
    hits = new Uint8Array(mutants + 1);
    const start = performance.now();
    const error = await runTest(at);
    times.push(performance.now() - start);
    all.push([...hits.keys()].filter(id => hits[id] === 1));
    if (error !== undefined) failed.push(`${collected[at]!.name}: ${String(error).split('\n')[0]}`);
  }
  hits = new Uint8Array(0);
  tell({type: 'covered', names: collected.map(({name}) => name), hits: all, times, failed});
}

async function tryOne(id: number, places: readonly number[], effort: number): Promise<void> {
  const enough = usedCpuTime() + effort;
  for (const at of places) {
    if (usedCpuTime() > enough) break;
    tell({type: 'begun', test: at, name: collected[at]!.name});
    alive = id;
    const error = await runTest(at);
    alive = 0;
    if (error === undefined) continue;
    // Runs the test again without the mutant: state that the mutant left behind must not count against the
    // next one.
    tell({type: 'tried', killedBy: collected[at]!.name, spoilt: (await runTest(at)) !== undefined});
    return;
  }
  tell({type: 'tried', killedBy: undefined, spoilt: false});
}

parentPort!.on(
  'message',
  (ask: MutantWorkerRequest) => void (ask.ask === 'cover' ? cover() : tryOne(ask.id, ask.tests, ask.effort)),
);
tell({type: 'loaded', tests: collected.length});
