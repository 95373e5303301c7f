// W6: bytes kept for each pod after the initial sync of 100k, the pods and services themselves not counted.
import type {Contender} from '../contenders/contender.ts';
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {atMost, type Bench} from '../support/result-row.ts';
import {makeWorkloadObjects, type WorkloadObjects} from '../support/workload-objects.ts';

const SIZE = 100_000;

function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function bytesPerPod(contender: Contender, world: WorkloadObjects): number {
  const before = used();
  const kept = contender.create(world, 1);
  const bytes = (used() - before) / SIZE;
  if ([...kept.rows()].length !== SIZE) throw new Error(`${contender.name} lost rows`);
  return bytes;
}

const bench: Bench = {
  name: 'W6',
  async run() {
    const world = makeWorkloadObjects(SIZE, 1000, 20, 50);
    // Feedback vectors and compiled code are not per pod: let them be made first.
    const few = makeWorkloadObjects(2000, 1000, 20, 50);
    const all = [krtscope, floor, floorFn, krtPort];
    for (const contender of all) contender.create(few, 1);
    const bytes: Record<string, number> = {};
    for (const contender of all) bytes[contender.name] = bytesPerPod(contender, world);
    const {krtscope: value, ...others} = bytes;
    return [
      {
        name: 'W6 memory an item',
        value: value!,
        unit: 'B',
        others,
        goals: [atMost(600, value!, 'B an item')],
      },
    ];
  },
};
export default bench;
