// Compares the engine with recordings of Istio's own krt: 239 scripts over 16 graphs, with both kinds of batches.
import {describe, expect, test} from 'vitest';
import {truthCases} from './truth-cases.ts';
import {truthGraphs} from './truth-graphs.ts';
import {Replay} from './truth-replay.ts';

test('[TR1] every recorded graph is there, with 239 cases in all', () => {
  expect([...truthCases.keys()].sort()).toEqual(Object.keys(truthGraphs).sort());
  expect([...truthCases.values()].flat()).toHaveLength(239);
});

for (const [graph, cases] of truthCases) {
  describe(graph, () => {
    for (const mode of ['operation', 'step'] as const) {
      for (const recorded of cases) {
        test(`[TR1 TR2 TR3 TR4] ${graph} ${recorded.seed}: states, changes, runs and a rebuild as recorded, each ${mode} a batch`, () => {
          const replay = new Replay(recorded);
          replay.play(mode);
          expect(replay.problems).toEqual([]);
        });
      }
    }
  });
}
