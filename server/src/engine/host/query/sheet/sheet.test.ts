import type {Items} from '@krtscope/shared/items.ts';
import type {CollectionWindow, Sheet} from '@krtscope/shared/sheet.ts';
import {expect, test} from 'vitest';
import {createTestGraphHost, namespace, pod, service, type TestGraphHost} from '../testing-graph-host.ts';

function shop(): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({
    Namespaces: [namespace('shop'), namespace('ops')],
    Nodes: [{metadata: {name: 'n1'}}],
    Services: [service('web', {app: 'web'}, [80, 443]), service('all', {tier: 'front'})],
    Pods: [
      pod('web-1', {app: 'web', tier: 'front'}, {ip: '10.0.0.1'}),
      pod('web-2', {app: 'web'}, {ip: '10.0.0.2'}),
      pod('web-10', {app: 'web'}, {phase: 'Pending'}),
      pod('job-1', {app: 'job'}, {ip: '10.0.0.4', namespace: 'ops'}),
    ],
  });
  return r;
}

const sheet = (r: TestGraphHost, more = {}) => r.ask<Sheet>({ask: 'sheet', root: 'Pods', ...more});

test('rows are aligned by the root, one-to-many outputs spill downwards, lines are counted', () => {
  const answer = sheet(shop());
  expect(answer.columns.map(c => c.collection)).toEqual([
    'Pods',
    'Workloads',
    'WorkloadServices',
    'Endpoints',
    'Backends',
  ]);
  expect(answer).toMatchObject({total: 4, of: 4, lines: 7});
  const row = answer.rows.find(x => x.key === 'shop/web-1')!;
  expect(row.lines).toBe(3);
  expect(row.cells.WorkloadServices!.map(c => [c.key, c.line, c.lines])).toEqual([
    ['shop/web-1/all', 0, 1],
    ['shop/web-1/web', 1, 2],
  ]);
  expect(row.cells.Endpoints!.map(c => c.line)).toEqual([0, 1, 2]);
});

test('an index stands beside its items when it is asked for', () => {
  const columns = [{collection: 'Pods'}, {collection: 'WorkloadsByNode'}];
  const answer = sheet(shop(), {columns});
  expect(answer.columns.map(c => c.collection)).toEqual(['Pods', 'WorkloadsByNode']);
  expect(answer.rows.find(x => x.key === 'shop/web-1')!.cells.WorkloadsByNode!.map(c => c.key)).toEqual([
    'n1',
  ]);
});

test('an input without output shows what its last run said', () => {
  const row = sheet(shop()).rows.find(x => x.key === 'shop/web-10')!;
  expect(row.cells.Workloads).toEqual([]);
  expect(row.empty).toMatchObject({Workloads: 'empty'});
});

test('a window is found by its lines', () => {
  const r = shop();
  const whole = sheet(r);
  const part = sheet(r, {offset: 2, count: 2});
  const within = whole.rows.filter(x => x.line < 4 && x.line + x.lines > 2);
  expect(part.rows.map(x => [x.key, x.line])).toEqual(within.map(x => [x.key, x.line]));
  expect(part.lines).toBe(whole.lines);
});

test('groups have a header line, folded ones only that', () => {
  const r = shop();
  const open = sheet(r, {group: 'namespace'});
  expect(open.groups).toEqual([
    {name: 'ops', count: 1, offset: 0},
    {name: 'shop', count: 3, offset: 2},
  ]);
  expect(open.rows.map(x => [x.group, x.line])).toEqual([
    ['ops', 1],
    ['shop', 3],
    ['shop', 6],
    ['shop', 7],
  ]);
  const folded = sheet(r, {group: 'namespace', folded: ['ops']});
  expect(folded.lines).toBe(open.lines - 1);
  expect(folded.rows.every(x => x.group === 'shop')).toBe(true);
  expect(folded.groups![1]!.offset).toBe(1);
});

test('a term holds if any cell of the row meets it, a negative one speaks of the root', () => {
  const r = shop();
  const keys = (q: string) => sheet(r, {q}).rows.map(x => x.key);
  expect(keys('ns:shop state:empty')).toEqual(['shop/web-10']);
  expect(keys('port=443')).toEqual(['shop/web-1', 'shop/web-2']);
  expect(keys('Workloads.services=all')).toEqual(['shop/web-1']);
  expect(keys('-l app!=web')).toEqual(['ops/job-1']);
  expect(sheet(r, {q: 'nothing-has-this'})).toMatchObject({total: 0, of: 4, lines: 0});
});

test('sorted by a column of another collection, what is missing last', () => {
  const r = shop();
  expect(sheet(r, {sort: '-Workloads.ip'}).rows.map(x => x.key)).toEqual([
    'ops/job-1',
    'shop/web-2',
    'shop/web-1',
    'shop/web-10',
  ]);
  expect(sheet(r, {sort: 'metadata.name'}).rows.map(x => x.key)).toEqual([
    'ops/job-1',
    'shop/web-1',
    'shop/web-2',
    'shop/web-10',
  ]);
});

