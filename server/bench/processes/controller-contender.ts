// Our side of `npm run bench -- runtime`: a controller for ConfigMaps on krtscope/runtime.
// It answers commands on stdin with one JSON line each; ../controller-runtime/main.go does the same.
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  Channel,
  ConfigMap,
  channelSource,
  controllerFor,
  createManager,
  enqueueObject,
  ignoreNotFound,
  rawPatch,
  silentLogger,
} from '../../src/runtime/index.ts';

const namespace = 'bench';
const manager = await createManager({
  kubeconfig: process.argv[2],
  metrics: {bindAddress: '0'},
  report: false,
  log: silentLogger,
});
const {client} = manager;
const events = new Channel();
let done = 0;
let ran = (_note: string) => {};

await controllerFor(manager)
  .for(ConfigMap)
  .watchesRaw(channelSource({channel: events, handler: enqueueObject()}))
  .complete(async key => {
    const object = await ignoreNotFound(client.get(ConfigMap, key));
    if (!object) return;
    const note = object.metadata.annotations?.['bench/note'];
    if (note) ran(note);
    done++;
  });
const end = new AbortController();
const running = manager.start(end.signal);

/** The milliseconds from sending each PATCH to the reconcile that sees it. */
async function patch(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const note = `${Date.now()}-${i}`;
    const seen = new Promise<void>(resolve => {
      ran = said => said === note && resolve();
    });
    const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace, name: `map-${i}`}} as const;
    const body = {metadata: {annotations: {'bench/note': note}}};
    const start = performance.now();
    await client.patch(object, rawPatch('merge', body));
    await seen;
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

async function reach(count: number): Promise<void> {
  while (done < count) await sleep(2);
}

async function reconcile(rounds: number): Promise<number> {
  const {items} = await client.list(ConfigMap, {namespace});
  const before = done;
  for (let round = 0; round < rounds; round++) {
    const from = done;
    for (const item of items) events.send(item);
    await reach(from + items.length);
  }
  return done - before;
}

for await (const line of createInterface({input: process.stdin})) {
  const [command, text] = line.split(' ');
  const count = Number(text);
  if (command === 'sync') await reach(count);
  const answer =
    command === 'patch'
      ? {times: await patch(count)}
      : {done: command === 'reconcile' ? await reconcile(count) : done};
  console.log(JSON.stringify(answer));
}
end.abort();
await running;
