// Relabelled pods: each of W1's 1,000 pods moves to another service by its label, one call for each.
import {floor, floorFn} from './contenders/floor.ts';
import {krtPort} from './contenders/istio-port/contender.ts';
import {krtscope} from './contenders/krt-engine.ts';
import {alienSignals} from './contenders/signals-alien.ts';
import {preactSignals} from './contenders/signals-preact.ts';
import {against, race, rowOf} from './support/race.ts';
import {atMost, type Bench} from './support/result-row.ts';
import {makeWorkloadObjects} from './support/workload-objects.ts';
import {relabel} from './support/workload-scripts.ts';

const bench: Bench = {
  name: 'relabel',
  async run() {
    const world = makeWorkloadObjects(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: relabel(world, 25)});
    return [rowOf('relabelled pods', result, 'ms', [atMost(2, against(result, 'floor-fn'), 'floor-fn')])];
  },
};
export default bench;
