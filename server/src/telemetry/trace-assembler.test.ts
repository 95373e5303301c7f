import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import {afterEach, expect, test} from 'vitest';
import type {BatchSpan, SpanChange} from '../engine/link/span-facts.ts';
import type {SpanStart, SpanWriter, WrittenSpan} from './span-writer.ts';
import {TraceAssembler} from './trace-assembler.ts';

class RecordedSpan implements WrittenSpan {
  readonly isRecording = true;
  readonly started: SpanStart;
  ended: {at: number; error: string | undefined} | undefined;

  constructor(started: SpanStart) {
    this.started = started;
  }

  /** The names from the root to this span. */
  get path(): string {
    const parent = this.started.parent as RecordedSpan | undefined;
    return parent === undefined ? this.started.name : `${parent.path} > ${this.started.name}`;
  }

  setAttributes(): void {}

  end(at: number, error?: string): void {
    this.ended = {at, error};
  }
}

let spans: RecordedSpan[] = [];
const writer: SpanWriter = {
  start(started) {
    const span = new RecordedSpan(started);
    spans.push(span);
    return span;
  },
};
const assemblers: TraceAssembler[] = [];
function assembler(): TraceAssembler {
  const one = new TraceAssembler(writer, () => 0);
  assemblers.push(one);
  return one;
}
afterEach(() => {
  for (const one of assemblers.splice(0)) one.stop();
  spans = [];
});

const batch = (...changes: SpanChange[]): BatchSpan => ({
  sequence: 1,
  received: 10,
  settled: 12,
  changes,
  runs: [],
  changeCount: changes.length,
  runCount: 0,
});
const change = (collection: string, key: string, resourceVersion: string): SpanChange => ({
  collection,
  key,
  event: 'update',
  resourceVersion,
});
const of = {controller: 'c', at: 11, key: 'shop/cart'};
const woken = (resourceVersion: string, run: string): ControllerFact[] => [
  {
    ...of,
    fact: 'event',
    id: 1,
    watch: 'w',
    event: 'update',
    kind: 'Deployment',
    resourceVersion,
    unchanged: false,
    handler: '',
  },
  {...of, fact: 'enqueue', reason: 'event', event: 1, added: 'ready'},
  {...of, fact: 'start', run, attempt: 1},
];
const wrote = (run: string, resourceVersion: string): ControllerFact => ({
  ...of,
  fact: 'write',
  run,
  verb: 'patch',
  kind: 'ReplicaSet',
  namespace: 'shop',
  name: 'cart-1',
  dryRun: false,
  took: 1,
  after: {metadata: {resourceVersion}},
});
const ended: ControllerFact = {
  ...of,
  fact: 'end',
  run: 'r',
  attempt: 1,
  took: 1,
  result: 'error',
  error: 'no',
};

test('a batch that arrives before the call that caused it is still its child', () => {
  const traces = assembler();
  traces.takeBatch('demo', batch(change('ReplicaSets', 'shop/cart-1', '2')));
  traces.takeFacts('p', [...woken('1', 'r'), wrote('r', '2'), ended]);
  traces.takeBatch('demo', batch(change('Deployments', 'shop/cart', '1')));
  traces.stop();
  expect(spans.map(({path}) => path)).toEqual([
    'update Deployments',
    'update Deployments > reconcile c',
    'update Deployments > reconcile c > patch ReplicaSet',
    'update Deployments > reconcile c > patch ReplicaSet > update ReplicaSets',
  ]);
  expect(spans[1]?.ended?.error).toBe('no');
});

test('a batch with a write and what a controller wrote because of it does not wait for itself', () => {
  const traces = assembler();
  traces.takeBatch(
    'demo',
    batch(change('Deployments', 'shop/cart', '1'), change('ReplicaSets', 'shop/cart-1', '2')),
  );
  traces.takeFacts('p', [...woken('1', 'r'), wrote('r', '2'), ended]);
  traces.stop();
  expect(spans.map(({started}) => started.name).sort()).toEqual([
    'patch ReplicaSet',
    'reconcile c',
    'update Deployments',
  ]);
});

test('a retry belongs to the trace of the attempt before it', () => {
  const traces = assembler();
  traces.takeBatch('demo', batch(change('Deployments', 'shop/cart', '1')));
  traces.takeFacts('p', [
    ...woken('1', 'r'),
    ended,
    {...of, fact: 'enqueue', reason: 'error', added: 'delayed'},
    {...of, fact: 'start', run: 'r2', attempt: 2},
  ]);
  traces.stop();
  expect(spans.map(({path}) => path)).toContain('update Deployments > reconcile c > reconcile c');
});

test('the facts that wait have a limit', () => {
  const traces = assembler();
  for (let n = 0; n < 30_000; n += 1) traces.takeBatch('demo', batch(change('Pods', `a/${n}`, `${n}`)));
  traces.stop();
  expect(spans.length).toBe(20_000);
});
