// Deletes: W1's 1,000 pods all go and all come back, one call for each.
import {floor, floorFn} from './contenders/floor.ts';
import {krtPort} from './contenders/istio-port/contender.ts';
import {krtscope} from './contenders/krt-engine.ts';
import {alienSignals} from './contenders/signals-alien.ts';
import {preactSignals} from './contenders/signals-preact.ts';
import {against, race, rowOf} from './support/race.ts';
import {atMost, type Bench} from './support/result-row.ts';
import {makeWorkloadObjects} from './support/workload-objects.ts';
import {comeAndGo} from './support/workload-scripts.ts';

const bench: Bench = {
  name: 'deletes',
  async run() {
    const world = makeWorkloadObjects(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: comeAndGo(world)});
    return [rowOf('deletes and re-adds', result, 'ms', [atMost(2, against(result, 'floor-fn'), 'floor-fn')])];
  },
};
export default bench;
