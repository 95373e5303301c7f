// W5: 10k updates that say nothing new, one call for each.
import {bare} from './bare.ts';
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {noNews} from './scripts.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W5',
  async run() {
    const world = makeWorld(10_000, 1000, 20, 50);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const result = race({contenders, world, script: noNews(world), budget: {rounds: 16, perRound: 12}});
    return [
      rowOf('W5 no-ops', result, 'ms', [
        atMost(1.6, against(result, 'floor-fn'), 'floor-fn'),
        atMost(4, against(result, 'floor'), 'floor'),
        {text: 'no change announced', holds: result.wrong === undefined},
      ]),
    ];
  },
};
export default bench;
