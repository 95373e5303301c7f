import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Arrival, ToHost} from '../../link/host-messages.ts';
import {ChangeSender} from './change-sender.ts';
import {ReplayLog} from './replay-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function rig() {
  /** The keys of each message. */
  const sent: string[][] = [];
  const through: number[] = [];
  const sender = new ChangeSender(
    new ReplayLog(),
    (message: ToHost) => {
      if (message.type !== 'apply') return;
      const arrivals = JSON.parse(message.arrivals) as Arrival[];
      sent.push(arrivals.flatMap(one => ('changes' in one ? one.changes.map(({key}) => key) : [one.source])));
      through.push(message.ids.at(-1) as number);
    },
    () => true,
  );
  const write = (...keys: string[]) =>
    sender.add({
      changes: keys.map(key => ({collection: 'Pods', key, event: 'add', new: {}, received: 0})),
    });
  return {sender, sent, write, settle: () => sender.settle(through.at(-1) as number)};
}

test('the first change goes at once, and the ones right behind it go together', () => {
  const {sent, write, settle} = rig();
  write('a');
  expect(sent).toEqual([['a']]);
  write('b');
  write('c', 'd');
  settle();
  expect(sent).toEqual([['a']]);
  vi.advanceTimersByTime(20);
  expect(sent).toEqual([['a'], ['b', 'c', 'd']]);
  vi.advanceTimersByTime(1000);
  write('e');
  expect(sent.at(-1)).toEqual(['e']);
});

test('a flush sends what waits, in its order with reports', () => {
  const {sender, sent, write} = rig();
  write('a');
  write('b');
  sender.add({source: 'Pods', report: {state: 'synced', synced: true}});
  sender.flush();
  expect(sent).toEqual([['a'], ['b', 'Pods']]);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(2);
});

test('a full message does not wait for more, and a process that is behind gets no more than it settles', () => {
  const {sent, write, settle} = rig();
  const many = Array.from({length: 3000}, (_, at) => String(at));
  write(...many);
  expect(sent.map(({length}) => length)).toEqual([500, 500, 500, 500]);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(4);
  settle();
  expect(sent).toHaveLength(6);
  expect(sent.flat()).toEqual(many);
});

const pod = (version: string, label = version) => ({
  metadata: {name: 'a', uid: 'u', resourceVersion: version, labels: {tick: label}},
});

function podRig(takesPatches = () => true) {
  const sent: Arrival[] = [];
  const through: number[] = [];
  const log = new ReplayLog();
  const sender = new ChangeSender(
    log,
    (message: ToHost) => {
      if (message.type !== 'apply') return;
      sent.push(...(JSON.parse(message.arrivals) as Arrival[]));
      through.push(message.ids.at(-1) as number);
    },
    () => true,
    takesPatches,
  );
  const last = () =>
    (sent.at(-1) as {changes: {new?: unknown; patch?: unknown; base?: string}[]}).changes[0]!;
  const write = (object: object | undefined) => {
    const event = object === undefined ? 'delete' : 'update';
    sender.add({changes: [{collection: 'Pods', key: 'a', event, new: object, received: 0}]});
    sender.flush();
    return last();
  };
  return {sender, log, write, last, settle: () => sender.settle(through.at(-1) as number)};
}

const label = (version: string) => [1, {resourceVersion: [0, version], labels: [1, {tick: [0, version]}]}];

test('a change of an object that the process holds is sent as a patch to it, settled or not', () => {
  const {write, settle} = podRig();
  expect(write(pod('1')).new).toEqual(pod('1'));
  expect(write(pod('2'))).toMatchObject({base: '1', patch: [1, {metadata: label('2')}]});
  expect(write(pod('3'))).toMatchObject({base: '2', patch: [1, {metadata: label('3')}]});
  settle();
  const last = write(pod('4'));
  expect(last).toMatchObject({base: '3', patch: [1, {metadata: label('4')}]});
  expect('new' in last).toBe(false);
});

test('an object is sent whole after its delete, under another uid, and to a new process', () => {
  const {sender, log, write, last} = podRig();
  write(pod('1'));
  write(undefined);
  expect(write(pod('2')).new).toEqual(pod('2'));
  const other = {metadata: {...pod('3').metadata, uid: 'v'}};
  expect(write(other).new).toEqual(other);
  log.rewind();
  sender.restart();
  sender.begin();
  expect(last().new).toEqual(other);
});

test('an object that came twice in one version is sent whole the next time, because the process keeps the first', () => {
  const {write} = podRig();
  write(pod('1'));
  expect(write(pod('1', 'other')).new).toEqual(pod('1', 'other'));
  expect(write(pod('2')).new).toEqual(pod('2'));
  expect(write(pod('3')).base).toBe('2');
});

test('a source that is being dropped and stays is sent whole', () => {
  const {log, write} = podRig();
  write(pod('1'));
  log.forgetPending('Pods');
  expect(write(pod('2')).new).toEqual(pod('2'));
});

test('nothing is a patch while a copy of the process gets the messages', () => {
  let copies = 0;
  const {write} = podRig(() => copies === 0);
  write(pod('1'));
  copies = 1;
  expect(write(pod('2')).new).toEqual(pod('2'));
  copies = 0;
  expect(write(pod('3')).base).toBe('2');
});
