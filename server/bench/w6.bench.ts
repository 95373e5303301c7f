// W6: bytes kept for each pod after the initial sync of 100k, the pods and services themselves not counted.
import type {Contender} from './contender.ts';
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {atMost, type Bench} from './row.ts';
import {makeWorld, type World} from './world.ts';

const SIZE = 100_000;

function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function bytesPerPod(contender: Contender, world: World): number {
  const before = used();
  const kept = contender.create(world, 1);
  const bytes = (used() - before) / SIZE;
  if ([...kept.rows()].length !== SIZE) throw new Error(`${contender.name} lost rows`);
  return bytes;
}

const bench: Bench = {
  name: 'W6',
  async run() {
    const world = makeWorld(SIZE, 1000, 20, 50);
    // Feedback vectors and compiled code are not per pod: let them be made first.
    const few = makeWorld(2000, 1000, 20, 50);
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
        goals: [atMost(850, value!, 'B an item')],
      },
    ];
  },
};
export default bench;
