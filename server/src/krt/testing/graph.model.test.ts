// The short form of the model test. graph.model.integration.test.ts plays thousands of graphs, `npm run fuzz` any
// number.
import {test} from 'vitest';
import {playRandomGraphs, playSlicedGraphs} from './model-play.ts';

test('[MD1 MD2 MD3 MD4 MD5 MD6 LK1 LK4] 250 random graphs: after every batch states, changes, runs and causes are those of the plain engine', () => {
  playRandomGraphs(250);
}, 60_000);

test('[MD7] 250 random graphs whose functions throw: the same', () => {
  playRandomGraphs(250, true);
}, 60_000);

test('[Y4 MD1] 100 random graphs whose first runs go in slices of one to three: the same states', () => {
  playSlicedGraphs(100);
}, 60_000);
