import type {Check} from '@krtscope/shared/checks.ts';
import type {Cell, Sheet, SheetRow} from '@krtscope/shared/sheet.ts';
import {expect, test} from 'vitest';
import {shopGraph} from '../graph/testing-graph.ts';
import {
  bestRoot,
  compactColumns,
  fieldLabel,
  formatColumns,
  parseColumns,
  placeColumns,
  requestedColumns,
  rootOf,
} from './columns/columns.ts';
import {fitColumns} from './columns/fit-columns.ts';
import {layoutArrows} from './grid/arrow-layout.ts';
import {cellText} from './grid/cell-text.ts';
import {acceptRows, anchorShift, dropGone, followRows, openRows, rowCounts} from './rows/live-rows.ts';
import {rowProblems} from './rows/row-problems.ts';
import {
  findCell,
  foldSpills,
  inputKeyOf,
  isFirstEmpty,
  linesOf,
  rowNeighbours,
  windowFor,
} from './rows/sheet-lines.ts';

const cell = (key: string, fields: Record<string, unknown> = {}): Cell => ({
  key,
  outcome: 'changed',
  sequence: 1,
  at: 0,
  fields,
  changed: [],
});
const row = (key: string, line: number, spill = 1): SheetRow => ({
  key,
  line,
  lines: spill,
  cells: {Pods: [cell(key)], Endpoints: Array.from({length: spill}, (_, i) => cell(`${key}:${i}`))},
});
const sheet = (rows: SheetRow[], total = rows.length): Sheet => ({
  root: 'Pods',
  columns: [
    {collection: 'Pods', fields: ['phase'], available: ['phase', 'ip']},
    {collection: 'Endpoints', fields: [], available: []},
  ],
  total,
  of: total,
  lines: rows.reduce((sum, one) => sum + one.lines, 0),
  offset: 0,
  rows,
  reads: [],
});

test('the root of a collection is where its primary inputs begin', () => {
  expect(rootOf(shopGraph(), 'Endpoints')).toBe('Pods');
  expect(rootOf(shopGraph(), 'Backends')).toBe('Pods');
  expect(rootOf(shopGraph(), 'Namespaces')).toBe('Namespaces');
  expect(bestRoot(shopGraph())).toBe('Pods');
  const graph = shopGraph();
  graph.collections.unshift({...graph.collections[0]!, name: 'File', kind: 'trigger', size: 1});
  expect(bestRoot({...graph, edges: []})).not.toBe('File');
});

test('columns go into the URL and come back', () => {
  const choice = {hidden: ['Endpoints'], fields: {Workloads: ['owner', 'labels[istio.io/rev]']}};
  expect(parseColumns(formatColumns(choice), null)).toEqual(choice);
  expect(parseColumns('ip,waypoint', 'Workloads').fields).toEqual({Workloads: ['ip', 'waypoint']});
  expect(requestedColumns({hidden: ['Endpoints'], fields: {}}, sheet([]).columns)).toEqual([
    {collection: 'Pods'},
  ]);
  expect(requestedColumns({hidden: [], fields: {}}, sheet([]).columns)).toBeUndefined();
});

test('columns stand side by side without a gap; a root begins with its key', () => {
  const placed = placeColumns(sheet([]).columns, 'Pods', [row('shop/a', 0)], false);
  expect(placed.map(one => one.field)).toEqual(['key', 'phase', 'key']);
  for (let i = 1; i < placed.length; i++) expect(placed[i]!.x).toBe(placed[i - 1]!.x + placed[i - 1]!.width);
  expect(fieldLabel('metadata.labels[istio.io/use-waypoint]')).toBe('istio.io/use-waypoint');
});

test('a long name of a collection does not push the others out of the window', () => {
  const long = 'VeryLongNameOfAFormulaThatSomebodyWroteWithoutThinkingAboutUs12';
  const columns = [...sheet([]).columns, {collection: long, fields: ['ok'], available: ['ok']}];
  const placed = placeColumns(columns, 'Pods', [row('shop/a', 0)], false);
  expect(placed.find(one => one.collection === long)!.width).toBe(300);
});

test('beside Why only the keys and the asked collection are left', () => {
  const all = ['Pods', 'Workloads', 'Endpoints'].map(collection => ({
    collection,
    fields: ['x'],
    available: [],
  }));
  expect(compactColumns(all, 'Pods', 'Endpoints').map(one => [one.collection, one.fields.length])).toEqual([
    ['Pods', 0],
    ['Endpoints', 1],
  ]);
  expect(compactColumns(all, 'Pods', 'Pods').map(one => one.collection)).toEqual(['Pods', 'Workloads']);
});

