// npm run fuzz:history [-- --rounds N --seed N]: kills the process that writes history at random moments, copies its folder
// while it is stopped, fills the disk, damages blocks, shifts the clock, and starts a second process beside it.
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import '../src/formula/sandbox/lockdown.ts';
import {faults, HistoryRound} from './history/round.ts';

const {values} = parseArgs({
  options: {rounds: {type: 'string', default: '200'}, seed: {type: 'string', default: '1'}},
});
const first = Number(values.seed);
const rounds = Number(values.rounds);
// Only root can mount a small disk. The unit tests of archive/ fill a disk without it.
const canMount = process.getuid?.() === 0 && process.platform === 'linux';
const usable = faults.filter(fault => fault !== 'full' || canMount);
const totals = {kills: 0, moments: 0, unreadable: 0, worstLossMs: 0};
let wrong = 0;
for (let seed = first; seed < first + rounds; seed++) {
  const fault = usable[seed % usable.length] ?? 'kill';
  const round = new HistoryRound(seed, mkdtempSync(join(tmpdir(), 'krtscope-fuzz-history-')));
  try {
    await round.run(fault);
  } catch (error) {
    round.problems.push((error as Error).stack ?? String(error));
  }
  totals.kills += round.totals.kills;
  totals.moments += round.totals.moments;
  totals.unreadable += round.totals.unreadable;
  totals.worstLossMs = Math.max(totals.worstLossMs, round.totals.worstLossMs);
  if (round.problems.length === 0) continue;
  wrong += 1;
  process.stdout.write(
    `seed ${seed}, ${fault}:\n${round.problems
      .slice(0, 3)
      .map(one => `  ${one}\n`)
      .join('')}`,
  );
}
process.stdout.write(
  `${rounds} rounds from seed ${first} on: ${totals.kills} kills, ${totals.moments} moments compared, ` +
    `${totals.unreadable} unreadable after damage, at most ${totals.worstLossMs} ms lost, ${wrong} rounds with a difference\n`,
);
process.exit(wrong === 0 ? 0 : 1);
