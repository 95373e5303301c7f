import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {ApiError} from '../../kube/error.ts';
import {RuntimeClient} from '../client/runtime-client.ts';
import {silentLogger} from '../log/logger.ts';
import {Mapper} from '../scheme/mapper.ts';
import {TestWire} from '../testing-wire.ts';
import {ClientEventRecorder, type RecorderOptions} from './event-recorder.ts';

function rig(options: Partial<RecorderOptions> = {}) {
  const wire = new TestWire();
  const clock = new ManualClock();
  const client = new RuntimeClient({client: new DynamicClient(wire), mapper: new Mapper(wire)});
  const now = () => Date.parse('2026-01-01T00:00:00Z');
  const recorder = new ClientEventRecorder({
    client,
    component: 'tester',
    clock,
    log: silentLogger,
    now,
    ...options,
  });
  const pod = {apiVersion: 'v1', kind: 'Pod', metadata: {namespace: 'a', name: 'p', uid: 'u1'}};
  return {wire, clock, recorder, pod};
}

test('an Event names its object, who says it and when', async () => {
  const {wire, recorder, pod} = rig();
  recorder.event(pod, 'Normal', 'Made', 'it was made');
  await recorder.flushed();
  expect(wire.log).toEqual(['POST /api/v1/namespaces/a/events']);
  expect(wire.sent[0]).toMatchObject({
    involvedObject: {kind: 'Pod', namespace: 'a', name: 'p', uid: 'u1'},
    source: {component: 'tester'},
    reason: 'Made',
    message: 'it was made',
    type: 'Normal',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
  });
});

test('the same again is counted in the Event that is there', async () => {
  const {wire, recorder, pod} = rig();
  for (let i = 0; i < 3; i++) recorder.event(pod, 'Normal', 'Made', 'it was made');
  await recorder.flushed();
  expect(wire.log.map(line => line.split(' ')[0])).toEqual(['POST', 'PATCH', 'PATCH']);
  expect(wire.sent[2]).toMatchObject({count: 3});
});

test('an Event that has expired is written anew, counted from one', async () => {
  const {wire, recorder, pod} = rig();
  recorder.event(pod, 'Normal', 'Made', 'it was made');
  await recorder.flushed();
  wire.answer = ({method}) => (method === 'PATCH' ? new ApiError(404, 'not found') : undefined);
  recorder.event(pod, 'Normal', 'Made', 'it was made');
  await recorder.flushed();
  expect(wire.log.at(-1)).toBe('POST /api/v1/namespaces/a/events');
  expect(wire.sent.at(-1)).toMatchObject({count: 1});
});

test('after ten different messages of one reason the rest are folded into one Event', async () => {
  const {wire, recorder, pod} = rig();
  for (let i = 0; i < 14; i++) recorder.event(pod, 'Normal', 'Made', `number ${i}`);
  await recorder.flushed();
  expect(wire.log.filter(line => line.startsWith('POST'))).toHaveLength(11);
  expect(wire.sent.at(-1)).toMatchObject({count: 4, message: '(combined from similar events): number 13'});
});

test('who talks without end about one object is heard 25 times, then once in five minutes', async () => {
  const {wire, clock, recorder, pod} = rig();
  for (let i = 0; i < 40; i++) recorder.event(pod, 'Normal', 'Made', 'again');
  await recorder.flushed();
  expect(wire.log).toHaveLength(25);
  await clock.advance(300_000);
  recorder.event(pod, 'Normal', 'Made', 'again');
  recorder.event(pod, 'Normal', 'Made', 'again');
  await recorder.flushed();
  expect(wire.log).toHaveLength(26);
});

test('an Event that is refused is dropped, and the next one is written', async () => {
  const {wire, recorder, pod} = rig();
  wire.answer = () => new Error('no');
  recorder.event(pod, 'Normal', 'Made', 'one');
  await recorder.flushed();
  wire.answer = () => undefined;
  recorder.event(pod, 'Warning', 'Broken', 'two');
  await recorder.flushed();
  expect(wire.sent.at(-1)).toMatchObject({reason: 'Broken', type: 'Warning'});
});

test('an Event may say its action and the related object', async () => {
  const {wire, recorder, pod} = rig();
  const related = {apiVersion: 'v1', kind: 'Secret', metadata: {namespace: 'a', name: 's', uid: 'u2'}};
  recorder.event(pod, 'Normal', 'Made', 'it was made', {action: 'Create', related});
  await recorder.flushed();
  expect(wire.sent[0]).toMatchObject({action: 'Create', related: {kind: 'Secret', name: 's', uid: 'u2'}});
});

test('in events.k8s.io an Event has the fields of that API, and a repeated one is a series', async () => {
  const {wire, recorder, pod} = rig({api: 'events.k8s.io/v1', instance: 'pod-1'});
  recorder.event(pod, 'Warning', 'Failed', 'it failed', {action: 'Create'});
  recorder.event(pod, 'Warning', 'Failed', 'it failed', {action: 'Create'});
  // Another action is another Event.
  recorder.event(pod, 'Warning', 'Failed', 'x'.repeat(2000));
  await recorder.flushed();
  expect(
    wire.log.filter(line => !line.startsWith('GET')).map(line => line.replace(/\.[0-9a-f]+$/, '')),
  ).toEqual([
    'POST /apis/events.k8s.io/v1/namespaces/a/events',
    'PATCH /apis/events.k8s.io/v1/namespaces/a/events/p',
    'POST /apis/events.k8s.io/v1/namespaces/a/events',
  ]);
  expect(wire.sent[0]).toMatchObject({
    regarding: {kind: 'Pod', name: 'p', uid: 'u1'},
    action: 'Create',
    reason: 'Failed',
    note: 'it failed',
    type: 'Warning',
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'tester',
    reportingInstance: 'pod-1',
  });
  expect(wire.sent[1]).toEqual({series: {count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z'}});
  expect(wire.sent[2]).toMatchObject({action: 'Failed', note: 'x'.repeat(1024)});
});
