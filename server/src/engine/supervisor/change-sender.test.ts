import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Arrival, ToHost} from '../link/host-messages.ts';
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
