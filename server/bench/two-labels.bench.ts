// Selectors of two labels, one of them common to half of all pods: a selector flips, then pods are relabelled.
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {flip, relabel} from './scripts.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'two-labels',
  async run() {
    const contenders = [krtscope, floor, floorFn, krtPort];
    // 10k pods, 2 namespaces, 125 apps, 2 tiers: 20 pods for each of 500 services.
    const large = makeWorld(10_000, 500, 2, 125, 2);
    const flips = race({
      contenders,
      world: large,
      script: flip(large, 40, {tier: 'tier-0', app: 'app-1'}),
    });
    const small = makeWorld(1000, 100, 2, 25, 2);
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
