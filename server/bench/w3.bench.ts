// W3: initial sync of 10k, 50k and 100k pods with 1,000 services in 20 namespaces.
import {floor, floorFn} from './floor.ts';
import {sync} from './initial-sync.ts';
import {krtscope} from './krt-engine.ts';
import {exponent} from './measure.ts';
import {krtPort} from './port/contender.ts';
import {against, rowOf} from './race.ts';
import {atMost, type Bench, type Row} from './row.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W3',
  async run() {
    const rows: Row[] = [];
    const points: [number, number][] = [];
    for (const size of [10_000, 50_000, 100_000]) {
      const contenders = [krtscope, floor, floorFn, krtPort];
      if (size === 10_000) contenders.push(preactSignals, alienSignals);
      const result = sync(contenders, makeWorld(size, 1000, 20, 50), 5);
      points.push([size, result.times.krtscope!]);
      const goals = [
        atMost(1.6, against(result, 'floor-fn'), 'floor-fn'),
        atMost(2, against(result, 'floor'), 'floor'),
      ];
      rows.push(rowOf(`W3 ${size / 1000}k`, result, 'ms', size === 10_000 ? [] : goals));
    }
    const growth = exponent(points);
    rows.push({
      name: 'W3 growth exponent',
      value: growth,
      unit: '',
      goals: [atMost(1.1, growth, 'exponent')],
    });
    return rows;
  },
};
export default bench;
