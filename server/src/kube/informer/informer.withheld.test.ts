// An unusable object affects only itself.
import {Readable} from 'node:stream';
import {expect, test, vi} from 'vitest';
import type {DynamicClient} from '../client/dynamic-client.ts';
import type {KubeObject} from '../object.ts';
import {resources} from '../resource.ts';
import type {WithheldEntry} from './change-handler.ts';
import {Informer} from './informer.ts';
import {ObjectMeasure, shapeProblem} from './object-problem.ts';

const sound = (name: string, version = '1') => ({
  metadata: {name, namespace: 'n', uid: name, resourceVersion: version},
  data: {},
});
const deep = (levels: number) =>
  JSON.parse(
    `{"metadata":{"name":"deep","namespace":"n","resourceVersion":"2"},"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`,
  );

async function start(items: unknown[]) {
  const stream = new Readable({read() {}});
  const client = {
    list: async () => ({metadata: {resourceVersion: '10'}, items}),
    watch: async () => ({code: 200, headers: {}, warnings: [], body: stream}),
  } as unknown as DynamicClient;
  const clock = {now: () => 0, after: () => () => {}, random: () => 0};
  const informer = new Informer({
    client,
    resource: resources.ConfigMaps,
    clock,
    streaming: false,
    withhold: true,
  });
  let withheld: readonly WithheldEntry[] = [];
  const lines: string[] = [];
  informer.addHandler({
    onChange: ({event, key}) => void lines.push(`${event} ${key}`),
    onWithheld: objects => {
      withheld = objects;
    },
  });
  informer.start();
  await vi.waitFor(() => expect(informer.hasSynced()).toBe(true));
  return {informer, lines, withheld: () => withheld, send: (line: string) => stream.push(`${line}\n`)};
}

const objectProblem = (object: unknown) =>
  shapeProblem(object) ?? new ObjectMeasure().problemOf(object as KubeObject);

test.each([
  ['an object without metadata', {metadata: null}, 'metadata is null'],
  ['a number as a name', {metadata: {name: 5}}, 'metadata.name is a number, not a string'],
  ['labels that are a list', {metadata: {name: 'a', labels: []}}, 'metadata.labels is a list, not a map'],
  [
    'a label that is a number',
    {metadata: {name: 'a', labels: {x: 1}}},
    'metadata.labels["x"] is a number, not a string',
  ],
  [
    'managedFields that are a map',
    {metadata: {name: 'a', managedFields: {}}},
    'metadata.managedFields is a map, not a list',
  ],
  ['an object 9,900 levels deep', deep(9899), 'nested 9,900 levels deep, the limit is 500'],
  [
    'a large object',
    {metadata: {name: 'a'}, data: {x: 'y'.repeat(17 * 1024 * 1024)}},
    'larger than 16 MB, the limit',
  ],
])('%s has its problem in words', (_, object, reason) => {
  expect(objectProblem(object)).toBe(reason);
});

test('a sound object has no problem, also with null labels and 400 levels', () => {
  expect(objectProblem({metadata: {name: 'a', labels: null}})).toBeUndefined();
  expect(objectProblem(deep(400))).toBeUndefined();
});

test('parts that are shared with the last version count as before, and an object that grows by them is too large at last', () => {
  const measure = new ObjectMeasure();
  const text = 'y'.repeat(6 * 1024 * 1024);
  const one = {metadata: {name: 'a'}, data: {x: {text}}};
  expect(measure.problemOf(one)).toBeUndefined();
  const last = {object: one, weight: measure.weight};
  const two = {...one, data: {...one.data, y: {text}}};
  expect(measure.problemOf(two, last)).toBeUndefined();
  const three = {...two, data: {...two.data, z: {text}}};
  expect(measure.problemOf(three, {object: two, weight: measure.weight})).toBe(
    'larger than 16 MB, the limit',
  );
  // The weight is a bound: one that is passed by small changes alone is measured again.
  expect(measure.problemOf(one, {object: one, weight: 16 * 1024 * 1024})).toBeUndefined();
  expect(measure.weight).toBe(last.weight);
  const deeper = {...one, data: {...one.data, deep: deep(600)}};
  expect(measure.problemOf(deeper, last)).toBe('nested 603 levels deep, the limit is 500');
});

test('bad objects of a list are withheld by name with the reason; the others arrive', async () => {
  const {informer, lines, withheld} = await start([
    sound('a'),
    deep(9899),
    null,
    {metadata: null},
    sound('b'),
  ]);
  expect(informer.state.phase).toBe('synced');
  expect(lines).toEqual(['add n/a', 'add n/b']);
  expect(withheld().map(({key}) => key)).toEqual(['n/deep']);
});

test('an object that becomes bad leaves, and comes back when it changes again; a deletion ends it', async () => {
  const {lines, withheld, send, informer} = await start([
    sound('a'),
    {...sound('deep'), metadata: {...sound('deep').metadata}},
  ]);
  const event = (type: string, object: string) => send(`{"type":"${type}","object":${object}}`);
  event(
    'MODIFIED',
    `{"metadata":{"name":"deep","namespace":"n","resourceVersion":"11"},"data":${'['.repeat(600)}${']'.repeat(600)}}`,
  );
  await vi.waitFor(() => expect(withheld()).toHaveLength(1));
  expect(withheld()[0]?.reason).toMatch(/^nested 60\d levels deep, the limit is 500$/);
  expect(informer.cache.get('n/deep')).toBeUndefined();
  event('MODIFIED', JSON.stringify(sound('deep', '12')));
  await vi.waitFor(() => expect(withheld()).toEqual([]));
  event('MODIFIED', '{"metadata":{"name":"deep","namespace":"n","resourceVersion":"13","labels":[1]}}');
  await vi.waitFor(() => expect(withheld()).toHaveLength(1));
  event('DELETED', '{"metadata":{"name":"deep","namespace":"n","resourceVersion":"14"}}');
  await vi.waitFor(() => expect(withheld()).toEqual([]));
  expect(lines).toEqual(['add n/a', 'add n/deep', 'delete n/deep', 'add n/deep', 'delete n/deep']);
});

test('without the option, as controllers use it, objects pass as they are', async () => {
  const client = {
    list: async () => ({metadata: {resourceVersion: '10'}, items: [deep(600) as KubeObject]}),
    watch: async () => ({code: 200, headers: {}, warnings: [], body: new Readable({read() {}})}),
  } as unknown as DynamicClient;
  const clock = {now: () => 0, after: () => () => {}, random: () => 0};
  const informer = new Informer({client, resource: resources.ConfigMaps, clock, streaming: false});
  informer.start();
  await vi.waitFor(() => expect(informer.cache.size).toBe(1));
});
