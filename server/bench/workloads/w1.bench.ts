// W1: 1,000 pods on 50 services all get a new IP, one call for each.
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
  name: 'W1',
  async run() {
    const world = makeWorkloadObjects(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const result = race({
      contenders,
      world,
      script: newIps(world, false),
    });
    const signals = Math.min(result.times['preact-signals']!, result.times['alien-signals']!);
    return [
      rowOf('W1', result, 'ms', [
        atMost(1.6, against(result, 'floor-fn'), 'floor-fn'),
        timesFaster(1, signals / result.times.krtscope!, 'the best signals library'),
      ]),
    ];
  },
};
export default bench;
