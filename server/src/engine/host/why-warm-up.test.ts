import {setImmediate as turn} from 'node:timers/promises';
import type {Question} from '@krtscope/shared/questions.ts';
import {expect, test} from 'vitest';
import {createTestGraphHost, namespace, pod} from './query/testing-graph-host.ts';
import {SliceScheduler} from './slice-scheduler.ts';
import {WhyWarmUp} from './why-warm-up.ts';

test('each collection that has synced is asked about once, and an answer that fails stops nothing', async () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('a'), pod('b')]});
  const told: string[] = [];
  const answer = (question: Question) => {
    if (question.ask === 'why' && question.collection === 'Pods') throw new Error('it has gone');
    const {sentence} = r.answers.answer(question) as {sentence: string};
    told.push(sentence);
    return {sentence};
  };
  const first = new WhyWarmUp({slices: new SliceScheduler(), records: () => r.records, answer});
  first.schedule(['Namespaces', 'Secrets', 'Pods']);
  first.schedule(['Namespaces', 'Workloads']);
  // Not inside the batch in which they synced.
  expect(told).toEqual([]);
  for (let n = 0; n < 1000 && told.length < 2; n++) await turn();
  await turn();
  expect(told).toEqual([
    expect.stringMatching(/^Namespace shop was added/),
    expect.stringMatching(/^Workload shop\/a was added/),
  ]);
  // A repeat of a run with many reads would have to repeat all of them.
  r.write({Services: [{metadata: {name: 'web', namespace: 'shop'}, spec: {selector: {app: 'web'}}}]});
  const many = Array.from({length: 30}, (_, n) => pod(`p-${n}`));
  r.write({Pods: many});
  first.schedule(['ServiceInfos', 'WorkloadServices']);
  for (let n = 0; n < 1000 && told.length < 3; n++) await turn();
  expect(told.at(-1)).toMatch(/^WorkloadService /);
});
