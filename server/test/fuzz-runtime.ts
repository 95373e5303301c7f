// npm run fuzz:runtime [-- --rounds N --elections N --seed N]: many rounds of the runtime's proofs. Runs
// faults between a controller and its server, then two managers with one Lease, and prints the time of each
// takeover.
import {parseArgs} from 'node:util';
import {startCluster} from '../src/cluster/start.ts';
import {ControllerRound} from './controller-faults/round.ts';
import {FaultProxy} from './fault-proxy.ts';
import {Contest, leaderDisruptions} from './leader/contest.ts';
import {seededRandom} from './manual-clock.ts';

const {values} = parseArgs({
  options: {
    rounds: {type: 'string', default: '200'},
    elections: {type: 'string', default: '50'},
    seed: {type: 'string', default: '1'},
  },
});
const seed = Number(values.seed);
const wrong: string[] = [];

async function faults(rounds: number): Promise<void> {
  const cluster = await startCluster({shop: false, pace: 0, controllers: false});
  const proxy = new FaultProxy(cluster);
  await proxy.start();
  const met = new Map<string, number>();
  for (let n = seed; n < seed + rounds; n++) {
    const round = new ControllerRound({cluster, proxy}, n);
    try {
      for (const one of await round.run()) wrong.push(`seed ${n}: ${one}`);
    } catch (error) {
      wrong.push(`seed ${n}: ${(error as Error).message}`);
    }
    for (const kind of round.used) met.set(kind, (met.get(kind) ?? 0) + 1);
  }
  await proxy.close();
  await cluster.stop();
  const kinds = [...met].map(([kind, times]) => `${kind} ${times}`).sort();
  process.stdout.write(`${rounds} rounds of faults from seed ${seed} on: ${kinds.join(', ')}\n`);
}

async function elections(rounds: number): Promise<void> {
  const cluster = await startCluster({shop: false, pace: 0});
  // Whole seconds, because a Lease stores whole seconds.
  const times = {leaseDuration: 2000, renewDeadline: 1300, retryPeriod: 200};
  const contest = new Contest(cluster, times);
  const random = seededRandom(seed);
  const takeovers: {takeover: number; lag: number}[] = [];
  try {
    await contest.start();
    for (let n = 0; n < rounds; n++) {
      const disruption = leaderDisruptions[Math.floor(random() * leaderDisruptions.length)]!;
      const {takeover, lag} = await contest.round(disruption);
      takeovers.push({takeover, lag});
      process.stdout.write(
        `election ${n + 1}: ${disruption}, taken over ${Math.round(takeover)} ms after the last renewal (held up by the machine for ${Math.round(lag)} ms)\n`,
      );
    }
  } finally {
    await contest.stop();
    await cluster.stop();
  }
  wrong.push(...contest.wrong);
  // The other candidate sees the expired Lease at most one retry later and takes it at the next: 2.2 periods
  // each.
  const most = times.leaseDuration + 2 * 2.2 * times.retryPeriod;
  const sorted = takeovers.map(({takeover}) => takeover).sort((x, y) => x - y);
  const [least, median, last] = [0, sorted.length >> 1, sorted.length - 1].map(i =>
    Math.round(sorted[i] ?? 0),
  );
  const late = takeovers.filter(({takeover}) => takeover > most);
  for (const {takeover, lag} of late)
    if (takeover - lag > most)
      wrong.push(
        `a takeover after ${Math.round(takeover)} ms, of which the machine held up ${Math.round(lag)}`,
      );
  process.stdout.write(
    `${rounds} elections: taken over after ${least} to ${last} ms, median ${median}; the numbers say ${times.leaseDuration} to ${Math.round(most)}, ${late.length} were later\n`,
  );
}

if (Number(values.rounds) > 0) await faults(Number(values.rounds));
if (Number(values.elections) > 0) await elections(Number(values.elections));
for (const one of wrong) process.stdout.write(`WRONG: ${one}\n`);
process.exit(wrong.length === 0 ? 0 : 1);
