// An informer as a collection: rows, sync, and what is reported about it.

import {type FromProgram, fromProgramSchema} from '@krtscope/shared/programs/program.ts';
import {expect, test, vi} from 'vitest';
import {createEngine, newCollection} from '../krt/index.ts';
import {DynamicClient, Informers, type KubeObject, resources} from '../kube/index.ts';
import {TestWire} from '../runtime/testing-wire.ts';
import {EngineReporter} from './engine-reporter.ts';
import {collectionOf} from './informer-collection.ts';

const path = '/api/v1/configmaps';

function configMap(name: string, data: Record<string, string>, manager?: string, time = ''): KubeObject {
  const fieldsV1 = {'f:data': Object.fromEntries(Object.keys(data).map(field => [`f:${field}`, {}]))};
  const managedFields = manager === undefined ? [] : [{manager, operation: 'Update', time, fieldsV1}];
  return {metadata: {namespace: 'shop', name, uid: name, resourceVersion: '1', managedFields}, data};
}

function follow(...objects: KubeObject[]) {
  const wire = new TestWire().put(path, ...objects);
  const informers = new Informers({client: new DynamicClient(wire), streaming: false});
  return {wire, informers, informer: informers.get(resources.ConfigMaps)};
}

test('rows follow the informer, and the collection is synced with the first list', async () => {
  const {wire, informers, informer} = follow(configMap('a', {colour: 'red'}));
  const engine = createEngine();
  const configMaps = collectionOf<KubeObject & {data: Record<string, string>}>(engine, informer);
  const colours = newCollection(
    configMaps,
    (_, {metadata, data}) => ({key: String(metadata.name), colour: data.colour}),
    {name: 'Colours'},
  );
  expect([configMaps.name, configMaps.hasSynced(), colours.hasSynced()]).toEqual([
    'ConfigMaps',
    false,
    false,
  ]);
  expect(await colours.waitUntilSynced()).toBe(true);
  expect(colours.list()).toEqual([{key: 'a', colour: 'red'}]);
  await vi.waitFor(() => expect(wire.log).toContain(`WATCH ${path}`));
  wire.emit(path, 'MODIFIED', configMap('a', {colour: 'blue'}));
  wire.emit(path, 'ADDED', configMap('b', {colour: 'green'}));
  await vi.waitFor(() => expect(colours.list()).toHaveLength(2));
  expect(colours.getKey('a')).toEqual({key: 'a', colour: 'blue'});
  wire.emit(path, 'DELETED', configMap('a', {colour: 'blue'}));
  await vi.waitFor(() => expect(configMaps.getKey('shop/a')).toBeUndefined());

  configMaps.stop();
  wire.emit(path, 'ADDED', configMap('c', {colour: 'black'}));
  await vi.waitFor(() => expect(informer.cache.get('shop/c')).toBeDefined());
  expect(configMaps.getKey('shop/c')).toBeUndefined();
  engine.stop();
  await informers.stop();
});

test('a synced informer fills the collection at once, also inside a batch', async () => {
  const {informers, informer} = follow(configMap('a', {colour: 'red'}));
  await informer.waitForSync();
  const engine = createEngine();
  const configMaps = engine.batch(() => collectionOf(engine, informer, {name: 'Settings'}));
  expect([configMaps.name, configMaps.hasSynced(), configMaps.list().length]).toEqual(['Settings', true, 1]);
  engine.stop();
  await informers.stop();
});

test('the report has a source of its kind, and names the writer of each change', async () => {
  const time = '2026-11-18T03:00:00Z';
  const {wire, informers, informer} = follow(configMap('a', {colour: 'red'}, 'kubectl-create', time));
  const engine = createEngine();
  const reporter = new EngineReporter(engine);
  const messages: FromProgram[] = [];
  reporter.begin(
    text => void messages.push(fromProgramSchema.parse(JSON.parse(text))),
    () => {},
  );
  const changes = () => messages.flatMap(message => (message.type === 'batch' ? message.changes : []));
  const configMaps = collectionOf(engine, informer, {name: 'Settings'});
  await configMaps.waitUntilSynced();
  const resource = {group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true};
  const settings = {name: 'Settings', kind: 'source', from: [], resource};
  await vi.waitFor(() =>
    expect(messages.flatMap(message => (message.type === 'collections' ? message.collections : []))).toEqual([
      {...settings, synced: false},
      {...settings, synced: true},
    ]),
  );
  await vi.waitFor(() => expect(wire.log).toContain(`WATCH ${path}`));
  const later = '2026-11-18T03:00:09Z';
  wire.emit(path, 'MODIFIED', configMap('a', {colour: 'blue'}, `helm${'\u0301'.repeat(400)}`, later));
  await vi.waitFor(() => expect(changes()).toHaveLength(2));
  wire.emit(path, 'DELETED', configMap('a', {colour: 'blue'}, `helm${'\u0301'.repeat(400)}`, later));
  await vi.waitFor(() => expect(changes()).toHaveLength(3));
  expect(changes().map(({event, run, writer}) => [event, run, writer])).toEqual([
    ['add', null, {manager: 'kubectl-create', operation: 'Update', time, paths: ['data.colour']}],
    [
      'update',
      null,
      {manager: `helm${'\u0301'.repeat(296)}`, operation: 'Update', time: later, paths: ['data.colour']},
    ],
    ['delete', null, undefined],
  ]);
  reporter.end();
  engine.stop();
  await informers.stop();
});

test('rows of a Secrets informer are redacted under any name', async () => {
  const wire = new TestWire().put('/api/v1/secrets', configMap('db', {entry: 'aHVudGVyMg=='}));
  const informers = new Informers({client: new DynamicClient(wire), streaming: false});
  const engine = createEngine();
  const rows = collectionOf(engine, informers.get(resources.Secrets), {name: 'Settings'});
  await rows.waitUntilSynced();
  const snapshot = [...new EngineReporter(engine).state()].join('\n');
  expect(snapshot).toContain('shop/db');
  expect(snapshot).not.toContain('aHVudGVyMg==');
  engine.stop();
  await informers.stop();
});
