// W1b: as W1, all in one batch.
import {bare} from '../contenders/bare.ts';
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {alienSignals} from '../contenders/signals-alien.ts';
import {preactSignals} from '../contenders/signals-preact.ts';
import {against, race, rowOf} from '../support/race.ts';
import {atMost, type Bench, timesFaster} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {newIps} from '../support/workload-scripts.ts';

const bench: Bench = {
  name: 'W1b',
  async run() {
    const world = makeWorkloadObjects(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: newIps(world, true)});
    const signals = Math.min(result.times['preact-signals']!, result.times['alien-signals']!);
    return [
      rowOf('W1b', result, 'ms', [
        atMost(1.25, against(result, 'floor-fn'), 'floor-fn'),
        timesFaster(1, signals / result.times.krtscope!, 'the best signals library'),
      ]),
    ];
  },
};
export default bench;
