// W3s: initial sync of 10k pods with 1,000 services, all in one namespace.
import {floor, floorFn} from '../contenders/floor.ts';
import {krtPort} from '../contenders/istio-port/contender.ts';
import {krtscope} from '../contenders/krt-engine.ts';
import {sync} from '../support/initial-sync.ts';
import {against, rowOf} from '../support/race.ts';
import {atMost, type Bench} from '../support/result-row.ts';
import {makeWorkloadObjects} from '../support/workload-objects.ts';

const bench: Bench = {
  name: 'W3s',
  async run() {
    const contenders = [krtscope, floor, floorFn, krtPort];
    const result = sync(contenders, makeWorkloadObjects(10_000, 1000, 1, 1000), 7);
    return [rowOf('W3s 10k', result, 'ms', [atMost(5, against(result, 'floor'), 'floor')])];
  },
};
export default bench;
