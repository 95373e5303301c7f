// npm run bench:soak [-- --minutes 10]: 100 clients on 10,000 Pods with 1,000 changes a second, and beside it a demo at
// pace 5; queues and memory of all processes over time. --only demo leaves out the clients.
import {parseArgs} from 'node:util';
import {SLOW_BYTES} from '../../src/stream/outbox.ts';
import {DemoMemory} from './demo-memory.ts';
import {streamRig} from './stream-rig.ts';

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1).padStart(8);
const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '10'},
    clients: {type: 'string', default: '100'},
    rate: {type: 'string', default: '1000'},
    pace: {type: 'string', default: '5'},
    only: {type: 'string'},
  },
});
const minutes = Number(values.minutes);
const demo = new DemoMemory(Number(values.pace));
await demo.ready();
const demoLine = () => {
  const {main = 0, engine = 0, cluster = 0} = demo.sample();
  return `demo: main ${megabytes(main)}  engine ${megabytes(engine)}  cluster ${megabytes(cluster)} MB`;
};
const rate = Number(values.rate);
const TICK_MS = 50;

const step = Math.min(0.5, minutes / 4);
/** Prints the growth of each process of the demo; whether all are level. */
async function judgeDemo(): Promise<boolean> {
  await demo.stop();
  for (const {role, ratio, isLevel} of demo.growth())
    console.log(
      `demo, ${role}, last quarter against the second: ${ratio.toFixed(2)}${isLevel ? '' : ' CLIMBS'}`,
    );
  return demo.growth().every(one => one.isLevel);
}
if (values.only === 'demo') {
  for (let minute = step; minute <= minutes + 1e-9; minute += step) {
    await new Promise(resolve => setTimeout(resolve, step * 60_000));
    console.log(`${minute.toFixed(1).padStart(6)}  ${demoLine()}`);
  }
  process.exit((await judgeDemo()) ? 0 : 1);
}

const rig = await streamRig(10_000);
const readers = rig.readers(Number(values.clients), 'Pods');
const writer = setInterval(() => rig.change(Math.round((rate * TICK_MS) / 1000)), TICK_MS);

// Beyond this a client counts as slow and gets snapshots: no queue may be longer for long (outbox.ts).
const QUEUE = 2 * SLOW_BYTES;
let unsent = 0;
const watch = setInterval(() => {
  unsent = Math.max(unsent, rig.unsent());
}, 250);
console.log('minute  heap MB   rss MB  sequence  frames/s  snapshots  rows/s  clients  longest queue KB');
const heaps: number[] = [];
const queues: number[] = [];
let before = {frames: 0, snapshots: 0, rows: 0};
for (let minute = step; minute <= minutes + 1e-9; minute += step) {
  await new Promise(resolve => setTimeout(resolve, step * 60_000));
  globalThis.gc?.();
  const {heapUsed, rss} = process.memoryUsage();
  heaps.push(heapUsed);
  const now = await readers.report();
  const perSecond = (name: 'frames' | 'rows') => Math.round((now[name] - before[name]) / (step * 60));
  console.log(
    `${minute.toFixed(1).padStart(6)} ${megabytes(heapUsed)} ${megabytes(rss)} ${String(rig.engine.sequence).padStart(9)} ${String(perSecond('frames')).padStart(9)} ${String(now.snapshots - before.snapshots).padStart(10)} ${String(perSecond('rows')).padStart(7)} ${String(now.open).padStart(8)} ${(unsent / 1024).toFixed(0).padStart(17)}  ${demoLine()}`,
  );
  queues.push(unsent);
  unsent = 0;
  before = now;
}
clearInterval(writer);
clearInterval(watch);
readers.stop();
await rig.stop();

const early = Math.max(...heaps.slice(0, Math.ceil(heaps.length / 4)));
const late = Math.max(...heaps.slice(-Math.ceil(heaps.length / 4)));
console.log(
  `\nheap of main, last quarter against the first: ${(late / early).toFixed(2)} (flat is at most 1.25)`,
);
const longest = Math.max(...queues);
console.log(`longest queue of any client: ${(longest / 1024).toFixed(0)} KB (at most ${QUEUE / 1024})`);
const isDemoLevel = await judgeDemo();
process.exit(late / early <= 1.25 && longest <= QUEUE && isDemoLevel ? 0 : 1);
