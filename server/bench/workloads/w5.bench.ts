// W5: 10k updates that say nothing new, one call for each.
import {bare} from '../contenders/bare.ts';
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {alienSignals} from '../contenders/signals-alien.ts';
import {preactSignals} from '../contenders/signals-preact.ts';
import {against, atLeastSignals, race, rowOf} from '../support/race.ts';
import {atMost, type Bench} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {noNews} from '../support/workload-scripts.ts';

const bench: Bench = {
  name: 'W5',
  async run() {
    const world = makeWorkloadObjects(10_000, 1000, 20, 50);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: noNews(world), budget: {rounds: 16, perRound: 12}});
    return [
      rowOf('W5 no-ops', result, 'ms', [
        atMost(atLeastSignals(1.2, result), against(result, 'floor-fn'), 'floor-fn'),
        {text: 'no change announced', holds: result.wrong === undefined},
      ]),
    ];
  },
};
export default bench;
