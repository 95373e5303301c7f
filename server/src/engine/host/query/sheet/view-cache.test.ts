import type {Question, QuestionInput} from '@krtscope/shared/questions.ts';
import {questionSchema} from '@krtscope/shared/questions.ts';
import {expect, test} from 'vitest';
import {RolledOff} from '../../../../explain/records.ts';
import {SliceScheduler} from '../../slice-scheduler.ts';
import {createTestGraphHost, namespace, pod, type TestGraphHost} from '../testing-graph-host.ts';

/** A scheduler that makes one step whenever the test says so. */
class ByHand extends SliceScheduler {
  #steps: Generator<undefined, unknown> | undefined;
  #done: (value: never, took: number) => void = () => {};

  override run<T>(steps: Generator<undefined, T>, done: (value: T, took: number) => void): void {
    this.#steps = steps;
    this.#done = done as never;
  }

  /** False once it is done. */
  step(): boolean {
    const next = this.#steps?.next();
    if (next?.done) this.#done(undefined as never, 0);
    return next?.done === false;
  }
}

function shop(pods: number): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop')],
    Services: [{metadata: {name: 'web', namespace: 'shop'}, spec: {selector: {app: 'web'}}}],
    Pods: Array.from({length: pods}, (_, n) => pod(`p-${n}`, {app: n % 3 === 0 ? 'web' : 'cart'})),
  });
  return r;
}

const parse = (question: QuestionInput) => questionSchema.parse(question) as Question;

for (const asked of [
  {ask: 'window', collection: 'Workloads', q: '-l app=web', sort: '-name', group: 'label:app', count: 600},
  {ask: 'window', collection: 'Pods', q: 'changed<1h', sort: 'metadata.labels.app', count: 600},
  {ask: 'sheet', root: 'Pods', sort: '-Workloads.services', group: 'label:app', count: 600},
  {ask: 'sheet', root: 'Pods', q: 'web', count: 600},
] satisfies QuestionInput[]) {
  const {count: _, ...words} = asked;
  test(`what changes while a view is filled is in it: ${JSON.stringify(words)}`, () => {
    const r = shop(300);
    const slices = new ByHand();
    const answers: unknown[] = [];
    const failed = (error: unknown) => answers.push(error);
    const question = parse(asked);
    expect(r.answers.answerInSlices(question, slices, answer => answers.push(answer), failed)).toBe(true);
    // A second reader asks for another part in between. The view is filled once.
    const other = parse({...asked, offset: 5, count: 7});
    expect(r.answers.answerInSlices(other, slices, answer => answers.push(answer), failed)).toBe(true);
    for (let n = 0; slices.step(); n++) {
      if (n % 2 === 0) r.write({Pods: [pod(`new-${n}`, {app: 'web'}), `shop/p-${n}`]});
      else
        r.write({
          Pods: [pod(`p-${250 + n}`, {app: n % 4 === 1 ? 'web' : 'cart'}), pod('p-2', {app: `a${n}`})],
        });
      expect(answers).toEqual([]);
      // Another answer tells the views what changed.
      if (n % 3 === 0) r.ask({ask: 'graph'});
    }
    expect(answers).toHaveLength(2);
    expect(answers[0]).toEqual(r.ask({...asked, q: `${asked.q ?? ''} runs>=0`.trim()}));
    expect(answers[1]).toEqual(r.ask({...asked, q: `${asked.q ?? ''} runs>=0`.trim(), offset: 5, count: 7}));
    // The view is filled: the next answer does not wait.
    expect(r.answers.answerInSlices(question, slices, () => {}, failed)).toBe(false);
  });
}

test('a moment that has rolled off is told to who asked in slices, whatever the question', () => {
  const r = createTestGraphHost(undefined, {runs: 4, megabytes: 64});
  r.sync();
  const began = r.records.newest();
  for (let i = 0; r.records.oldest() <= began + 1; i++)
    r.write({Namespaces: [namespace('shop')], Pods: [pod('a', {app: String(i)})]});
  const asked: QuestionInput[] = [
    {ask: 'checks', at: began},
    {ask: 'window', collection: 'Pods', at: began},
    {ask: 'sheet', root: 'Pods', at: began},
  ];
  for (const question of asked) {
    const said: unknown[] = [];
    const slices = new SliceScheduler();
    const later = r.answers.answerInSlices(parse(question), slices, String, error => said.push(error));
    expect(later).toBe(true);
    expect(said).toEqual([expect.any(RolledOff)]);
  }
});
