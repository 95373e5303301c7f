// Tries a seeded sample of the engine's mutants against the tests that reach them. Prints the survivors and a
// score by folder. equivalents.json lists mutants without a visible effect, each with its reason.
import {createHash} from 'node:crypto';
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {KillerHistory} from './killer-history.ts';
import {type Mutant, mutate, nameOf} from './mutate.ts';
import {MutationScore, mutantText} from './mutation-score.ts';
import {TestOrder} from './test-order.ts';
import {MutantWorkerClient} from './worker-client.ts';

const root = join(import.meta.dirname, '../..');
const {values} = parseArgs({
  options: {
    sample: {type: 'string', default: '1000'},
    seed: {type: 'string', default: '13'},
    file: {type: 'string', default: ''},
    minutes: {type: 'string', default: '60'},
    // CPU seconds for all tests of one mutant. A mutant that is not noticed by then survives.
    effort: {type: 'string', default: '60'},
    // Counts the kills of an earlier run if the file is unchanged.
    resume: {type: 'boolean', default: false},
    // Tries only the survivors of the last run.
    survivors: {type: 'boolean', default: false},
  },
});
/** The limit of a test: this many times its normal CPU time, plus these milliseconds. */
const TIMES = 20;
const TEST_LIMIT = 3000;

interface Equivalent {
  readonly file: string;
  readonly text: string;
  readonly change: string;
  readonly reason: string;
}
const equivalents = JSON.parse(
  readFileSync(join(import.meta.dirname, 'equivalents.json'), 'utf8'),
) as Equivalent[];

const sources: Record<string, string> = {};
const code: Record<string, string> = {};
const mutants: Mutant[] = [];
for (const path of globSync('server/src/krt/**/*.ts', {cwd: root}).sort()) {
  if (/\.test\.ts$|\.d\.ts$|\/testing\/|krt\/index\.ts$/.test(path)) continue;
  sources[path] = readFileSync(join(root, path), 'utf8');
  const made = mutate(path, sources[path], mutants.length + 1);
  code[join(root, path)] = made.code;
  mutants.push(...made.mutants);
}
const stale = equivalents.filter(({file, text}) => !sources[file]?.includes(text));
for (const {file, text} of stale) console.log(`an equivalent is gone from its file: ${file}: ${text}`);
const tests = globSync('server/src/krt/**/*.test.ts', {cwd: root})
  // Tests of hundreds of graphs, or of very long ones, would take minutes per mutant.
  .filter(path => !/integration|graph\.model|chains\.test|crowds\.test/.test(path))
  .sort()
  .map(path => join(root, path));

/** Sorts by a hash of each mutant, so that one seed draws the same sample after changes elsewhere. */
function drawSample(from: readonly Mutant[], count: number): Mutant[] {
  const place = (mutant: Mutant) =>
    createHash('sha256')
      .update(`${values.seed} ${nameOf(mutant)}`)
      .digest('hex');
  return from
    .map(mutant => ({mutant, place: place(mutant)}))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, count)
    .map(({mutant}) => mutant);
}

const workerClient = new MutantWorkerClient({code, tests, mutants: mutants.length});
const count = await workerClient.waitUntilLoaded();
workerClient.ask({ask: 'cover'});
let covered = await workerClient.nextResponse(60_000);
let last = '';
for (; covered?.type === 'begun'; covered = await workerClient.nextResponse(120_000)) last = covered.name;
if (covered?.type !== 'covered') throw new Error(`a test does not end: ${last}`);
if (covered.failed.length > 0) {
  console.error(`tests fail without any mutant:\n${covered.failed.join('\n')}`);
  process.exit(1);
}
const {times} = covered;
const order = new TestOrder(covered.names, times, covered.hits);
const killerHistory = new KillerHistory(join(root, 'node_modules/.cache/mutants.jsonl'), sources);
const sample = drawSample(
  mutants.filter(
    mutant =>
      mutant.file.includes(values.file) && (!values.survivors || killerHistory.survivedBefore(mutant)),
  ),
  Number(values.sample),
);
const all = times.reduce((sum, time) => sum + time, 0) / 1000;
console.log(
  `${mutants.length} mutants in ${Object.keys(code).length} files, ${count} tests of ${all.toFixed(1)} s; ${sample.length} drawn with seed ${values.seed}`,
);

const isEquivalent = (mutant: Mutant) =>
  equivalents.some(
    ({file, text, change}) => file === mutant.file && text === mutant.text && change === mutant.change,
  );
const score = new MutationScore();

/** The test that noticed the mutant; null if there is none. */
async function killerOf(mutant: Mutant): Promise<string | null> {
  const effort = Number(values.effort) * 1000;
  workerClient.ask({
    ask: 'try',
    id: mutant.id,
    tests: order.testsFor(mutant, killerHistory.killerOf(mutant)),
    effort,
  });
  let limit = TEST_LIMIT;
  let name = 'the clock';
  for (;;) {
    const answer = await workerClient.nextResponse(limit);
    if (answer?.type === 'begun') {
      limit = TEST_LIMIT + TIMES * times[answer.test]!;
      name = answer.name;
      continue;
    }
    if (answer?.type === 'tried') {
      if (answer.spoilt) await workerClient.restart();
      return answer.killedBy ?? null;
    }
    await workerClient.restart();
    score.slow++;
    return name;
  }
}

const end = performance.now() + Number(values.minutes) * 60_000;
for (const mutant of sample) {
  if (performance.now() > end) break;
  if (isEquivalent(mutant)) score.add(mutant, 'equivalent');
  else if (values.resume && killerHistory.wasKilledBefore(mutant)) score.add(mutant, 'killed');
  else {
    const killer = await killerOf(mutant);
    killerHistory.record(mutant, killer);
    score.add(mutant, killer === null ? 'lives' : 'killed');
    if (killer !== null) order.recordKill(mutant, killer);
    else console.log(`lives: ${mutantText(mutant)}`);
  }
  if (score.tried % 50 === 0) console.log(`${score.tried} tried, ${score.total.lives} live`);
}
await workerClient.end();
console.log('');
score.printSurvivors();
score.print(sample.length);