test('a change touches its own row: it is another object, the others stay the same ones', () => {
  const r = shop();
  const before = sheet(r);
  r.write({Pods: [pod('web-2', {app: 'web', tier: 'front'}, {ip: '10.0.0.2'})]});
  const after = sheet(r);
  const same = (key: string) => before.rows.find(x => x.key === key) === after.rows.find(x => x.key === key);
  expect(same('shop/web-1')).toBe(true);
  expect(same('ops/job-1')).toBe(true);
  const row = after.rows.find(x => x.key === 'shop/web-2')!;
  expect(row.lines).toBe(3);
  expect(row.cells.Workloads![0]!.changed).toContain('services');
  expect(after.lines).toBe(before.lines + 1);
});

test('incremental answers equal those of a fresh view, change by change', () => {
  const r = shop();
  const questions = [
    {},
    {group: 'namespace'},
    {sort: '-status.podIP'},
    {q: '-l app=web'},
    {q: 'state:empty'},
  ];
  for (const q of questions) sheet(r, q);
  const steps: Parameters<TestGraphHost['write']>[0][] = [
    {Pods: [pod('web-3', {app: 'web'}, {ip: '10.0.0.3'})]},
    {Services: [service('web', {app: 'web'}, [80])]},
    {Pods: ['shop/web-1']},
    {Pods: [pod('web-10', {app: 'web'}, {ip: '10.0.0.10'})]},
    {Services: ['shop/web']},
    {Pods: [pod('web-2', {app: 'job'}, {ip: '10.0.0.2'}), pod('web-4', {app: 'web'})]},
  ];
  for (const step of steps) {
    r.write(step);
    const incremental = questions.map(q => JSON.stringify(sheet(r, q)));
    r.answers.reset();
    expect(incremental).toEqual(questions.map(q => JSON.stringify(sheet(r, q))));
  }
});

test('the past of a sheet stands still', () => {
  const r = shop();
  const then = r.records.newest();
  const before = sheet(r);
  r.write({Pods: ['shop/web-1'], Services: ['shop/web']});
  const past = sheet(r, {at: then});
  expect(past.rows.map(x => [x.key, x.lines])).toEqual(before.rows.map(x => [x.key, x.lines]));
});

test('a window of one collection is filtered, sorted and grouped with exact counts', () => {
  const r = shop();
  const answer = r.ask<CollectionWindow>({
    ask: 'window',
    collection: 'Pods',
    q: '-l app=web',
    sort: '-key',
    count: 2,
    group: 'namespace',
  });
  expect(answer).toMatchObject({total: 3, of: 4, groups: [{name: 'shop', count: 3, offset: 0}]});
  expect(answer.rows.map(x => x.key)).toEqual(['shop/web-10', 'shop/web-2']);
});

test('items go page by page with a cursor, and later pages read the first one’s moment', () => {
  const r = shop();
  const first = r.ask<Items>({ask: 'items', collection: 'Pods', limit: 2});
  expect(first.items.map(i => i.key)).toEqual(['ops/job-1', 'shop/web-1']);
  r.write({Pods: ['shop/web-1', 'shop/web-2']});
  const second = r.ask<Items>({ask: 'items', collection: 'Pods', limit: 2, cursor: first.cursor!});
  expect(second.items.map(i => i.key)).toEqual(['shop/web-10', 'shop/web-2']);
  expect(second).toMatchObject({total: 4, sequence: first.sequence});
  expect(second.cursor).toBeUndefined();
  expect(() => r.ask({ask: 'items', collection: 'Pods', cursor: 'zzz'})).toThrow(/cursor/);
});

test('an item says where it came from and how it stands', () => {
  const r = shop();
  const {items} = r.ask<Items>({ask: 'items', collection: 'WorkloadServices', q: 'service=all'});
  expect(items).toMatchObject([{key: 'shop/web-1/all', inputs: ['shop/web-1'], outcome: 'added', runs: 1}]);
  const pods = r.ask<Items>({ask: 'items', collection: 'Pods', q: 'name=job-1'});
  expect(pods.items).toEqual([]);
  const source = r.ask<Items>({ask: 'items', collection: 'Pods', q: 'metadata.name=job-*'});
  expect(source.items).toMatchObject([{key: 'ops/job-1', inputs: [], runs: 0, outcome: 'added'}]);
});

test('a wrong filter is refused with the part that is wrong', () => {
  const r = shop();
  expect(() => r.ask({ask: 'items', collection: 'Pods', q: 'state:odd'})).toThrow(/state:odd/);
  expect(() => r.ask({ask: 'items', collection: 'Pods', q: 'key~(?=x)'})).toThrow(/not a pattern/);
});
