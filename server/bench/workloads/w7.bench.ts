// W7: fan-in. One pod comes or goes and all 500 counts over 10,000 pods change.
import {
  type FanIn,
  FanInFloor,
  FanInKrt,
  FanInPort,
  makeFanInObjects,
  PODS,
  POLICIES,
} from '../support/fan-in.ts';
import {measure} from '../support/measure.ts';
import {against, rowOf} from '../support/race.ts';
import {atMost, type Bench, timesFaster} from '../support/result-row.ts';

function entry(name: string, target: FanIn) {
  const {extra} = makeFanInObjects();
  const start = target.changes();
  let ops = 0;
  return {
    name,
    op() {
      if (ops++ % 2 === 0) target.add(extra);
      else target.remove(extra.metadata.name);
    },
    check(): string | undefined {
      const told = target.changes() - start;
      if (told !== ops * POLICIES) return `${name}: ${told} changes told, ${ops * POLICIES} expected`;
      const counts = [...target.counts()];
      const expected = PODS + (ops % 2);
      const bad = counts.find(c => c.count !== expected);
      if (bad !== undefined) return `${name}: ${bad.key} counts ${bad.count}, not ${expected}`;
      return counts.length === POLICIES ? undefined : `${name}: ${counts.length} counts`;
    },
  };
}

const bench: Bench = {
  name: 'W7',
  async run() {
    const {pods, policies} = makeFanInObjects();
    const fast = [
      entry('krtscope', new FanInKrt(pods, policies)),
      entry('floor-fn', new FanInFloor(pods, policies)),
    ];
    const port = entry('krt-port', new FanInPort(pods, policies));
    const times = {
      ...measure(fast),
      ...measure([port], {rounds: 5, perRound: 1}),
    };
    const wrong = [...fast, port].map(e => e.check()).find(w => w !== undefined);
    const result = {times, wrong};
    return [
      rowOf('W7 fan-in', result, 'ms', [
        atMost(5, against(result, 'floor-fn'), 'floor-fn'),
        timesFaster(100, 1 / against(result, 'krt-port'), 'krt-port'),
      ]),
    ];
  },
};
export default bench;
