import {type Question, questionSchema} from '@krtscope/shared/questions.ts';
import {runSchema} from '@krtscope/shared/run.ts';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {Unanswerable} from '../../../explain/records.ts';
import {pod, RecordedTestGraph} from '../../../history/testing-recorded-graph.ts';
import type {FromHost} from '../../link/host-messages.ts';
import {HostSubscriptions} from './subscriptions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function rig(answer: (question: Question) => unknown = () => ({total: 0, of: 0, offset: 0, rows: []})) {
  const scribe = new RecordedTestGraph();
  const sent: FromHost[] = [];
  const asked: Question[] = [];
  const searches: {done(answer: unknown): void; failed(error: unknown): void}[] = [];
  const subscriptions = new HostSubscriptions({
    answer: question => {
      asked.push(question);
      return answer(question);
    },
    answerInSlices: (question, done, failed) => {
      if (question.ask !== 'search') return false;
      asked.push(question);
      searches.push({done, failed});
      return true;
    },
    send: message => sent.push(message),
    sequence: () => scribe.recording.newest,
    refresh: () => {},
    now: () => Date.now(),
  });
  let value = 20;
  const write = (name: string) => {
    value += 1;
    const known = scribe.batches.length;
    scribe.pods.updateObject(pod(name, value));
    for (const batch of scribe.batches.slice(known)) subscriptions.markBatch(batch);
  };
  const change = () => write('p');
  const other = () => write('other');
  return {subscriptions, sent, asked, searches, change, other};
}

const question = (input: object) => questionSchema.parse(input);
const updates = (sent: FromHost[]) =>
  sent.flatMap(message =>
    message.type === 'update' ? [{id: message.id, ...JSON.parse(message.update)}] : [],
  );

test('many batches within a frame are one answer, and it comes within 50 ms', () => {
  let total = 0;
  const {subscriptions, sent, asked, change} = rig(() => ({total: ++total, of: 0, offset: 0, rows: []}));
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Workloads'}));
  expect(updates(sent)).toMatchObject([{id: 1, topic: 'window', snapshot: {total: 1}}]);
  for (let i = 0; i < 100; i++) change();
  vi.advanceTimersByTime(51);
  expect(asked.length).toBe(2);
  expect(updates(sent)[1]).toMatchObject({delta: {total: 2}});
  vi.advanceTimersByTime(500);
  expect(asked.length).toBe(2);
});

test('while more than 2,000 changes a second come in, answers come every 250 ms', () => {
  let total = 0;
  const {subscriptions, asked, change} = rig(() => ({total: ++total, of: 0, offset: 0, rows: []}));
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Workloads'}));
  for (let i = 0; i < 2001; i++) change();
  expect(subscriptions.frame).toBe(250);
  vi.advanceTimersByTime(240);
  expect(asked.length).toBeLessThanOrEqual(2);
  vi.advanceTimersByTime(60);
  expect(asked.length).toBeGreaterThanOrEqual(2);
  vi.advanceTimersByTime(3000);
  expect(subscriptions.frame).toBe(50);
});

test('an item is answered at once when it changes, and four times a second for what others do', () => {
  const {subscriptions, asked, change} = rig(() => ({total: asked.length}));
  subscriptions.subscribe(1, question({ask: 'item', collection: 'Workloads', key: 'ns/p'}));
  subscriptions.subscribe(2, question({ask: 'item', collection: 'Workloads', key: 'ns/other'}));
  asked.length = 0;
  const keys = () => asked.map(one => 'key' in one && one.key);
  change();
  vi.advanceTimersByTime(60);
  expect(keys()).toEqual(['ns/p']);
  vi.advanceTimersByTime(250);
  expect(keys()).toEqual(['ns/p', 'ns/other']);
});

test('an item that waits for what others did is answered at once when its own change comes', () => {
  const {subscriptions, asked, change, other} = rig(() => ({total: asked.length}));
  subscriptions.subscribe(1, question({ask: 'item', collection: 'Workloads', key: 'ns/p'}));
  asked.length = 0;
  other();
  vi.advanceTimersByTime(100);
  expect(asked).toEqual([]);
  change();
  vi.advanceTimersByTime(5);
  expect(asked.length).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(asked.length).toBe(1);
});

