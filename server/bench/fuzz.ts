// `npm run fuzz [-- --seconds N --seed N]`: the engine's model test, for as long as one likes.
// Prints the seed of every failure; the same seed plays the same graphs again.
import {parseArgs} from 'node:util';
import fc from 'fast-check';
import {caseSpec} from '../src/krt/testing/model-arbitrary.ts';
import {problemsOf} from '../src/krt/testing/model-check.ts';

const ROUND = 250;

const {values} = parseArgs({
  options: {
    seconds: {type: 'string', default: '60'},
    seed: {type: 'string'},
    nodes: {type: 'string', default: '10'},
  },
});
const seconds = Number(values.seconds);
let seed = values.seed === undefined ? Date.now() % 0x7fffffff : Number(values.seed);
const size = {nodes: Number(values.nodes), batches: 10};
if (![seconds, seed, size.nodes].every(Number.isFinite)) {
  console.error('usage: npm run fuzz -- [--seconds N] [--seed N] [--nodes N]');
  process.exit(2);
}

const property = fc.property(caseSpec(size), spec => {
  const problems = problemsOf(spec);
  if (problems.length > 0) throw new Error(problems.join('\n'));
});

const end = performance.now() + seconds * 1000;
let cases = 0;
do {
  const report = fc.check(property, {seed, numRuns: ROUND});
  cases += report.numRuns;
  if (report.failed) {
    console.error(fc.defaultReportMessage(report));
    console.error(report.errorInstance instanceof Error ? report.errorInstance.stack : report.errorInstance);
    console.error(
      `\nfailed: seed ${seed}. Play it again with: npm run fuzz -- --seed ${seed} --nodes ${size.nodes}`,
    );
    process.exit(1);
  }
  seed = (seed + 1) % 0x7fffffff;
} while (performance.now() < end);
console.log(`${cases} random graphs, all as the oracle says; the last seed was ${seed - 1}`);
