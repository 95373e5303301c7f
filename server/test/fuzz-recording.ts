// npm run fuzz:recording [-- --rounds N --seed N]: kills an engine process at random moments and compares every
// retained moment before and after its restart.
import {parseArgs} from 'node:util';
import '../src/formula/sandbox/lockdown.ts';
import {RecordingRound} from './recording-fuzz/round.ts';

const {values} = parseArgs({
  options: {rounds: {type: 'string', default: '2000'}, seed: {type: 'string', default: '1'}},
});
// The worker that compiles formulas does not keep the process alive.
setInterval(() => {}, 1000);
const first = Number(values.seed);
const rounds = Number(values.rounds);
let [kills, moments, lost] = [0, 0, 0];
for (let seed = first; seed < first + rounds; seed++) {
  const round = new RecordingRound(seed);
  await round.run();
  kills += round.kills;
  moments += round.moments;
  if (round.problems.length === 0) continue;
  lost += 1;
  process.stdout.write(`seed ${seed}:\n${round.problems.map(one => `  ${one}\n`).join('')}`);
}
process.stdout.write(
  `${rounds} rounds from seed ${first} on: ${kills} restarts, ${moments} moments compared, ${lost} rounds with a difference\n`,
);
process.exit(lost === 0 ? 0 : 1);
