// A first look at the model: graph.model.integration.test.ts plays 2,000 graphs, `npm run fuzz` as many as one likes.
import {test} from 'vitest';
import {playRandomGraphs} from './model-play.ts';

test('[MD1 MD2 MD3 MD4 MD5 MD6 LK1 LK4] 250 random graphs: after every batch states, changes, runs and causes are what plain functions say', () => {
  playRandomGraphs(250);
}, 60_000);
