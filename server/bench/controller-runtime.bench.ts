// A controller of 10,000 ConfigMaps on a real Kubernetes 1.36: krtscope/runtime beside Go's controller-runtime
// v0.25.2. Without Go or the real server the benchmark says so and has no rows.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {compile, imagePath, type PackageLayout} from '../../scripts/package/compile-sources.ts';
import {bundleLibraries, libraryFile} from '../../scripts/package/libraries.ts';
import {resources} from '../src/kube/resource.ts';
import {realServers, startReal, type TestServer} from '../test/servers.ts';
import {ContenderProcess} from './support/contender-process.ts';
import {median} from './support/measure.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';

const OBJECTS = 10_000;
const PATCHES = 150;
const WARM_UP = 50;
const RECONCILE_ROUNDS = 5;
const ROUNDS = Number(process.env.CONTROLLER_ROUNDS ?? 3);

type Command = readonly [string, ...string[]];

interface Figures {
  startMB: number;
  syncedMB: number;
  reconcileMicroseconds: number;
  patchMs: number;
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Builds the Go program. CONTROLLER_RUNTIME_BENCH names one that is already built. */
function goProgram(folder: string): string | undefined {
  const built = process.env.CONTROLLER_RUNTIME_BENCH;
  if (built) return built;
  const out = join(folder, 'controller-runtime');
  const env = {...process.env, PATH: `${process.env.PATH}:/usr/local/go/bin`};
  const {status, error} = spawnSync('go', ['build', '-o', out, '.'], {
    cwd: path('./controller-runtime'),
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error || status !== 0) return undefined;
  return out;
}

/** Our program as in the package, started as the Dockerfile of `krtscope init` starts an operator. */
async function ourCommand(folder: string, kubeconfig: string): Promise<Command> {
  const root = path('../..').replace(/[\\/]$/, '');
  const image = join(folder, 'image');
  const layout: PackageLayout = {root, image, library: name => join(image, 'libraries', libraryFile(name))};
  const entry = path('./processes/controller-contender.ts');
  const libraries = compile(layout, [entry]);
  await bundleLibraries(root, join(image, 'libraries'), libraries);
  writeFileSync(join(image, 'package.json'), JSON.stringify({type: 'module'}));
  const dockerfile = readFileSync(path('../templates/operator/Dockerfile'), 'utf8');
  const [, ...words] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
  const program = imagePath(layout, entry, '.js');
  return [process.execPath, '--no-warnings', ...words.slice(0, -1), program, kubeconfig];
}

async function createObjects({client}: TestServer): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < OBJECTS) {
      const i = next++;
      const data = {index: String(i), text: `${i} `.repeat(100)};
      await client.create(resources.ConfigMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {namespace: 'bench', name: `map-${i}`, labels: {app: `app-${i % 50}`}},
        data,
      });
    }
  };
  await Promise.all(Array.from({length: 32}, worker));
}

/** Resident memory before there are objects. */
async function emptyMB(command: Command): Promise<number> {
  const process = new ContenderProcess(command);
  await process.ask('sync 0');
  await sleep(3000);
  const {residentMB} = process;
  await process.stop();
  return residentMB;
}

async function measure(command: Command): Promise<Omit<Figures, 'startMB'>> {
  const process = new ContenderProcess(command);
  await process.ask(`sync ${OBJECTS}`);
  await sleep(3000);
  const syncedMB = process.residentMB;
  await process.ask(`patch ${WARM_UP}`);
  const {times} = await process.ask<{times: number[]}>(`patch ${PATCHES}`);
  await process.ask('reconcile 1');
  const before = process.cpuMs;
  const {done} = await process.ask<{done: number}>(`reconcile ${RECONCILE_ROUNDS}`);
  const reconcileMicroseconds = ((process.cpuMs - before) / done) * 1000;
  await process.stop();
  return {syncedMB, reconcileMicroseconds, patchMs: median(times)};
}

function rowsOf(ours: Figures, go: Figures): Row[] {
  const growth = ({syncedMB, startMB}: Figures) => ((syncedMB - startMB) * 2 ** 20) / OBJECTS;
  const row = (name: string, unit: string, limit: number, value: number, other: number): Row => ({
    name,
    value,
    unit,
    others: {go: other},
    goals: [atMost(limit, value / other, 'of controller-runtime')],
  });
  console.error(`start: krtscope ${ours.startMB.toFixed(0)} MB, Go ${go.startMB.toFixed(0)} MB`);
  return [
    row('RT memory 10k ConfigMaps', 'MB', 2, ours.syncedMB, go.syncedMB),
    row('RT memory per ConfigMap', 'B', 1, growth(ours), growth(go)),
    row('RT PATCH to reconcile', 'ms', 1.3, ours.patchMs, go.patchMs),
    row('RT CPU per reconcile', 'us', 1, ours.reconcileMicroseconds, go.reconcileMicroseconds),
  ];
}

async function run(): Promise<Row[]> {
  if (!realServers) return [];
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-controllers-'));
  const program = goProgram(folder);
  if (!program) {
    console.error('runtime: needs Go and its module proxy; skipped');
    return [];
  }
  const server = await startReal('v1.36', {bare: true});
  const commands: Command[] = [await ourCommand(folder, server.kubeconfig), [program, server.kubeconfig]];
  try {
    const empty: number[] = [];
    for (const command of commands) empty.push(await emptyMB(command));
    await server.client.create(resources.Namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {name: 'bench'},
    });
    await createObjects(server);
    const figures: Omit<Figures, 'startMB'>[][] = commands.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, command] of commands.entries()) figures[i]?.push(await measure(command));
    const [ours, go] = figures.map((rounds, i) => ({
      startMB: empty[i] as number,
      syncedMB: median(rounds.map(f => f.syncedMB)),
      reconcileMicroseconds: median(rounds.map(f => f.reconcileMicroseconds)),
      patchMs: median(rounds.map(f => f.patchMs)),
    })) as [Figures, Figures];
    return rowsOf(ours, go);
  } finally {
    await server.stop();
    rmSync(folder, {recursive: true, force: true});
  }
}

const bench: Bench = {name: 'Runtime', onDemand: true, run};
export default bench;
