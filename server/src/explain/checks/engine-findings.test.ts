// The page's text for each rule that the engine finds broken.
import {readFileSync} from 'node:fs';
import {type Checks, checksSchema} from '@krtscope/shared/checks.ts';
import {expect, test} from 'vitest';
import type {LiveGraphBuilder} from '../../engine/host/live-graph/live-graph.ts';
import {createTestGraphHost, type HostTestObject} from '../../engine/host/query/testing-graph-host.ts';
import {
  type Collection,
  createEngine,
  fetch,
  filterLabel,
  mapCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newSingleton,
  newStaticCollection,
  violationCodes,
} from '../../krt/index.ts';

function refuse(thing: HostTestObject): void {
  if (thing.metadata.name.startsWith('bad')) throw new Error(`cannot take ${thing.metadata.name}`);
}

/** Each of its functions throws for items that are called bad. */
const broken: LiveGraphBuilder = {
  sources: ['Policies'],
  build: (engine, source) => {
    const policies = source('Policies') as Collection<HostTestObject>;
    const rows = newCollection(policies, (_, policy) => policy, {
      name: 'Rows',
      labels: thing => {
        refuse(thing);
        return {};
      },
    });
    newIndex(rows, 'strict', thing => {
      refuse(thing);
      return [thing.metadata.name];
    });
    newSingleton(engine, ctx => ({count: fetch(ctx, rows, filterLabel({app: 'x'})).length}), {name: 'Count'});
    mapCollection(
      rows,
      thing => {
        refuse(thing);
        return thing;
      },
      {name: 'Mapped'},
    );
    const elsewhere = newStaticCollection(createEngine(), ['x'], {name: 'Elsewhere'});
    const members = newStaticCollection<Collection<unknown>>(engine, [], {name: 'Members'});
    nestedJoinWithMergeCollection(members, all => all[0], {name: 'Joined'});
    members.updateObject(elsewhere);
    engine.onTrace(() => {
      throw new Error('cannot listen');
    });
  },
};

test('functions that throw are told with what they were for, what it does, and what helps', () => {
  const r = createTestGraphHost(broken);
  r.sync();
  r.write({Policies: ['good', 'bad1', 'bad2'].map(name => ({metadata: {name}}))});
  const {checks} = checksSchema.parse(r.ask<Checks>({ask: 'checks'}));
  const told = new Map(checks.map(check => [check.code, check]));
  expect(told.get('index-failed')).toMatchObject({
    severity: 'error',
    collection: 'Rows',
    keys: ['bad1', 'bad2'],
    title: 'An index of Rows failed for 2 rows',
    message: expect.stringContaining('cannot take bad'),
  });
  expect(told.get('attribute-failed')).toMatchObject({
    collection: 'Rows',
    keys: ['bad1', 'bad2'],
    title: 'Labels, namespace or selector of 2 rows of Rows cannot be read',
  });
  expect(told.get('map-failed')).toMatchObject({
    collection: 'Mapped',
    keys: ['bad1', 'bad2'],
    title: 'Mapped cannot compute 2 rows',
    evidence: {item: {collection: 'Mapped', key: 'bad1'}},
  });
  expect(told.get('foreign-member')).toMatchObject({
    collection: 'Joined',
    title: 'Joined was given a collection of another engine',
  });
  expect(told.get('listener-failed')).toMatchObject({
    title: 'A listener of the engine failed',
    message: expect.stringContaining('cannot listen'),
  });
});

test('every promise has words of its own, a hint, a place in the order and a line in docs/checks.md', () => {
  const docs = readFileSync(new URL('../../../../docs/checks.md', import.meta.url), 'utf8');
  const r = createTestGraphHost();
  r.sync();
  const codes = [...violationCodes, 'set-aside'];
  r.live.journal.writeViolations(
    codes.map(code => ({code, collection: 'Rows', keys: ['k'], message: 'words', sequence: 1, count: 1})),
  );
  const {checks} = checksSchema.parse(r.ask<Checks>({ask: 'checks'}));
  const told = checks.filter(check => codes.includes(check.code));
  expect(told.map(check => check.code).toSorted()).toEqual(codes.toSorted());
  for (const {code, title, hint} of told) {
    expect(title, code).not.toContain(code);
    expect(hint, code).toMatch(/\w/);
    expect(docs, code).toContain(`\`${code}\``);
  }
  expect(new Set(told.map(check => check.title)).size).toBe(codes.length);
  // A code without a rank would come before all others.
  expect(told[0]?.code).toBe('set-aside');
});
