// W4: a chain of five stages over 10k pods; one pod changes.
import {bare} from './bare.ts';
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {usual} from './measure.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench} from './row.ts';
import {onePod} from './scripts.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W4',
  async run() {
    const world = makeWorld(10_000, 1000, 20, 50);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const budget = {...usual, block: 50};
    // race() checks that each operation told exactly one change of the last stage, and that it is right.
    const result = race({contenders, world, stages: 5, script: onePod(world), budget});
    return [
      rowOf('W4 chain of five', result, 'us', [
        atMost(2, against(result, 'floor-fn'), 'floor-fn'),
        atMost(3, against(result, 'floor'), 'floor'),
        {text: 'exactly one consistent change', holds: result.wrong === undefined},
      ]),
    ];
  },
};
export default bench;