test('beside Why a row has the lines of what is drawn: others would be empty', () => {
  const whole = sheet([row('a', 0, 3), row('b', 3)]);
  const lines = (drawn?: string[]) => foldSpills(whole, drawn).rows.map(one => [one.line, one.lines]);
  expect(lines()).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect(lines(['Endpoints'])).toEqual([
    [0, 3],
    [3, 1],
  ]);
  expect(foldSpills(whole).lines).toBe(2);
});

test('spilled rows take their lines, group headers one each', () => {
  const lines = linesOf([row('a', 1, 2), row('b', 3)], [{name: 'shop', count: 2, offset: 0}], new Set());
  expect(
    [...lines].map(([at, line]) => [
      at,
      line.kind === 'row' ? `${line.row.key}.${line.child}` : line.group.name,
    ]),
  ).toEqual([
    [0, 'shop'],
    [1, 'a.0'],
    [2, 'a.1'],
    [3, 'b.0'],
  ]);
});

test('the window covers three screens each way and never more than the limit', () => {
  const middle = windowFor(50_000, 24, 100_000, 600);
  expect(middle.offset).toBeLessThanOrEqual(50_000 - 72);
  expect(middle.offset + middle.count).toBeGreaterThanOrEqual(50_000 + 24 + 72);
  expect(windowFor(0, 200, 100_000, 600).count).toBe(600);
  expect(windowFor(99_990, 24, 100_000, 600)).toMatchObject({
    offset: 100_000 - windowFor(0, 24, 100_000, 600).count,
  });
});

test('the question of an empty cell is about the item to its left', () => {
  const empty: SheetRow = {
    key: 'a',
    line: 0,
    lines: 1,
    cells: {Pods: [cell('a')], Workloads: [cell('w')], Endpoints: []},
  };
  expect(inputKeyOf(empty, ['Pods', 'Workloads', 'Endpoints'], 'Endpoints')).toBe('w');
  const inputs = new Map([
    ['Endpoints', 'Workloads'],
    ['Workloads', 'Pods'],
    ['Backends', 'Endpoints'],
  ]);
  expect(isFirstEmpty(empty, inputs, 'Endpoints')).toBe(true);
  expect(isFirstEmpty({...empty, cells: {...empty.cells, Backends: []}}, inputs, 'Backends')).toBe(false);
});

test('a change lands in place', () => {
  const held = openRows(sheet([row('a', 0), row('b', 1)]));
  const next = followRows(held, sheet([row('a', 0), row('b', 1, 2)]));
  expect([next.added, next.gone.size, next.sheet.lines]).toEqual([0, 0, 3]);
});

test('a new row waits behind the pill and a removed one stays, marked', () => {
  const held = openRows(sheet([row('a', 0), row('c', 1)]));
  const next = followRows(held, sheet([row('a', 0, 2), row('b', 2)]));
  expect(next.added).toBe(1);
  expect([...next.gone]).toEqual(['c']);
  expect(next.sheet.rows.map(one => [one.key, one.line])).toEqual([
    ['a', 0],
    ['c', 2],
  ]);
  expect(acceptRows(next).sheet.rows.map(one => one.key)).toEqual(['a', 'b']);
});

test('where nothing was drawn, as before the first list, rows wait for nobody', () => {
  const first = followRows(openRows(sheet([])), sheet([row('a', 0), row('b', 1)]));
  expect([first.added, first.sheet.rows.length, first.sheet.lines]).toEqual([0, 2, 2]);
  const left = dropGone(followRows(openRows(sheet([row('a', 0)])), sheet([])));
  expect(followRows(left, sheet([row('b', 0)])).sheet.rows.map(one => one.key)).toEqual(['b']);
});

test('a row that comes back before the pill is pressed is neither new nor gone', () => {
  const held = openRows(sheet([row('a', 0), row('b', 1)]));
  const without = followRows(held, sheet([row('a', 0)]));
  expect([...without.gone]).toEqual(['b']);
  const back = followRows(without, sheet([row('a', 0), row('b', 1)]));
  expect([back.added, back.gone.size]).toEqual([0, 0]);
});

test('a removed row leaves after a moment and the rows below close up', () => {
  const held = followRows(
    openRows(sheet([row('a', 0), row('b', 1, 2), row('c', 3)])),
    sheet([row('a', 0), row('c', 1)]),
  );
  const closed = dropGone(held);
  expect(closed.sheet.rows.map(one => [one.key, one.line])).toEqual([
    ['a', 0],
    ['c', 1],
  ]);
  expect([closed.sheet.total, closed.sheet.lines, closed.gone.size]).toEqual([2, 2, 0]);
});

