import {expect, test} from 'vitest';
import {allColours, noColours} from '../colours.ts';
import {TableLayout} from './table-layout.ts';

const headers = ['KEY', 'OUTCOME', 'SERVICES', 'CHANGED'];
const rows = [
  ['shop/cart-54946dc66f-4lxts', 'equal', 'cart,cart-canary,cart-admin,cart-internal', '3m'],
  ['shop/web', 'failed', '<none>', '12s'],
];
const text = (width: number | undefined, colours = noColours) => {
  const layout = new TableLayout(headers, rows, {width, colours});
  return [layout.header(), ...rows.map(row => layout.line(row))];
};

test('a pipe gets every cell whole, without spaces at the end', () => {
  expect(text(undefined)).toEqual([
    'KEY                          OUTCOME   SERVICES                                    CHANGED',
    'shop/cart-54946dc66f-4lxts   equal     cart,cart-canary,cart-admin,cart-internal   3m',
    'shop/web                     failed    <none>                                      12s',
  ]);
});

test.each([100, 80, 60, 40, 30])('a terminal of %i columns is never exceeded', width => {
  for (const line of text(width)) expect(line.length).toBeLessThanOrEqual(width);
  expect(text(width)[0]).toContain('KEY');
});

test('a long cell is cut before a column is left out', () => {
  expect(text(70)[1]).toBe('shop/cart-54946dc66f-4lxts   equal     cart,cart-canary,car…   3m');
});

test('states have colours, and colours do not move columns', () => {
  const [, , failed] = text(undefined, allColours);
  expect(failed).toContain('\u001b[31mfailed\u001b[39m    <none>');
});

test('control characters in a cell are shown, never obeyed', () => {
  const layout = new TableLayout(['KEY'], [], {width: undefined, colours: noColours});
  expect(layout.line(['a\u001b[2Jb\nc'])).toBe('a\\u001b[2Jb c');
});
