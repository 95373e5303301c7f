// Selectors of two labels, one of them common to half of all pods: a selector flips, then pods are relabelled.
import {floor, floorFn} from './contenders/floor.ts';
import {krtPort} from './contenders/istio-port/contender.ts';
import {krtscope} from './contenders/krt-engine.ts';
import {against, race, rowOf} from './support/race.ts';
import {atMost, type Bench} from './support/result-row.ts';
import {makeWorkloadObjects} from './support/workload-objects.ts';
import {flip, relabel} from './support/workload-scripts.ts';

const bench: Bench = {
  name: 'two-labels',
  async run() {
    const contenders = [krtscope, floor, floorFn, krtPort];
    // 10k pods, 2 namespaces, 125 apps, 2 tiers: 20 pods for each of 500 services.
    const large = makeWorkloadObjects(10_000, 500, 2, 125, 2);
    const flips = race({
      contenders,
      world: large,
      script: flip(large, 40, {tier: 'tier-0', app: 'app-1'}),
    });
    const small = makeWorkloadObjects(1000, 100, 2, 25, 2);
    const moves = race({
      contenders,
      world: small,
      script: relabel(small, 25),
    });
    return [
      rowOf('two labels, a selector flips', flips, 'us', [atMost(2, against(flips, 'floor-fn'), 'floor-fn')]),
      rowOf('two labels, pods relabelled', moves, 'ms', [atMost(2, against(moves, 'floor-fn'), 'floor-fn')]),
    ];
  },
};
export default bench;
