import type {Item} from '@krtscope/shared/items.ts';
import type {StreamMessage} from '@krtscope/shared/stream.ts';
import {expect, test} from 'vitest';
import {Outbox, PAUSE_MS, SLOW_BYTES} from './outbox.ts';
import {SerializedUpdate} from './serialized-update.ts';

const row = (key: string, runs: number): Item => ({
  key,
  value: {},
  inputs: [],
  outcome: 'changed',
  runs,
  sequence: runs,
  at: 0,
});
const delta = (...rows: Item[]) =>
  new SerializedUpdate({id: '', topic: 'window', delta: {total: 9, of: 9, rows}});
const snapshot = (...rows: Item[]) =>
  new SerializedUpdate({id: '', topic: 'window', snapshot: {total: 9, of: 9, offset: 0, rows}});

function rig(state: () => SerializedUpdate | undefined = () => undefined) {
  const sent: StreamMessage[] = [];
  const wire = {bufferedAmount: 0, send: (text: string) => void sent.push(JSON.parse(text))};
  let now = 1000;
  let due: {at: number; f: () => void} | undefined;
  const clock = {
    now: () => now,
    after: (ms: number, f: () => void) => {
      due = {at: now + ms, f};
      return () => {
        due = undefined;
      };
    },
  };
  const pass = (ms: number) => {
    const end = now + ms;
    while (due !== undefined && due.at <= end) {
      const {at, f} = due;
      now = at;
      due = undefined;
      f();
    }
    now = end;
  };
  const outbox = new Outbox(wire, clock);
  outbox.open('w', state);
  const frames = () => sent.flatMap(message => (message.type === 'frame' ? [message] : []));
  return {outbox, wire, pass, frames, sent};
}

test('what comes in one turn is one frame, coalesced by key', () => {
  const {outbox, pass, frames} = rig();
  for (let n = 1; n <= 20; n++) outbox.add('w', delta(row('a', n), row('b', n)), n);
  expect(frames()).toHaveLength(0);
  pass(0);
  expect(frames()).toHaveLength(1);
  expect(frames()[0]).toMatchObject({
    sequence: 20,
    updates: [
      {
        id: 'w',
        delta: {
          rows: [
            {key: 'a', runs: 20},
            {key: 'b', runs: 20},
          ],
        },
      },
    ],
  });
  // The engine process sets the pace, so later updates are not delayed again.
  outbox.add('w', delta(row('a', 21)), 21);
  pass(0);
  expect(frames()).toHaveLength(2);
});

test('a slow browser gets nothing while it is slow, then one snapshot instead of what it missed', () => {
  const {outbox, wire, pass, frames} = rig(() => snapshot(row('a', 500)));
  wire.bufferedAmount = SLOW_BYTES + 1;
  for (let n = 1; n <= 500; n++) {
    outbox.add('w', delta(row(`k${n}`, n)), n);
    pass(10);
  }
  expect(frames()).toHaveLength(0);
  expect(outbox.waiting).toBe(1);
  wire.bufferedAmount = 0;
  pass(PAUSE_MS);
  expect(frames()).toHaveLength(1);
  expect(frames()[0]?.updates).toEqual([{...snapshot(row('a', 500)).update, id: 'w'}]);
});

test('what a closed subscription had waiting is not sent', () => {
  const {outbox, pass, frames} = rig();
  outbox.add('w', delta(row('a', 1)), 1);
  outbox.close('w');
  pass(PAUSE_MS);
  expect(frames()).toHaveLength(0);
});

test('of what is said of the session a full socket hears the last, and nothing piles up', () => {
  const {outbox, wire, pass, sent} = rig();
  const said = (n: number) => ({type: 'pong' as const, n});
  outbox.sayLast(said(1));
  wire.bufferedAmount = SLOW_BYTES + 1;
  for (let n = 2; n <= 500; n++) outbox.sayLast(said(n));
  pass(10 * PAUSE_MS);
  expect(sent).toEqual([said(1)]);
  wire.bufferedAmount = 0;
  pass(2 * PAUSE_MS);
  expect(sent).toEqual([said(1), said(500)]);
});
