// W3: initial sync of 10k, 50k and 100k pods with 1,000 services in 20 namespaces.
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {alienSignals} from '../contenders/signals-alien.ts';
import {preactSignals} from '../contenders/signals-preact.ts';
import {sync} from '../support/initial-sync.ts';
import {exponent} from '../support/measure.ts';
import {against, rowOf} from '../support/race.ts';
import {atMost, type Bench, type Row} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';

const bench: Bench = {
  name: 'W3',
  async run() {
    const rows: Row[] = [];
    const points: [number, number][] = [];
    for (const size of [10_000, 50_000, 100_000]) {
      const contenders = [krtscope, floor, floorFn, krtPort];
      if (size === 10_000) contenders.push(preactSignals, alienSignals);
      const result = sync(contenders, makeWorkloadObjects(size, 1000, 20, 50), 5);
      points.push([size, result.times.krtscope!]);
      // The first 10,000 count in a cold process: see cold.bench.ts.
      const goals = size === 100_000 ? [atMost(1.4, against(result, 'floor-fn'), 'floor-fn')] : [];
      rows.push(rowOf(`W3 ${size / 1000}k`, result, 'ms', goals));
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
