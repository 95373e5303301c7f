// An engine in a process where graphs have come and gone, as where drafts are tried, against one that is the first.
import {execFileSync} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {atMost, type Bench} from './row.ts';

const OTHERS = 9;
const ROUNDS = 3;

function once(others: number): number {
  const file = fileURLToPath(new URL('./later-engine.ts', import.meta.url));
  const flags = ['--expose-gc', '--no-warnings'];
  return Number(execFileSync(process.execPath, [...flags, file, String(others)], {encoding: 'utf8'}));
}

const bench: Bench = {
  name: 'later',
  async run() {
    let first = Number.POSITIVE_INFINITY;
    let later = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      first = Math.min(first, once(0));
      later = Math.min(later, once(OTHERS));
    }
    const goals = [atMost(1.25, later / first, 'of the first engine')];
    return [
      {name: `W1 after ${OTHERS} others`, value: later, unit: 'ms', others: {'the first': first}, goals},
    ];
  },
};
export default bench;
