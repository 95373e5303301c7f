// Whatever happens between a controller and its server, what was asked for is there in the end, and no decision is
// carried out twice. Here a few seeds; npm run fuzz:runtime runs two hundred.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../src/cluster/start.ts';
import {ControllerRound} from './controller-faults/round.ts';
import {FaultProxy} from './fault-proxy.ts';

const first = Number(process.env.KRTSCOPE_FAULT_SEED ?? 1);
const rounds = Number(process.env.KRTSCOPE_CONTROLLER_ROUNDS ?? 15);
let cluster: EmbeddedCluster;
let proxy: FaultProxy;

beforeAll(async () => {
  cluster = await startCluster({shop: false, pace: 0, controllers: false});
  proxy = new FaultProxy(cluster);
  await proxy.start();
});

afterAll(async () => {
  await proxy.close();
  await cluster.stop();
});

test(`${rounds} rounds of faults from seed ${first} on`, {timeout: 300_000}, async () => {
  const wrong: Record<number, string[]> = {};
  for (let seed = first; seed < first + rounds; seed++) {
    const found = await new ControllerRound({cluster, proxy}, seed).run();
    if (found.length > 0) wrong[seed] = found;
  }
  expect(wrong).toEqual({});
});

test('a controller that sends a create again when its answer did not come is found out', {
  timeout: 300_000,
}, async () => {
  const found: string[] = [];
  for (let seed = 1; found.length === 0; seed++) {
    if (seed > 60) throw new Error('sixty rounds found nothing');
    found.push(...(await new ControllerRound({cluster, proxy}, seed, {careless: true}).run()));
  }
  expect(found[0]).toMatch(/^decision round-\d+-careless-\d+ made 2 objects$/);
});