test('one answer that took long does not hold up the next; one that always does waits five times as long', () => {
  let takes = 0;
  const {subscriptions, asked, change} = rig(() => {
    vi.setSystemTime(Date.now() + takes);
    return {total: asked.length, of: 0, offset: 0, rows: []};
  });
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Pods'}));
  const next = () => {
    change();
    const known = asked.length;
    let waited = 0;
    for (; asked.length === known && waited < 2000; waited++) vi.advanceTimersByTime(1);
    return waited;
  };
  takes = 100;
  next();
  takes = 0;
  expect(next()).toBeLessThan(60);
  takes = 100;
  next();
  next();
  expect(next()).toBeGreaterThan(400);
});

test('a window that no change touches is not asked again', () => {
  const {subscriptions, asked, change} = rig();
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Services'}));
  change();
  vi.advanceTimersByTime(500);
  expect(asked.length).toBe(1);
});

test('what becomes due within a frame is answered together, and frames keep 50 ms apart', () => {
  let total = 0;
  const {subscriptions, sent, change} = rig(() => ({total: ++total, of: 0, offset: 0, rows: []}));
  const at: number[] = [];
  for (let id = 1; id <= 10; id++) {
    subscriptions.subscribe(id, question({ask: 'window', collection: 'Pods'}));
    vi.advanceTimersByTime(7);
  }
  sent.length = 0;
  for (let ms = 0; ms < 1000; ms++) {
    change();
    vi.advanceTimersByTime(1);
    if (sent.length > 0) at.push(ms);
    sent.length = 0;
  }
  for (let i = 1; i < at.length; i++) expect(at[i]! - at[i - 1]!).toBeGreaterThanOrEqual(49);
  expect(at.length).toBeGreaterThan(10);
});

test('a moment of the past is answered once', () => {
  const {subscriptions, asked, change} = rig();
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Pods', at: 1}));
  change();
  vi.advanceTimersByTime(2000);
  expect(asked.length).toBe(1);
});

test('the graph gets a pulse for every batch: roots, and runs by edge and outcome', () => {
  const {subscriptions, sent, change} = rig(() => ({sequence: 1, collections: [], edges: []}));
  subscriptions.subscribe(1, question({ask: 'graph'}));
  change();
  change();
  vi.advanceTimersByTime(60);
  const {pulses, skipped} = updates(sent)[1]!.delta as {
    pulses: {roots: unknown; waves: unknown[]}[];
    skipped: number;
  };
  expect(skipped).toBe(0);
  expect(pulses.length).toBe(2);
  expect(pulses[1]?.roots).toEqual([{collection: 'Pods', key: 'ns/p', event: 'update'}]);
  expect(pulses[1]?.waves).toContainEqual({from: 'Pods', to: 'Workloads', outcomes: {changed: 1}});
});

test('above 200 changes a second the graph is answered four times a second, and rows with every frame', () => {
  const {subscriptions, asked, change} = rig(({ask}) =>
    ask === 'graph' ? {sequence: 1, collections: [], edges: []} : {total: 0, of: 0, offset: 0, rows: []},
  );
  subscriptions.subscribe(1, question({ask: 'graph'}));
  subscriptions.subscribe(2, question({ask: 'window', collection: 'Pods'}));
  const answers = (count: number) => {
    asked.length = 0;
    for (let i = 0; i < count; i++) {
      change();
      vi.advanceTimersByTime(1000 / count);
    }
    return asked.filter(({ask}) => ask === 'graph').length;
  };
  expect(answers(100)).toBeGreaterThan(15);
  answers(500);
  expect(answers(500)).toBeLessThan(6);
  expect(asked.length).toBeGreaterThan(20);
});

