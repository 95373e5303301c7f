// Deletes: W1's 1,000 pods all go and all come back, one call for each.
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {comeAndGo} from './scripts.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'deletes',
  async run() {
    const world = makeWorld(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: comeAndGo(world)});
    return [rowOf('deletes and re-adds', result, 'ms', [atMost(2, against(result, 'floor-fn'), 'floor-fn')])];
  },
};
export default bench;
