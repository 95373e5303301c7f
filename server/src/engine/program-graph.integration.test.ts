// A program's reports in a real engine process that dies: reported runs stay reported, observed changes stay observed.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {programRunSchema} from '@krtscope/shared/programs/program.ts';
import type {Why, WhyNot} from '@krtscope/shared/why.ts';
import {afterAll, expect, test} from 'vitest';
import {hiddenCollections} from './link/hidden-collections.ts';
import type {ProgramChangeReport} from './link/program-batch.ts';
import {ask, engineFor, until, waitForRestart} from './testing-engine.ts';

const engine = engineFor({told: true});
afterAll(() => engine.stop());

const change = (
  collection: string,
  key: string,
  value: unknown,
  run?: number | null,
): ProgramChangeReport => ({
  collection,
  key,
  event: 'update',
  new: value,
  received: Date.now(),
  ...(run === undefined ? {} : {run}),
});
const batch = (runs: unknown[] = []) => ({
  received: Date.now() - 1,
  settled: Date.now(),
  synced: [],
  runs: runs.map(run => programRunSchema.parse(run)),
});

test('told batches outlive the engine process, with their causes and with what was only observed', async () => {
  const collections = [
    {name: 'Rows', kind: 'derived', from: [{collection: 'Pods', kind: 'input'}], synced: true},
    {name: 'Pods', kind: 'static', from: [], synced: true},
  ];
  engine.apply([change(hiddenCollections.graph, 'graph', {key: 'graph', collections})]);
  engine.applyReported(
    [
      {...change('Pods', 'a', {v: 1}), event: 'add'},
      {...change('Pods', 'c', {v: 1}), event: 'add'},
      {...change('Rows', 'a', {v: 1}), event: 'add'},
    ],
    {
      ...batch(),
      inputs: [
        {collection: 'Rows', input: 'a', outputs: ['a'], fetches: []},
        {collection: 'Rows', input: 'c', outputs: [], fetches: []},
      ],
    },
  );
  engine.applyReported(
    [
      {...change('Pods', 'b', {v: 1}, null), event: 'add'},
      {...change('Rows', 'b', {v: 1}, 0), event: 'add'},
    ],
    {
      ...batch([
        {
          collection: 'Rows',
          input: 'b',
          outcome: 'added',
          causes: [{kind: 'input', collection: 'Pods', key: 'b', event: 'add', published: 0}],
          outputs: [{key: 'b', change: 'added'}],
        },
      ]),
    },
  );
  const whyEmpty = async (key: string) => {
    const {verdict, sentence} = await ask<WhyNot>(engine, {ask: 'why-empty', collection: 'Rows', key});
    return {verdict, sentence};
  };
  const answers = async () => ({
    none: await whyEmpty('c'),
    graph: (await ask<Graph>(engine, {ask: 'graph'})).collections.map(({name, size, kind}) => [
      name,
      size,
      kind,
    ]),
    seen: await ask<Why>(engine, {ask: 'why', collection: 'Rows', key: 'a'}),
    told: await ask<Why>(engine, {ask: 'why', collection: 'Rows', key: 'b'}),
    // The batch that an item is reported for is not part of the item.
    item: {...(await ask<ItemDetail>(engine, {ask: 'item', collection: 'Rows', key: 'a'})), sequence: 0},
  });
  const before = await until(async () => {
    const all = await answers();
    return all.told.outcome === 'added' ? all : undefined;
  });
  expect(before.graph).toEqual([
    ['Pods', 3, 'static'],
    ['Rows', 2, 'derived'],
  ]);
  expect(before.seen.sentence).toBe('Row a was observed added. The program does not say why.');
  expect(before.none).toEqual({
    verdict: 'unknown',
    sentence: 'Row c was observed empty. The program does not say why.',
  });
  expect(before.told.sentence).toMatch(/^Row b was added because its input Pod b was added/);
  expect(before.item).toMatchObject({outcome: 'observed', inputs: ['a']});
  const back = waitForRestart(engine);
  process.kill(engine.pid, 'SIGKILL');
  await back;
  expect(await until(answers)).toEqual(before);
});
