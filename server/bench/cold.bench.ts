// The first sync in a cold process: what a user waits for is code that has never run.
import {bestOf} from './processes/own-process.ts';
import {atMost, type Bench} from './support/result-row.ts';

const bench: Bench = {
  name: 'cold',
  async run() {
    const [ours, floor] = bestOf(7, './processes/cold-sync.ts', ['krtscope', 'floor-fn']) as [number, number];
    const goals = [atMost(2, ours / floor, 'floor-fn')];
    return [
      {name: 'first sync of 10k pods, cold', value: ours, unit: 'ms', others: {'floor-fn': floor}, goals},
    ];
  },
};
export default bench;
