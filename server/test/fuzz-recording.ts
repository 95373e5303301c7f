// npm run fuzz:recording [-- --rounds N --seed N --processes]: kills an engine process at random moments and compares
// every retained moment before and after its restart. `--processes`: real processes, killed with SIGKILL.
import {spawnSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

/** The hosts of earlier rounds stay in memory and slow the next ones down, so each process makes a part of the rounds. */
const PART = 25;

const {values} = parseArgs({
  options: {
    rounds: {type: 'string'},
    seed: {type: 'string', default: '1'},
    processes: {type: 'boolean', default: false},
  },
});
const first = Number(values.seed);
const rounds = Number(values.rounds ?? (values.processes ? 100 : 2000));
const totals = values.processes
  ? await import('./recording-fuzz/process-session.ts').then(({runProcessRounds}) =>
      runProcessRounds(first, rounds),
    )
  : rounds > PART
    ? runParts()
    : await import('./recording-fuzz/round.ts').then(({runRounds}) => runRounds(first, rounds));
const [kills, moments, lost] = totals;
process.stdout.write(
  `${rounds} rounds from seed ${first} on: ${kills} restarts, ${moments} moments compared, ${lost} rounds with a difference\n`,
);
process.exit(lost === 0 ? 0 : 1);

function runParts(): [number, number, number] {
  const script = fileURLToPath(import.meta.url);
  const sums: [number, number, number] = [0, 0, 0];
  for (let seed = first; seed < first + rounds; seed += PART) {
    const part = Math.min(PART, first + rounds - seed);
    const args = [...process.execArgv, script, '--rounds', String(part), '--seed', String(seed)];
    const {stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8'});
    const found = /on: (\d+) restarts, (\d+) moments compared, (\d+) rounds with/.exec(stdout);
    if (found === null) throw new Error(`the rounds from seed ${seed} on did not end:\n${stdout}${stderr}`);
    process.stdout.write(stdout.slice(0, stdout.lastIndexOf(`${part} rounds from seed`)));
    for (const at of [0, 1, 2] as const) sums[at] += Number(found[at + 1]);
  }
  return sums;
}
