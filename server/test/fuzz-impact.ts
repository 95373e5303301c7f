// npm run fuzz:impact -- [--fields 1000] [--seed 1]: impact of random fields against fresh engines with other values.
import {parseArgs} from 'node:util';
import {proveImpact} from './what-if/impact-proof.ts';

/** The share of the rows named as read that must differ for some value. */
const GOAL = 0.8;

const {values} = parseArgs({
  options: {fields: {type: 'string', default: '1000'}, seed: {type: 'string', default: '1'}},
});
const {unnamed, worst, ...proof} = await proveImpact(Number(values.fields), Number(values.seed));
for (const row of unnamed.slice(0, 50)) console.info(`not named: ${row}`);
for (const row of worst) console.info(`named as read, never differs: ${row}`);
const share = proof.readAndDiffer / Math.max(1, proof.read);
console.info(JSON.stringify(proof));
console.info(
  `${unnamed.length} rows that differ were not named; ${(share * 100).toFixed(1)} % of those named as read differ for some value (goal ${GOAL * 100} %)`,
);
process.exit(unnamed.length === 0 && share >= GOAL ? 0 : 1);
