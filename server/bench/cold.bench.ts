// The first sync in a cold process: what a user waits for is code that has never run.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {atMost, type Bench} from './row.ts';

const ROUNDS = 7;

function once(name: string): number {
  const file = fileURLToPath(new URL('./cold-sync.ts', import.meta.url));
  return Number(execFileSync(process.execPath, ['--no-warnings', file, name], {encoding: 'utf8'}));
}

const bench: Bench = {
  name: 'cold',
  async run() {
    let ours = Number.POSITIVE_INFINITY;
    let floor = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      ours = Math.min(ours, once('krtscope'));
      floor = Math.min(floor, once('floor-fn'));
    }
    const goals = [atMost(2, ours / floor, 'floor-fn')];
    return [
      {name: 'first sync of 10k pods, cold', value: ours, unit: 'ms', others: {'floor-fn': floor}, goals},
    ];
  },
};
export default bench;
