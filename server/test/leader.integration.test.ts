// Two managers, one Lease. Here one round of each kind; npm run fuzz:runtime runs fifty and shows the times.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../src/cluster/start.ts';
import {Contest, leaderDisruptions} from './leader/contest.ts';

let cluster: EmbeddedCluster;
let contest: Contest;

beforeAll(async () => {
  cluster = await startCluster({shop: false, pace: 0});
  contest = new Contest(cluster, {leaseDuration: 3000, renewDeadline: 2000, retryPeriod: 300});
  await contest.start();
});

afterAll(async () => {
  await contest.stop();
  await cluster.stop();
});

test.each(leaderDisruptions)(
  'the leader meets its %s: never two are active, and the other takes over',
  async disruption => {
    const {writes} = await contest.round(disruption);
    expect(contest.wrong).toEqual([]);
    expect(writes, 'who led has worked').toBeGreaterThan(0);
  },
);