test('the count is of one answer, whatever is drawn: never more rows than there are', () => {
  const held = openRows(sheet([row('a', 0), row('b', 1), row('c', 2)]));
  const fewer = followRows(held, sheet([row('a', 0), row('d', 1)]));
  expect(fewer.sheet.rows).toHaveLength(3);
  expect(rowCounts(fewer)).toEqual({total: 2, of: 2});
  expect(rowCounts(dropGone(fewer))).toEqual({total: 2, of: 2});
});

test('taking over the order keeps the row at the top in place', () => {
  expect(anchorShift([row('a', 0), row('b', 1)], [row('a', 0), row('aa', 1), row('b', 2)], 1)).toBe(1);
});

test('a cell is found with its line', () => {
  expect(findCell([row('a', 0, 2)], 'Endpoints', 'a:1')?.line).toBe(1);
  expect(findCell([row('a', 0, 2)], 'Endpoints', 'x')).toBeUndefined();
});

test('a lookup comes from the bar along the strip below the rows and up the column rule', () => {
  const found = layoutArrows({
    self: {x: 300, y: 100, width: 200, height: 28},
    precedent: {x: 32, y: 100, width: 268, height: 28},
    dependents: [{x: 500, y: 100, width: 100, height: 28}],
    lookup: {x: 120, label: 'key shop'},
    floor: 400,
    view: {width: 900, height: 500, left: 32},
  });
  expect(found.map(arrow => arrow.side)).toEqual(['cause', 'effect', 'cause']);
  expect(found[2]!.head).toEqual({x: 300, y: 128, turn: -90});
  expect(found[2]!.label!.y).toBeGreaterThan(400);
});

test('values read as one would type them', () => {
  expect([cellText(['a', 'b']), cellText({app: 'x'}), cellText(null), cellText(0)]).toEqual([
    'a, b',
    'app=x',
    'null',
    '0',
  ]);
});

test('one step along the row is known without asking', () => {
  const one = row('a', 0);
  const inputs = new Map([['Endpoints', 'Pods']]);
  expect(rowNeighbours(one, inputs, ['Pods', 'Endpoints'], 'Pods')).toEqual({
    down: {collection: 'Endpoints', key: 'a:0'},
  });
  expect(rowNeighbours(one, inputs, ['Pods', 'Endpoints'], 'Endpoints')).toEqual({
    up: {collection: 'Pods', key: 'a'},
  });
});

test('columns that fit: one each, then what tells children apart, what changed, the rest; no repetitions', () => {
  const many = (key: string, waypoint: string): SheetRow => ({
    key,
    line: 0,
    lines: 2,
    cells: {
      Pods: [cell(key, {phase: 'Running', podIP: `10.0.0.${key}`})],
      Workloads: [{...cell(key, {owner: `d-${key}`, ip: `10.0.0.${key}`, waypoint}), changed: ['waypoint']}],
      Endpoints: [80, 90].map(port => cell(`${key}:${port}`, {ip: `10.0.0.${key}`, port})),
    },
  });
  const rows = [many('1', 'a'), many('2', 'a')];
  const offered = [
    {collection: 'Pods', fields: ['phase', 'podIP'], available: []},
    {collection: 'Workloads', fields: ['owner', 'ip', 'waypoint'], available: []},
    {collection: 'Endpoints', fields: ['ip', 'port'], available: []},
  ];
  const shown = (room: number) =>
    fitColumns(offered, 'Pods', rows, true, room).map(column => column.fields.join());
  expect(shown(0)).toEqual(['key', 'owner', 'ip']);
  expect(shown(500)).toEqual(['key', 'owner,waypoint', 'ip,port']);
  expect(shown(4000)).toEqual(['key,phase', 'owner,waypoint', 'ip,port']);
});

test('a row carries the worst that was found about its item', () => {
  const found = (severity: 'error' | 'warning' | 'info', code: string): Check => ({
    code,
    severity,
    collection: 'Pods',
    keys: ['shop/a'],
    message: 'm',
    count: 1,
    title: code,
    sequence: 1,
    at: 0,
  });
  const worst = (...checks: Check[]) => rowProblems(checks).get('Pods shop/a')?.words;
  expect(worst(found('warning', 'unselected'), found('error', 'crash'))).toBe('crash: m');
  expect(worst(found('error', 'crash'), found('warning', 'unselected'))).toBe('crash: m');
  expect(worst(found('info', 'hint'), found('warning', 'flip-flop'))).toBeUndefined();
});
