// The long form of the model test. It starts no process, but takes more time than `npm run check` allows.
import {test} from 'vitest';
import {playRandomGraphs} from './model-play.ts';

test('[MD1 MD2 MD3 MD4 MD5 MD6 LK1 LK4] 2,000 random graphs: after every batch states, changes, runs and causes are those of the plain engine', () => {
  playRandomGraphs(2000);
}, 120_000);

test('[MD7] 2,000 random graphs whose functions throw: the same', () => {
  playRandomGraphs(2000, true);
}, 120_000);
