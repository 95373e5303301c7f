// `npm run fuzz:why [-- --changes N --seed N]`: answers against their counterfactual, for as many random changes as one
// likes. Prints every wrong answer with its seed; the same seed plays the same changes again.
import {parseArgs} from 'node:util';
import {play, summaryText} from '../../test/truth/run-changes.ts';

/** Changes to one cluster; then comes the next, with the next seed. */
const ROUND = 250;

const {values} = parseArgs({options: {changes: {type: 'string', default: '2000'}, seed: {type: 'string'}}});
const changes = Number(values.changes);
let seed = values.seed === undefined ? Date.now() % 0x7fffffff : Number(values.seed);
if (![changes, seed].every(Number.isSafeInteger)) {
  console.error('usage: npm run fuzz:why -- [--changes N] [--seed N]');
  process.exit(2);
}

const all = {questions: 0, changes: 0, wrong: [] as string[]};
while (all.changes < changes) {
  const played = await play(seed, Math.min(ROUND, changes - all.changes));
  console.log(`seed ${seed}: ${summaryText(played)}`);
  for (const wrong of played.wrong) console.error(`seed ${seed} ${wrong}`);
  all.questions += played.questions;
  all.changes += played.changes;
  all.wrong.push(...played.wrong);
  seed += 1;
}
console.log(`in all: ${summaryText(all)}`);
process.exit(all.wrong.length > 0 ? 1 : 0);
