// What causes and traces cost on W1, whose formula does next to nothing: without a listener, and with one.
import {KrtWorkloads, krtscope, plainKrt} from './krt-engine.ts';
import {measure, usual} from './measure.ts';
import {atMost, type Bench} from './row.ts';
import {newIps} from './scripts.ts';
import {stubbedEngine} from './stubbed-engine.ts';
import {makeWorld} from './world.ts';

const ROUNDS = 30;

const bench: Bench = {
  name: 'tracing',
  async run() {
    const world = makeWorld(1000, 50, 2, 25);
    const script = newIps(world, false);
    const stub = await stubbedEngine();
    const entry = (name: string, target: KrtWorkloads) => {
      const own = script();
      return {name, op: () => own.op(target)};
    };
    const plain = krtscope.create(world, 1) as KrtWorkloads;
    const without = measure([entry('plain', plain), entry('stubbed', new KrtWorkloads(world, 1, stub))], {
      rounds: ROUNDS,
      perRound: 30,
    });
    const heard = new KrtWorkloads(world, 1, plainKrt);
    let runs = 0;
    heard.engine.onTrace(trace => {
      runs += trace.runs.length;
    });
    const listening = measure([entry('plain', plain), entry('heard', heard)], usual);
    const silent = without.plain! / without.stubbed!;
    const loud = listening.heard! / listening.plain!;
    const silentRow = {
      name: 'tracing, nobody listens (W1)',
      value: without.plain!,
      unit: 'ms',
      others: {'no recording': without.stubbed!},
      goals: [atMost(1.05, silent, 'the engine without its recording calls')],
    };
    const loudRow = {
      name: 'tracing, one listener (W1)',
      value: listening.heard!,
      unit: 'ms',
      others: {'no listener': listening.plain!},
      goals: [atMost(3, loud, 'no listener')],
    };
    return runs > 0 ? [silentRow, loudRow] : [silentRow, {...loudRow, wrong: 'the listener heard of no run'}];
  },
};
export default bench;
