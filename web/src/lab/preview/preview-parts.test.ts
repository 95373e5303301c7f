// Pinned rows, the text beside the code, one-line results, differences: the parts that decide the wording.

import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import {expect, test} from 'vitest';
import type {Draft} from '../draft/drafts.ts';
import {nameProblem} from '../saved/SaveDialog.tsx';
import {findNamedCollections} from '../types/use-formula-types.ts';
import {checkPins, pinRow} from './pins.ts';
import {resultText} from './result-text.ts';
import {shadowDiffLines} from './ShadowPanel.tsx';
import {lineNotesOf, selectedInput} from './selected-row.ts';

const row = (input: string, items: unknown[], more: Partial<PreviewRow> = {}): PreviewRow => ({
  input,
  items,
  fetches: [],
  ms: 0.1,
  ...more,
});

test('a pinned row holds as long as its result is the same, whatever the order of its fields', () => {
  const pins = pinRow(pinRow([], row('a', [{x: 1, y: [1]}])), row('b', [2]));
  const rows = new Map([
    ['a', row('a', [{y: [1], x: 1}])],
    ['b', row('b', [3])],
  ]);
  expect(checkPins(pins, rows, true).map(one => one.verdict)).toEqual(['holds', 'differs']);
  const failed = new Map([['a', row('a', [], {error: {message: 'no'}})]]);
  expect(checkPins(pins, failed, true).map(one => one.verdict)).toEqual(['fails', 'gone']);
  expect(checkPins(pins, new Map(), false).map(one => one.verdict)).toEqual(['unknown', 'unknown']);
  expect(pinRow(pins, row('a', [9])).map(pin => pin.items)).toEqual([[2], [9]]);
});

test('each fetch says at its line what it found, each failing line how many rows fail', () => {
  const fetch = {
    collection: 'Services',
    filter: 'all',
    matched: 0,
    scanned: 12,
    via: {kind: 'scan' as const},
    keys: [],
  };
  const chosen = row('a', [], {
    fetches: [
      {...fetch, line: 3},
      {...fetch, line: 3},
    ],
  });
  const held = (one: PreviewRow) => ({...one, code: 'c', run: 1});
  const rows = new Map([
    ['a', held(chosen)],
    ['b', held(row('b', [], {error: {message: 'x is undefined (line 9)'}}))],
  ]);
  expect(lineNotesOf(chosen, {rows, code: 'c'}, 'c')).toEqual([
    {line: 3, count: '0 of 12 ×2', words: 'no index', tone: 'warning'},
    {line: 9, words: '1 row: x is undefined', tone: 'error'},
  ]);
  expect(lineNotesOf(chosen, {rows, code: 'older'}, 'c')).toEqual([]);
});

test('the chosen input is the selection, what stands in its line, or the first row', () => {
  const draft = {kind: 'one', input: 'Pods'} as Draft;
  const rows = [{key: 'a', line: 0, lines: 1, cells: {Pods: [{key: 'a'}], Workloads: [{key: 'w'}]}}] as never;
  expect(selectedInput({collection: 'Pods', key: 'b'}, draft, rows, ['a'])).toBe('b');
  expect(selectedInput({collection: 'Workloads', key: 'w'}, draft, rows, ['z'])).toBe('a');
  expect(selectedInput({collection: null, key: null}, draft, rows, ['z'])).toBe('z');
  expect(selectedInput({collection: null, key: null}, {kind: 'singleton'} as Draft, rows, [])).toBe('static');
});

test('a result in one line says what the row does not say already', () => {
  expect(resultText([], false)).toBe('null');
  expect(resultText([], true)).toBe('empty');
  expect(resultText([{key: 'a/b', name: 'b', reason: 'no Service'}], false)).toBe('no Service');
  expect(resultText([{key: 'a', x: 1, y: [2]}], false)).toBe('x: 1  y: [2]');
  expect(resultText([{name: 'only'}], false)).toBe('only');
  expect(resultText([{key: 'a/1'}, {metadata: {namespace: 'a', name: '2'}}], true)).toBe('2 rows: a/1, a/2');
});

test('a difference names only what differs, theirs first', () => {
  const lines = shadowDiffLines({
    key: 'k',
    state: 'different',
    draft: {a: 1, b: {c: [1, 2]}},
    other: {a: 1, b: {c: [1, 3]}, d: 'x'},
  });
  expect(lines.map(({sign, text}) => `${sign} ${text}`)).toEqual(['- b.c[1]: 3', '+ b.c[1]: 2', '- d: x']);
});

test('a name that cannot be one is refused with the reason', () => {
  expect(nameProblem('NoService', ['Pods'])).toBeUndefined();
  expect(nameProblem('', [])).toMatch(/name/);
  expect(nameProblem('no-service', [])).toMatch(/letter/);
  expect(nameProblem('pods', ['Pods'])).toMatch(/Pods exists already/);
});

test('collections are found in the text by their names', () => {
  expect(findNamedCollections("ctx.fetch(Pods, x); collection('a/b')", ['Pods', 'Po', 'a/b', 'c/d'])).toEqual(
    ['Pods', 'a/b'],
  );
});
