// Controllers that fail, loop, conflict or hang open incidents, and attempts link to those that they caused. Facts go
// through the real tracker, the real recording and the real checks.

import type {WhyReconcile} from '@krtscope/shared/controllers.ts';
import {type Incident, type Incidents, incidentsSchema} from '@krtscope/shared/incidents.ts';
import type {ControllerFact} from '@krtscope/shared/programs/program-facts.ts';
import {beforeEach, expect, test} from 'vitest';
import {createTestGraphHost, type TestGraphHost} from '../../engine/host/query/testing-graph-host.ts';
import {ControllerTracker} from './controller-tracker.ts';

type PlainFact = {fact: ControllerFact['fact']} & Record<string, unknown>;

const KEY = 'shop/web';
let host: TestGraphHost;
let tracker: ControllerTracker;
let now: number;
let runs = 0;
let events = 0;

const about = (name: string) => ({
  name,
  owns: [],
  watches: [],
  workers: 1,
  state: 'running' as const,
});

beforeEach(() => {
  host = createTestGraphHost();
  host.sync();
  now = Date.now();
  tracker = new ControllerTracker('operator', () => now);
  host.apply(tracker.take({type: 'controllers', controllers: [about('orders'), about('pods')]}));
});

function report(facts: readonly PlainFact[], controller = 'orders'): void {
  const whole = facts.map(fact => ({controller, at: now, key: KEY, ...fact}) as unknown as ControllerFact);
  host.apply(tracker.take({type: 'facts', facts: whole}));
}

/** One run with its causes and writes. `end: null` leaves it running. */
function run(
  options: {
    causes?: PlainFact[];
    writes?: Record<string, unknown>[];
    end?: Record<string, unknown> | null;
    controller?: string;
  } = {},
): void {
  const {causes = [], writes = [], end = {}, controller} = options;
  const id = `run-${++runs}`;
  report(
    [
      ...causes,
      {fact: 'start', run: id, attempt: 1},
      ...writes.map(write => ({
        fact: 'write' as const,
        run: id,
        verb: 'update',
        kind: 'ConfigMap',
        namespace: 'shop',
        name: 'web',
        dryRun: false,
        ...write,
      })),
      ...(end === null ? [] : [{fact: 'end' as const, run: id, attempt: 1, took: 1, result: 'done', ...end}]),
    ],
    controller,
  );
}

const wrote = (resourceVersion: string) => ({after: {metadata: {name: 'web', resourceVersion}}});

/** The event of a write, and the request that it leads to. */
function updated(resourceVersion: string): PlainFact[] {
  const id = ++events;
  return [
    {
      fact: 'event',
      id,
      watch: 'ConfigMap',
      event: 'update',
      kind: 'ConfigMap',
      key: KEY,
      resourceVersion,
      unchanged: false,
      handler: 'object',
    },
    {fact: 'enqueue', reason: 'event', event: id, added: 'ready'},
  ];
}

const open = (): Incident[] =>
  incidentsSchema.parse(host.ask<Incidents>({ask: 'incidents', state: 'open'})).incidents;
const titles = (): string[] => open().map(({title}) => title);

test('three errors in a row for one request open an incident that names it; a success ends it', () => {
  const fail = () => run({end: {result: 'error', error: 'no such bucket\n  at x'}});
  fail();
  fail();
  run();
  fail();
  fail();
  host.runChecks();
  expect(titles()).toEqual([]);
  fail();
  host.runChecks();
  const [incident] = open();
  expect(incident).toMatchObject({
    severity: 'error',
    title: 'Controller orders fails for shop/web',
    sentence: 'Three or more attempts in a row failed for shop/web: no such bucket',
    symptoms: [
      {
        code: 'controller-failing',
        collection: 'orders',
        keys: [KEY],
        reconcile: {controller: 'orders', request: KEY},
      },
    ],
  });
  run();
  host.runChecks();
  expect(open()[0]?.symptoms[0]?.ended).toBeDefined();
  host.runChecks(61_000);
  expect(titles()).toEqual([]);
});

test('a request that its own writes start again loops; requeues and writes of others do not', () => {
  for (let n = 0; n < 70; n++) run({causes: updated(`other-${n}`)});
  for (let n = 0; n < 70; n++) run({causes: [{fact: 'enqueue', reason: 'requeue-after', added: 'ready'}]});
  host.runChecks();
  expect(titles()).toEqual([]);
  for (let n = 0; n < 61; n++) run({causes: updated(`own-${n}`), writes: [wrote(`own-${n + 1}`)]});
  host.runChecks();
  // The first of them was asked for: 60 are not over 60.
  expect(titles()).toEqual([]);
  run({causes: updated('own-61')});
  host.runChecks();
  expect(titles()).toEqual(['Controller orders loops on shop/web']);
});

test('half of the writes of a minute with conflicts open an incident', () => {
  const conflict = {error: 'Operation cannot be fulfilled on configmaps "web": the object has been modified'};
  run({writes: [wrote('1'), wrote('2'), wrote('3'), conflict, conflict]});
  host.runChecks();
  expect(titles()).toEqual([]);
  run({writes: [conflict]});
  host.runChecks();
  expect(titles()).toEqual(['Controller orders writes with conflicts']);
});

test('a run of over a minute opens an incident; it ends with the run', () => {
  run({end: null});
  host.runChecks(59_000);
  expect(titles()).toEqual([]);
  host.runChecks(62_000);
  expect(titles()).toEqual(['Controller orders hangs on shop/web']);
  report([{fact: 'end', run: `run-${runs}`, attempt: 1, took: 62_000, result: 'done'}]);
  host.runChecks(63_000);
  expect(open()[0]?.symptoms[0]?.ended).toBeDefined();
});

test('a program that is away keeps its incident and opens no new one', () => {
  for (let n = 0; n < 3; n++) run({end: {result: 'error', error: 'x'}});
  host.runChecks();
  run({controller: 'pods', end: null});
  host.apply(tracker.markAway());
  host.runChecks(120_000);
  expect(titles()).toEqual(['Controller orders fails for shop/web']);
});

test('a write links to the attempts that it caused in other controllers, and back', () => {
  run({writes: [wrote('7')]});
  run({controller: 'pods', causes: updated('7')});
  const why = (controller: string) => host.ask<WhyReconcile>({ask: 'why-reconcile', controller, key: KEY});
  expect(why('orders').effects[0]?.caused).toEqual([{controller: 'pods', key: KEY, attempt: 1}]);
  expect(why('pods').causes[0]?.writtenBy).toEqual({controller: 'orders', key: KEY, attempt: 1});
  expect(why('orders').causes).toEqual([]);
});
