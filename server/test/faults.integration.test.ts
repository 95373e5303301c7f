// Whatever happens between client and server, the cache ends up equal to the server and no handler hears of
// a lost or doubled object. KRTSCOPE_FAULT_SEED and KRTSCOPE_FAULT_ROUNDS repeat or extend a run.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {credentialsOf} from '../src/kube/credentials/credentials.ts';
import {parseKubeconfig} from '../src/kube/credentials/kubeconfig.ts';
import {resources} from '../src/kube/resource.ts';
import {FaultProxy} from './fault-proxy.ts';
import {faultNames} from './faults/fault.ts';
import {type FaultEnvironment, type RoundResult, runRound} from './faults/round.ts';
import {startEmbedded} from './servers.ts';

const firstSeed = Number(process.env.KRTSCOPE_FAULT_SEED ?? 1);
const rounds = Number(process.env.KRTSCOPE_FAULT_ROUNDS ?? 220);
const namespace = 'faults';

type Embedded = Awaited<ReturnType<typeof startEmbedded>>;
let servers: Embedded[];
let proxy: FaultProxy;
let world: FaultEnvironment;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-faults-'));
  servers = [await startEmbedded({seed: 1}), await startEmbedded({seed: 2})];
  for (const {client} of servers) await client.create(resources.Namespaces, {metadata: {name: namespace}});
  let current = 0;
  let token = 0;
  proxy = new FaultProxy(servers[0]!);
  await proxy.start();
  const tokenFile = join(folder, 'token');
  const renewToken = () => {
    writeFileSync(tokenFile, `token-${++token}`);
    proxy.tokens = new Set([`token-${token}`]);
  };
  renewToken();
  world = {
    proxy,
    namespace,
    server: () => servers[current]!.client,
    credentials: () => credentialsOf(kubeconfig(proxy.url), 'c'),
    compact: async () => servers[current]!.compact?.(),
    replaceServer() {
      current = 1 - current;
      proxy.switchTo(servers[current]!);
    },
    renewToken,
  };
});

afterAll(async () => {
  await proxy.close();
  for (const server of servers) await server.stop();
  rmSync(folder, {recursive: true, force: true});
});

function kubeconfig(server: string) {
  const text = JSON.stringify({
    clusters: [{name: 'c', cluster: {server}}],
    users: [{name: 'u', user: {tokenFile: 'token'}}],
    contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
  });
  return parseKubeconfig(text, join(folder, 'kubeconfig'));
}

test(`${rounds} rounds of faults from seed ${firstSeed} on lose nothing and double nothing`, {
  timeout: 300_000,
}, async () => {
  const results: RoundResult[] = [];
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
    try {
      results.push(await runRound(world, seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, {cause: error});
    }
  }
  const wrong = results.filter(result => result.wrong.length);
  expect(wrong.map(({seed, faults, wrong}) => ({seed, faults, wrong}))).toEqual([]);
  const median = middle(results.map(result => result.cpuMs));
  const wall = middle(results.map(result => result.ms));
  console.info(
    `fault rounds: median ${median.toFixed(1)} ms of computing, ${wall.toFixed(1)} ms on the clock`,
  );
  if (rounds >= 200) {
    const met = new Set(results.flatMap(result => result.faults));
    expect(faultNames.filter(name => !met.has(name))).toEqual([]);
    expect(median).toBeLessThan(100);
  }
});

function middle(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}
