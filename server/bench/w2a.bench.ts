// W2a: one selector of 50 flips; a twenty-fifth of all pods change. 50k pods.
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {flip} from './scripts.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W2a',
  async run() {
    const world = makeWorld(50_000, 50, 2, 25);
    const script = flip(world, 2000, {app: 'app-1'});
    const contenders = [krtscope, floor, floorFn, krtPort];
    const result = race({contenders, world, script});
    return [
      rowOf('W2a 50k', result, 'ms', [
        atMost(1.2, against(result, 'floor-fn'), 'floor-fn'),
        atMost(1.5, against(result, 'floor'), 'floor'),
      ]),
    ];
  },
};
export default bench;
