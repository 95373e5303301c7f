// W3s: initial sync of 10k pods with 1,000 services, all in one namespace.
import {floor, floorFn} from './floor.ts';
import {sync} from './initial-sync.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W3s',
  async run() {
    const contenders = [krtscope, floor, floorFn, krtPort];
    const result = sync(contenders, makeWorld(10_000, 1000, 1, 1000), 7);
    return [rowOf('W3s 10k', result, 'ms', [atMost(5, against(result, 'floor'), 'floor')])];
  },
};
export default bench;
