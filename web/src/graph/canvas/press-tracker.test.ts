import {expect, test} from 'vitest';
import {PressTracker} from './press-tracker.ts';

const at = (x: number, time: number) => ({x, y: 10, time});

test('what was pressed is meant, whatever lies under the pointer when it comes up', () => {
  const press = new PressTracker();
  press.down({stub: ['Backends']}, at(100, 0));
  expect(press.up(at(103, 900))).toEqual({kind: 'once', on: {stub: ['Backends']}});
});

test('a drag means nothing, and begins no double click', () => {
  const press = new PressTracker();
  press.down({node: 'Pods'}, at(100, 0));
  expect(press.up(at(160, 100))).toBeUndefined();
  press.down({node: 'Pods'}, at(160, 200));
  expect(press.up(at(160, 250))).toEqual({kind: 'once', on: {node: 'Pods'}});
});

test('the second press means what the first one hit: the picture may have moved in between', () => {
  const press = new PressTracker();
  press.down({node: 'Pods'}, at(100, 0));
  press.up(at(100, 80));
  press.down({node: 'Services'}, at(101, 200));
  expect(press.up(at(101, 260))).toEqual({kind: 'twice', on: {node: 'Pods'}});
  // A third press starts anew.
  press.down({node: 'Services'}, at(101, 300));
  expect(press.up(at(101, 360))).toEqual({kind: 'once', on: {node: 'Services'}});
});

test('two slow presses are two, and a second one on a stub is none', () => {
  const press = new PressTracker();
  press.down({node: 'Pods'}, at(100, 0));
  press.up(at(100, 80));
  press.down({node: 'Pods'}, at(100, 900));
  expect(press.up(at(100, 950))?.kind).toBe('once');
  const stub = new PressTracker();
  stub.down({stub: ['Backends']}, at(50, 0));
  stub.up(at(50, 60));
  stub.down({node: 'Backends'}, at(50, 150));
  expect(stub.up(at(50, 200))).toBeUndefined();
});
