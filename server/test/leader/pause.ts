// npm run fuzz:lease [-- --rounds N]: stops the leader of eight writers with SIGSTOP on a real 1.36, lets another process
// lead, continues the first, and counts the writes that etcd's revisions place under the lease of the other one.
import {type ChildProcess, fork} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {resources} from '../../src/kube/resource.ts';
import {realServers, startReal, type TestServer} from '../servers.ts';
import {type JudgedWrites, judge, WriteHistory} from './write-history.ts';

const {values} = parseArgs({options: {rounds: {type: 'string', default: '50'}}});
const times = {leaseDuration: 2000, renewDeadline: 1300, retryPeriod: 200};
const writerFile = fileURLToPath(new URL('./lease-writer.ts', import.meta.url));

interface PausedWriter {
  identity: string;
  child: ChildProcess;
  gone: Promise<void>;
}

if (realServers === undefined) {
  process.stderr.write('there is no real Kubernetes: see CONTRIBUTING.md for ../shared/kube\n');
  process.exit(2);
}

const server = await startReal('v1.36');
const writers = new Map<string, PausedWriter>();
let named = 0;
const total: JudgedWrites = {writes: 0, late: []};
let bad = 0;
try {
  join();
  join();
  const rounds = Number(values.rounds);
  for (let round = 1; round <= rounds; round++) {
    const judged = await pauseLeader(server);
    total.writes += judged.writes;
    total.late.push(...judged.late);
    if (judged.late.length > 0) bad++;
    process.stdout.write(
      `round ${round}: ${judged.writes} writes, ${judged.late.length} under another's lease\n`,
    );
    for (const line of judged.late) process.stdout.write(`  ${line}\n`);
  }
  process.stdout.write(
    `${rounds} rounds: ${total.late.length} of ${total.writes} writes under another's lease, in ${bad} rounds\n`,
  );
} finally {
  for (const {child} of writers.values()) child.kill('SIGKILL');
  await server.stop();
}

function join(): void {
  const identity = `writer-${++named}`;
  const child = fork(writerFile, [server.kubeconfig, identity, JSON.stringify(times)]);
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
  writers.set(identity, {identity, child, gone});
}

/** Reads who holds the lease; empty if it does not exist yet. */
async function holder({client}: TestServer): Promise<string> {
  const lease = await client
    .get(resources.Leases, {namespace: 'default', name: 'pause-lock'})
    .catch(() => undefined);
  return (lease?.spec as {holderIdentity?: string} | undefined)?.holderIdentity ?? '';
}

async function pauseLeader(on: TestServer): Promise<JudgedWrites> {
  const history = new WriteHistory(on.client);
  await history.start();
  try {
    const leader = await until(async () => {
      const name = await holder(on);
      return writers.has(name) && history.writesOf(name) > 50 ? writers.get(name) : undefined;
    });
    leader.child.kill('SIGSTOP');
    const next = await until(async () => {
      const name = await holder(on);
      return name !== leader.identity && history.writesOf(name) > 20 ? name : undefined;
    });
    leader.child.kill('SIGCONT');
    // It must notice that its lease is over, and end.
    await leader.gone;
    writers.delete(leader.identity);
    const seen = history.writesOf(next);
    await until(async () => (history.writesOf(next) > seen + 20 ? next : undefined));
    join();
    return judge(history.entries);
  } finally {
    history.stop();
  }
}

async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 6000; tries++) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(10);
  }
  throw new Error('nothing happened for a minute');
}