test('a trace goes on with the runs that came since, and only those asked for', () => {
  const {subscriptions, sent, change} = rig(() => ({sequence: 1, runs: []}));
  subscriptions.subscribe(1, question({ask: 'trace', collection: 'Workloads', limit: 2}));
  for (let i = 0; i < 3; i++) change();
  vi.advanceTimersByTime(60);
  const {delta} = updates(sent)[1] as {delta: {runs: {collection: string}[]; skipped: number}};
  expect(delta.runs.map(({collection}) => collection)).toEqual(['Workloads', 'Workloads']);
  expect(delta.skipped).toBe(1);
});

test('a trace up to a moment hears nothing of what came after it', () => {
  const {subscriptions, sent, change} = rig(() => ({sequence: 1, runs: []}));
  subscriptions.subscribe(1, question({ask: 'trace', collection: 'Workloads', limit: 2, until: 0}));
  for (let i = 0; i < 3; i++) change();
  vi.advanceTimersByTime(60);
  expect(updates(sent)).toHaveLength(1);
});

test('a run is told in a delta as in an answer, with the signal of its batch', () => {
  const {subscriptions, sent, change} = rig(() => ({sequence: 1, runs: []}));
  subscriptions.subscribe(1, question({ask: 'trace', collection: 'Workloads', limit: 2}));
  change();
  vi.advanceTimersByTime(60);
  const {delta} = updates(sent)[1] as {delta: {runs: {signal?: string}[]}};
  expect(delta.runs).toMatchObject([{signal: 'person'}]);
  // Fields outside the schema have no reader.
  expect(delta.runs).toEqual(delta.runs.map(run => runSchema.parse(run)));
});

test('a question that cannot be answered is told once and goes on when it can', () => {
  let known = false;
  const {subscriptions, sent, change} = rig(() => {
    if (!known) throw new Unanswerable('unknown-collection', 'no such', 'look');
    return {total: 1, of: 1, offset: 0, rows: []};
  });
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Pods'}));
  change();
  vi.advanceTimersByTime(60);
  expect(sent).toEqual([
    {type: 'trouble', id: 1, failure: {code: 'unknown-collection', message: 'no such', hint: 'look'}},
  ]);
  known = true;
  change();
  vi.advanceTimersByTime(60);
  expect(updates(sent)).toMatchObject([{snapshot: {total: 1}}]);
});

test('who has left hears nothing', () => {
  const {subscriptions, sent, change} = rig();
  subscriptions.subscribe(1, question({ask: 'window', collection: 'Pods'}));
  subscriptions.unsubscribe(1);
  sent.length = 0;
  change();
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
});

test('a search is answered when it is done, once for all that wait, and again for what changed meanwhile', () => {
  const {subscriptions, sent, searches, change} = rig();
  const search = question({ask: 'search', q: 'web'});
  subscriptions.subscribe(1, search);
  expect(sent).toEqual([]);
  for (let i = 0; i < 10; i++) change();
  vi.advanceTimersByTime(1000);
  expect(searches.length, 'no second one beside the first').toBe(1);
  searches[0]!.done({sequence: 1, hits: [], total: 0});
  expect(updates(sent)).toMatchObject([{id: 1, topic: 'search', snapshot: {total: 0}}]);
  vi.advanceTimersByTime(6000);
  expect(searches.length, 'what changed while it went on').toBe(2);
  // A later subscriber gets its own snapshot, and a departed one gets nothing.
  subscriptions.subscribe(2, search);
  subscriptions.unsubscribe(2);
  searches[2]!.done({sequence: 2, hits: [], total: 5});
  expect(updates(sent).length).toBe(1);
  subscriptions.unsubscribe(1);
  searches[1]!.done({sequence: 2, hits: [], total: 5});
  expect(updates(sent).length).toBe(1);
  subscriptions.subscribe(3, search);
  searches[3]!.failed(new Unanswerable('bad-query', 'no', 'never'));
  expect(sent.at(-1)).toMatchObject({type: 'trouble', id: 3, failure: {code: 'bad-query'}});
});
