// The informer on an in-memory transport: what handlers hear, independent of the wire.

import {Readable} from 'node:stream';
import {describe, expect, test, vi} from 'vitest';
import type {DynamicClient} from '../client/dynamic-client.ts';
import type {Clock} from '../clock.ts';
import type {KubeObject, WatchEvent} from '../object.ts';
import {resources} from '../resource.ts';
import type {Change} from './change-handler.ts';
import {Informer, type InformerOptions} from './informer.ts';
import {scopesOf} from './informer-factory.ts';

const still: Clock = {now: () => 0, after: () => () => {}, random: () => 0};

function map(name: string, version: string, data: Record<string, string> = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name, namespace: 'n', uid: name, resourceVersion: version},
    data,
  };
}

function rig(items: KubeObject[], options: Partial<InformerOptions> = {}) {
  const stream = new Readable({read() {}});
  const client = {
    list: async () => ({metadata: {resourceVersion: '10'}, items}),
    watch: async () => ({code: 200, headers: {}, warnings: [], body: stream}),
  } as unknown as DynamicClient;
  const informer = new Informer({
    client,
    resource: resources.ConfigMaps,
    clock: still,
    streaming: false,
    ...options,
  });
  const heard: Change[] = [];
  informer.addHandler({onChange: change => void heard.push(change)});
  informer.start();
  return {
    informer,
    heard,
    lines: () => heard.map(({event, key}) => `${event} ${key}`),
    send: (...events: WatchEvent[]) =>
      stream.push(events.map(event => `${JSON.stringify(event)}\n`).join('')),
  };
}

describe('an informer', () => {
  test('[50][51] goes by what it holds, not by the verb, and by the version, not by the event', async () => {
    const {informer, lines, send} = rig([map('a', '1')]);
    await informer.waitForSync();
    send({type: 'ADDED', object: map('a', '11')}, {type: 'MODIFIED', object: map('b', '12')});
    send({type: 'MODIFIED', object: map('b', '12')}, {type: 'DELETED', object: map('none', '13')});
    send({type: 'DELETED', object: map('a', '14')});
    await vi.waitFor(() => expect(lines()).toEqual(['add n/a', 'update n/a', 'add n/b', 'delete n/a']));
    await informer.stop();
  });

  test('[53] gives a late handler everything there is, once, before what comes', async () => {
    const {informer, send} = rig([map('a', '1'), map('b', '2')]);
    await informer.waitForSync();
    const late: string[] = [];
    const registration = informer.addHandler({
      onChange: ({event, key, initial}) => void late.push(`${event} ${key}${initial ? ' initial' : ''}`),
    });
    expect(late).toEqual(['add n/a initial', 'add n/b initial']);
    expect(registration.hasSynced()).toBe(true);
    send({type: 'ADDED', object: map('c', '11')});
    await vi.waitFor(() => expect(late).toEqual(['add n/a initial', 'add n/b initial', 'add n/c']));
    registration.remove();
    send({type: 'ADDED', object: map('d', '12')});
    await vi.waitFor(() => expect(informer.cache.size).toBe(4));
    expect(late).toHaveLength(3);
    await informer.stop();
  });

  test('transforms each object before it is kept, and drops managedFields', async () => {
    const object = map('a', '1', {secret: 'x'});
    object.metadata.managedFields = [
      {manager: 'm', operation: 'Apply', time: 't', fieldsV1: {'f:data': {'f:secret': {}}}},
    ];
    const {informer, heard} = rig([object], {transform: one => ({...one, data: 'hidden'})});
    await informer.waitForSync();
    expect(informer.cache.get('n/a')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: 'a', namespace: 'n', uid: 'a', resourceVersion: '1'},
      data: 'hidden',
    });
    expect(heard[0]?.writer).toMatchObject({manager: 'm', operation: 'Apply', paths: ['data.secret']});
    expect(object.metadata.managedFields).toHaveLength(1);
    await informer.stop();
  });

  test('an object that took the place of another is signed by who made it, not by who reported last', async () => {
    const {informer, heard, send} = rig([map('a', '1')]);
    await informer.waitForSync();
    const another = map('a', '11');
    another.metadata.uid = 'another';
    another.metadata.managedFields = [
      {manager: 'kubectl-create', operation: 'Update', time: '1', fieldsV1: {'f:data': {}}},
      {manager: 'kubelet', operation: 'Update', time: '2', subresource: 'status', fieldsV1: {'f:status': {}}},
      {manager: 'kubectl-label', operation: 'Update', time: '3', fieldsV1: {'f:metadata': {}}},
    ];
    send({type: 'MODIFIED', object: another});
    await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({event: 'update', key: 'n/a'}));
    expect(heard.at(-1)?.writer?.manager).toBe('kubectl-create');
    await informer.stop();
  });

  test('replays to those who want it on a resync, and to nobody else', async () => {
    const {informer, heard} = rig([map('a', '1')]);
    await informer.waitForSync();
    const replayed: Change[] = [];
    informer.addHandler({resync: true, onChange: change => void replayed.push(change)});
    informer.resync();
    expect(replayed.map(change => change.event)).toEqual(['add', 'update']);
    expect(replayed[1]?.old).toBe(replayed[1]?.new);
    expect(heard).toHaveLength(1);
    await informer.stop();
  });

  test('once stopped refuses handlers, indexers and a new start', async () => {
    const {informer} = rig([]);
    await informer.waitForSync();
    await informer.stop();
    expect(() => informer.addHandler({})).toThrow(/stopped/);
    expect(() => informer.addIndexer('x', () => [])).toThrow(/stopped/);
    expect(() => informer.start()).toThrow(/create a new one/);
  });
});

test('with namespaces: each of them, Namespaces by name, other cluster-wide kinds as a whole', () => {
  const chosen = ['a', 'b', 'a'];
  expect(scopesOf(resources.Pods, {labelSelector: 'x=y'}, chosen)).toEqual([
    {labelSelector: 'x=y', namespace: 'a'},
    {labelSelector: 'x=y', namespace: 'b'},
  ]);
  expect(scopesOf(resources.Namespaces, {}, chosen)).toEqual([
    {fieldSelector: 'metadata.name=a', name: 'a'},
    {fieldSelector: 'metadata.name=b', name: 'b'},
  ]);
  expect(scopesOf(resources.Nodes, {}, chosen)).toEqual([{}]);
  expect(scopesOf(resources.Pods, {}, [])).toEqual([{}]);
});
