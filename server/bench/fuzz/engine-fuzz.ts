// `npm run fuzz [-- --seconds N --seed N --faults]`: the engine against the plain one, for as long as one likes. With --faults
// the functions of the graphs throw.
// Prints the seed of every failure; the same seed plays the same graphs again.
import {parseArgs} from 'node:util';
import fc from 'fast-check';
import {caseSpec} from '../../src/krt/testing/model-arbitrary.ts';
import {problemsOf} from '../../src/krt/testing/model-check.ts';

const ROUND = 250;

const {values} = parseArgs({
  options: {
    seconds: {type: 'string', default: '60'},
    seed: {type: 'string'},
    nodes: {type: 'string', default: '10'},
    faults: {type: 'boolean', default: false},
  },
});
const seconds = Number(values.seconds);
let seed = values.seed === undefined ? Date.now() % 0x7fffffff : Number(values.seed);
const size = {nodes: Number(values.nodes), batches: 10, faults: values.faults};
if (![seconds, seed, size.nodes].every(Number.isFinite)) {
  console.error('usage: npm run fuzz -- [--seconds N] [--seed N] [--nodes N] [--faults]');
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
      `\nfailed: seed ${seed}. Play it again with: npm run fuzz -- --seed ${seed} --nodes ${size.nodes}${size.faults ? ' --faults' : ''}`,
    );
    process.exit(1);
  }
  seed = (seed + 1) % 0x7fffffff;
} while (performance.now() < end);
console.log(`${cases} random graphs, the same on both engines; the last seed was ${seed - 1}`);
