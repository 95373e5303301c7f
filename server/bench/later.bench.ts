// An engine in a process where graphs have come and gone, as where drafts are tried, against one that is the first.
import {bestOf} from './processes/own-process.ts';
import {atMost, type Bench} from './support/result-row.ts';

const OTHERS = 9;

const bench: Bench = {
  name: 'later',
  async run() {
    const [first, later] = bestOf(
      3,
      './processes/later-engine.ts',
      ['0', String(OTHERS)],
      ['--expose-gc'],
    ) as [number, number];
    const goals = [atMost(1.25, later / first, 'of the first engine')];
    return [
      {name: `W1 after ${OTHERS} others`, value: later, unit: 'ms', others: {'the first': first}, goals},
    ];
  },
};
export default bench;
