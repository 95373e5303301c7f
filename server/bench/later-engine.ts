// W1 on an engine before which others have come and gone in the process: started by later.bench.ts, prints milliseconds.
import {krtscope} from './krt-engine.ts';
import {measure} from './measure.ts';
import {newIps} from './scripts.ts';
import {makeWorld} from './world.ts';

const before = makeWorld(10_000, 1000, 20, 50);
for (let others = Number(process.argv[2]); others > 0; others--) {
  krtscope.create(before, 1);
  globalThis.gc?.();
}
const world = makeWorld(1000, 50, 2, 25);
const script = newIps(world, false)();
const target = krtscope.create(world, 1);
const times = measure([{name: 'later', op: () => script.op(target)}]);
process.stdout.write(String(times.later));
