// W2a: one selector of 50 flips; a twenty-fifth of all pods change. 50k pods.
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {against, race, rowOf} from '../support/race.ts';
import {atMost, type Bench} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {flip} from '../support/workload-scripts.ts';

const bench: Bench = {
  name: 'W2a',
  async run() {
    const world = makeWorkloadObjects(50_000, 50, 2, 25);
    const script = flip(world, 2000, {app: 'app-1'});
    const contenders = [krtscope, floor, floorFn, krtPort];
    const result = race({contenders, world, script});
    return [
      rowOf('W2a 50k', result, 'ms', [
        atMost(1.2, against(result, 'floor-fn'), 'floor-fn'),
        atMost(1.5, against(result, 'floor'), 'floor'),
      ]),
    ];
  },
};
export default bench;
