// W2b: one selector flips among P/20 services, so that 40 pods change at every size: what the lookup alone costs.
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {alienSignals} from '../contenders/signals-alien.ts';
import {preactSignals} from '../contenders/signals-preact.ts';
import {exponent} from '../support/measure.ts';
import {against, race, rowOf} from '../support/race.ts';
import {atMost, type Bench, type Row, timesFaster} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';
import {flip} from '../support/workload-scripts.ts';

const bench: Bench = {
  name: 'W2b',
  async run() {
    const rows: Row[] = [];
    const points: [number, number][] = [];
    for (const size of [1000, 10_000, 50_000]) {
      const world = makeWorkloadObjects(size, size / 20, 2, size / 40);
      const script = flip(world, 40, {app: 'app-1'});
      // Signals rescan every service for every pod of the namespace: seconds an operation at 10k.
      const signals = size === 1000 ? [preactSignals, alienSignals] : [];
      const contenders = [krtscope, floor, floorFn, krtPort, ...signals];
      const result = race({contenders, world, script});
      points.push([size, result.times.krtscope!]);
      const goals = [
        atMost(1, against(result, 'floor-fn'), 'floor-fn'),
        timesFaster(300, 1 / against(result, 'krt-port'), 'krt-port'),
      ];
      rows.push(rowOf(`W2b ${size / 1000}k`, result, 'us', size === 50_000 ? goals : []));
    }
    const growth = exponent(points);
    rows.push({
      name: 'W2b growth exponent',
      value: growth,
      unit: '',
      goals: [atMost(0.15, growth, 'exponent')],
    });
    return rows;
  },
};
export default bench;
