// W2b: one selector flips among P/20 services, so that 40 pods change at every size: what the lookup alone costs.
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {exponent} from './measure.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench, type Row, timesFaster} from './row.ts';
import {flip} from './scripts.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W2b',
  async run() {
    const rows: Row[] = [];
    const points: [number, number][] = [];
    for (const size of [1000, 10_000, 50_000]) {
      const world = makeWorld(size, size / 20, 2, size / 40);
      const script = flip(world, 40, {app: 'app-1'});
      // Signals rescan every service for every pod of the namespace: seconds an operation at 10k.
      const signals = size === 1000 ? [preactSignals, alienSignals] : [];
      const contenders = [krtscope, floor, floorFn, krtPort, ...signals];
      const result = race({contenders, world, script});
      points.push([size, result.times.krtscope!]);
      const goals = [
        atMost(1.2, against(result, 'floor-fn'), 'floor-fn'),
        atMost(1.5, against(result, 'floor'), 'floor'),
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
