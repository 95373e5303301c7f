import {type Check, type Checks, checksSchema} from '@krtscope/shared/checks.ts';
import {expect, test} from 'vitest';
import type {LiveGraphBuilder} from '../../engine/host/live-graph/live-graph.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  type TestGraphHost,
} from '../../engine/host/query/testing-graph-host.ts';
import {
  fetch,
  filterGeneric,
  filterKey,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../../krt/index.ts';

const checks = (r: TestGraphHost, more = {}) => checksSchema.parse(r.ask<Checks>({ask: 'checks', ...more}));
const found = (r: TestGraphHost, code: string): Check | undefined =>
  checks(r).checks.find(c => c.code === code);

interface Named {
  metadata: {name: string};
}

const wasteful: LiveGraphBuilder = {
  sources: ['Policies', 'Pods', 'Unread'],
  build: (_, source) => {
    const pods = source('Pods');
    newManyCollection(
      source('Policies'),
      (ctx, policy) => {
        const {name} = (policy as Named).metadata;
        if (name === 'boom') throw new Error('cannot bind');
        const hit = fetch(
          ctx,
          pods,
          filterGeneric(function startsWithName(p) {
            return (p as Named).metadata.name.startsWith(name);
          }),
        );
        return [
          {metadata: {name}, hit: hit.length},
          ...(name === 'twice' ? [{metadata: {name}, hit: -1}] : []),
        ];
      },
      {name: 'Bindings'},
    );
  },
};

const many = (prefix: string, count: number): HostTestObject[] =>
  Array.from({length: count}, (_, i) => ({metadata: {name: `${prefix}${i}`}}));

test('a scan is told with its cost and the index that would help; unused and failing collections are told too', () => {
  const r = createTestGraphHost(wasteful);
  r.sync();
  r.write({
    Pods: many('p', 80),
    Policies: [...many('q', 3), {metadata: {name: 'boom'}}, {metadata: {name: 'twice'}}],
  });
  const scan = found(r, 'full-scan')!;
  expect(scan.collection).toBe('Bindings');
  expect(scan.message).toContain('compares all 80 Pods');
  // Five runs that each scanned all of them, except the one that failed before.
  expect(scan.message).toMatch(/400 items compared in the last minute$/);
  expect(scan.hint).toContain('startsWithName');
  expect(found(r, 'unused')).toMatchObject({collection: 'Unread', severity: 'info'});
  expect(found(r, 'failed')).toMatchObject({message: 'Binding boom: cannot bind', keys: ['boom']});
  expect(found(r, 'duplicate-in-result')).toMatchObject({collection: 'Bindings', severity: 'error'});
  expect(checks(r).promises.find(p => p.name === 'Unique keys')).toMatchObject({
    failing: 1,
    severity: 'error',
  });
  expect(checks(r).checks.map(c => c.severity)).toEqual(
    checks(r)
      .checks.map(c => c.severity)
      .toSorted((a, b) => 'error warning info'.indexOf(a) - 'error warning info'.indexOf(b)),
  );
});

test('runs that change nothing are counted, and the item that runs all the time', () => {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: [pod('web-1')]});
  expect(found(r, 'hot-item')).toBeUndefined();
  for (let i = 0; i < 40; i++) r.write({Namespaces: [namespace('shop', {n: String(i)})]});
  const wasted = checks(r).checks.find(c => c.code === 'wasted-runs' && c.collection === 'Workloads')!;
  expect(wasted.message).toMatch(
    /^Workloads ran 41 times in the last minute, and 40 runs changed nothing; the last one ran because of Namespace shop$/,
  );
  expect(found(r, 'hot-item'), 'less than once a second').toBeUndefined();
  for (let i = 0; i < 100; i++) r.write({Namespaces: [namespace('shop', {n: `x${i}`})]});
  expect(found(r, 'hot-item')).toMatchObject({collection: 'Workloads', keys: ['shop/web-1'], count: 141});
});

test('a formula that asks for everything is told what that costs, which is no scan', () => {
  const r = createTestGraphHost({
    sources: ['Settings', 'Targets'],
    build: (_, source) => {
      newCollection(
        source('Settings'),
        (ctx, item) => ({
          metadata: (item as Named).metadata,
          all: fetch(ctx, source('Targets')).length,
        }),
        {name: 'Everything'},
      );
    },
  });
  r.sync();
  r.write({Targets: many('t', 60), Settings: many('s', 4)});
  const scan = found(r, 'full-scan')!;
  expect(scan.message).toContain(
    'asks fetch(Targets, all), which compares all 60 Targets and finds 60; each change of one of them runs all 4 inputs',
  );
  expect(scan.hint).toContain('narrow the fetch to what the formula needs');
});

test('an input that discarded and reads only what has stopped is an orphan', () => {
  let stop = (): void => {};
  const r = createTestGraphHost({
    sources: ['Settings'],
    build: (engine, source) => {
      const temporary = newStaticCollection(engine, [{metadata: {name: 't'}}], {name: 'Temporary'});
      stop = () => temporary.stop();
      newCollection(
        source('Settings'),
        (ctx, item) => {
          fetch(ctx, temporary, filterKey('t'));
          ctx.discardResult();
          return {metadata: (item as Named).metadata};
        },
        {name: 'Results'},
      );
    },
  });
  r.sync();
  r.write({Settings: [{metadata: {name: 'a'}}]});
  r.write({Settings: [{metadata: {name: 'a'}, v: 2}]});
  expect(found(r, 'discards')).toMatchObject({collection: 'Results', keys: ['a']});
  expect(found(r, 'orphan')).toBeUndefined();
  stop();
  r.write({Settings: [{metadata: {name: 'b'}}]});
  expect(found(r, 'orphan')).toMatchObject({
    collection: 'Results',
    keys: ['a'],
    title: '1 orphan in Results',
  });
});
