// One first sync of 10,000 pods in a process that has run nothing before: started by cold.bench.ts, prints milliseconds.
import {floorFn} from '../contenders/floor.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';

const PODS = 10_000;
const contender = process.argv[2] === 'krtscope' ? krtscope : floorFn;
const world = makeWorkloadObjects(PODS, 1000, 20, 50);
const start = performance.now();
const built = contender.create(world, 1);
const took = performance.now() - start;
if (built.changes() !== PODS) throw new Error(`${built.changes()} rows were announced, not ${PODS}`);
process.stdout.write(String(took));
