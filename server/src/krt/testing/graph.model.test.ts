// A first look at the model: graph.model.integration.test.ts plays 2,000 graphs, `npm run fuzz` as many as one likes.
import {test} from 'vitest';
import {playRandomGraphs, playSlicedGraphs} from './model-play.ts';

test('[MD1 MD2 MD3 MD4 MD5 MD6 LK1 LK4] 250 random graphs: after every batch states, changes, runs and causes are what plain functions say', () => {
  playRandomGraphs(250);
}, 60_000);

test('[Y4 MD1] 100 random graphs whose first runs go in slices of one to three: the same states', () => {
  playSlicedGraphs(100);
}, 60_000);
