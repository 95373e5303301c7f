// Makes random changes and judges each. One seed repeats the same changes.

import {AnswerJudge, type JudgeTally} from './answer-judge.ts';
import {TruthCluster} from './cluster.ts';

interface Played extends JudgeTally {
  readonly changes: number;
}

export async function play(seed: number, changes: number): Promise<Played> {
  const cluster = await TruthCluster.start(seed);
  const judge = new AnswerJudge(cluster);
  let made = 0;
  while (made < changes) {
    const truth = cluster.change(1 + (cluster.chance.below(3) === 0 ? cluster.chance.below(6) : 0));
    if (truth === undefined) continue;
    made += truth.writes.length;
    judge.judge(truth);
  }
  return {...judge.tally, changes: made};
}

export function summaryText({questions: asked, wrong, changes}: Played): string {
  const share = asked === 0 ? 0 : (wrong.length / asked) * 100;
  return `${changes} changes, ${asked} answers, ${wrong.length} wrong (${share.toFixed(2)} %)`;
}
