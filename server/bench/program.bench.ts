// What reporting costs a program while no krtscope listens: an engine that is reported against one that is not, on W1.
import {reportEngine} from '../src/program/report.ts';
import {KrtWorkloads} from './krt-engine.ts';
import {measure} from './measure.ts';
import {atMost, type Bench} from './row.ts';
import {newIps} from './scripts.ts';
import {makeWorld} from './world.ts';

const bench: Bench = {
  name: 'program',
  async run() {
    const world = makeWorld(1000, 50, 2, 25);
    const script = newIps(world, false);
    const entry = (name: string, target: KrtWorkloads) => {
      const own = script();
      return {name, op: () => own.op(target)};
    };
    const plain = new KrtWorkloads(world, 1);
    const reported = new KrtWorkloads(world, 1);
    // Nobody listens on this port: it looks again and again, as it would beside a krtscope that is not there.
    const program = reportEngine(reported.engine, {
      name: 'bench',
      env: {KRTSCOPE_URL: 'http://127.0.0.1:9/?token=none'},
      retry: 50,
    });
    const figures = measure([entry('plain', plain), entry('reported', reported)], {rounds: 30, perRound: 30});
    const heard = program.session !== undefined;
    program.end();
    const row = {
      name: 'a program that nobody hears (W1)',
      value: figures.reported!,
      unit: 'ms',
      others: {'not reported': figures.plain!},
      goals: [atMost(1.05, figures.reported! / figures.plain!, 'an engine that is not reported')],
    };
    return [heard ? {...row, wrong: 'somebody listened'} : row];
  },
};
export default bench;
