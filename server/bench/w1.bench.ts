// W1: 1,000 pods on 50 services all get a new IP, one call for each.
import {bare} from './bare.ts';
import {floor, floorFn} from './floor.ts';
import {krtscope} from './krt-engine.ts';
import {krtPort} from './port/contender.ts';
import {against, race, rowOf} from './race.ts';
import {atMost, type Bench, timesFaster} from './row.ts';
import {newIps} from './scripts.ts';
import {alienSignals} from './signals-alien.ts';
import {preactSignals} from './signals-preact.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'W1',
  async run() {
    const world = makeWorld(1000, 50, 2, 25);
    const contenders = [krtscope, floor, floorFn, bare, krtPort, preactSignals, alienSignals];
    const result = race({
      contenders,
      world,
      script: newIps(world, false),
    });
    const signals = Math.min(result.times['preact-signals']!, result.times['alien-signals']!);
    return [
      rowOf('W1', result, 'ms', [
        atMost(1.4, against(result, 'floor-fn'), 'floor-fn'),
        atMost(2.5, against(result, 'floor'), 'floor'),
        timesFaster(1.5, signals / result.times.krtscope!, 'the best signals library'),
      ]),
    ];
  },
};
export default bench;
