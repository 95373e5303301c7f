// W4: a chain of five stages over 10k pods; one pod changes.
import {bare} from '../contenders/bare.ts';
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {alienSignals} from '../contenders/signals-alien.ts';
import {preactSignals} from '../contenders/signals-preact.ts';
import {usual} from '../support/measure.ts';
import {against, atLeastSignals, race, rowOf} from '../support/race.ts';
import {atMost, type Bench} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {onePod} from '../support/workload-scripts.ts';

const bench: Bench = {
  name: 'W4',
  async run() {
    const world = makeWorkloadObjects(10_000, 1000, 20, 50);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const budget = {...usual, block: 50};
    // race() checks that each operation told exactly one change of the last stage, and that it is right.
    const result = race({contenders, world, stages: 5, script: onePod(world), budget});
    return [
      rowOf('W4 chain of five', result, 'us', [
        atMost(atLeastSignals(1.4, result), against(result, 'floor-fn'), 'floor-fn'),
        {text: 'exactly one consistent change', holds: result.wrong === undefined},
      ]),
    ];
  },
};
export default bench;
