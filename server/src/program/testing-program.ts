// A user's program for tests: a krt engine, and with KUBECONFIG a manager, that report to KRTSCOPE_URL. It takes orders
// over its channel and reports its delay and memory.
import {createEngine, fetchOne, filterKey, newCollection, newStaticCollection} from '../krt/index.ts';
import {controllerFor} from '../runtime/controller/controller-builder.ts';
import {silentLogger} from '../runtime/log/logger.ts';
import {createManager} from '../runtime/manager/create-manager.ts';
import {ConfigMap} from '../runtime/scheme/built-in-kinds.ts';
import {reportEngine} from './report.ts';

export type ToTestProgram =
  | {say: 'pod'; key: string; node: string; note?: string}
  | {say: 'node'; key: string; zone: string}
  | {say: 'delete'; key: string}
  /** Writes the ConfigMap default/watched, which its controller reconciles. */
  | {say: 'mood'; mood: string}
  /** Writes this many batches, each with a value of this many characters. */
  | {say: 'flood'; batches: number; characters: number};

export interface FromTestProgram {
  alive: number;
  rss: number;
  /** The longest pause of its event loop since the last report. */
  stood: number;
  session: string | undefined;
  flooded: number;
}

interface TestProgramPod {
  key: string;
  node: string;
  note?: string | undefined;
}

const engine = createEngine();
const key = (item: {key: string}) => item.key;
const pods = newStaticCollection<TestProgramPod>(engine, [{key: 'p1', node: 'n1'}], {name: 'Pods', key});
const nodes = newStaticCollection<{key: string; zone: string}>(engine, [{key: 'n1', zone: 'a'}], {
  name: 'Nodes',
  key,
});
newCollection(
  pods,
  (ctx, pod) => {
    const node = fetchOne(ctx, nodes, filterKey(pod.node));
    return node && {key: pod.key, zone: node.zone};
  },
  {name: 'Zones', key},
);
const program = reportEngine(engine, {name: 'shop', retry: 100});

let flooded = 0;
function flood(batches: number, characters: number): void {
  if (batches === 0) return;
  flooded += 1;
  pods.updateObject({key: `flood-${flooded % 50}`, node: 'n1', note: `${flooded} `.padEnd(characters, 'x')});
  setImmediate(() => flood(batches - 1, characters));
}

let setMood: (mood: string) => Promise<unknown> = async () => {};
process.on('message', (message: ToTestProgram) => {
  if (message.say === 'pod') pods.updateObject({key: message.key, node: message.node, note: message.note});
  else if (message.say === 'node') nodes.updateObject({key: message.key, zone: message.zone});
  else if (message.say === 'delete') pods.deleteObject(message.key);
  else if (message.say === 'mood') void setMood(message.mood);
  else flood(message.batches, message.characters);
});
process.on('disconnect', () => process.exit(0));

let last = performance.now();
let stood = 0;
setInterval(() => {
  const now = performance.now();
  stood = Math.max(stood, now - last - 20);
  last = now;
}, 20);
setInterval(() => {
  const word: FromTestProgram = {
    alive: Date.now(),
    rss: process.memoryUsage.rss(),
    stood,
    session: program.session,
    flooded,
  };
  stood = 0;
  process.send?.(word);
}, 100);

if (process.env.KUBECONFIG) {
  const manager = await createManager({log: silentLogger, metrics: {bindAddress: '0'}, report: program});
  controllerFor(manager)
    .for(ConfigMap)
    .named('notes')
    .complete(async request => {
      const found = await manager.client.get(ConfigMap, request).catch(() => undefined);
      if (found?.metadata.name !== 'watched') return {};
      if (found.data?.mood === 'bad') throw new Error('the mood is bad');
      return {requeueAfter: 60_000};
    });
  const watched = (mood: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'default', name: 'watched'},
    data: {mood},
  });
  setMood = async mood => {
    await manager.client.delete(watched(mood)).catch(() => {});
    await manager.client.create(watched(mood));
  };
  await manager.start(new AbortController().signal);
}
