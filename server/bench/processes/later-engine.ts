// W1 on an engine before which others have come and gone in the process: started by later.bench.ts, prints milliseconds.
import {krtscope} from '../contenders/krt-engine.ts';
import {measure} from '../support/measure.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {newIps} from '../support/workload-scripts.ts';

const before = makeWorkloadObjects(10_000, 1000, 20, 50);
for (let others = Number(process.argv[2]); others > 0; others--) {
  krtscope.create(before, 1);
  globalThis.gc?.();
}
const world = makeWorkloadObjects(1000, 50, 2, 25);
const script = newIps(world, false)();
const target = krtscope.create(world, 1);
const times = measure([{name: 'later', op: () => script.op(target)}]);
process.stdout.write(String(times.later));
