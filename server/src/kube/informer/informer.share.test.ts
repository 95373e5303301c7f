// Objects of a cache share their equal parts if their readers never change them.
import {Readable} from 'node:stream';
import {expect, test, vi} from 'vitest';
import type {DynamicClient} from '../client/dynamic-client.ts';
import {resources} from '../resource.ts';
import {Informer} from './informer.ts';

const pod = (name: string, version: string, phase = 'Running') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, namespace: 'shop', uid: name, resourceVersion: version, labels: {app: 'cart'}},
  spec: {containers: [{name: 'cart', image: 'shop/cart:1.4.2'}]},
  status: {phase},
});

async function start(share: boolean) {
  const stream = new Readable({read() {}});
  const items = [pod('a', '1'), pod('b', '2')];
  const client = {
    list: async () => ({metadata: {resourceVersion: '10'}, items: structuredClone(items)}),
    watch: async () => ({code: 200, headers: {}, warnings: [], body: stream}),
  } as unknown as DynamicClient;
  const clock = {now: () => 0, after: () => () => {}, random: () => 0};
  const informer = new Informer({client, resource: resources.Pods, clock, streaming: false, share});
  const changed: string[] = [];
  informer.addHandler({onChange: ({event, key}) => void changed.push(`${event} ${key}`)});
  informer.start();
  await vi.waitFor(() => expect(informer.hasSynced()).toBe(true));
  const get = (name: string) => informer.cache.get(`shop/${name}`) as unknown as ReturnType<typeof pod>;
  return {informer, get, changed, send: (object: object) => stream.push(`${JSON.stringify(object)}\n`)};
}

test('neighbours of a list and versions of an object share what is equal, and nothing else', async () => {
  const {informer, get, changed, send} = await start(true);
  const [a, b] = [get('a'), get('b')];
  expect(b.spec).toBe(a.spec);
  expect(b.metadata.labels).toBe(a.metadata.labels);
  expect([a, b]).toEqual([pod('a', '1'), pod('b', '2')]);
  send({type: 'MODIFIED', object: pod('a', '11', 'Failed')});
  await vi.waitFor(() => expect(changed).toContain('update shop/a'));
  expect(get('a').spec).toBe(a.spec);
  expect(get('a')).toEqual(pod('a', '11', 'Failed'));
  expect(a).toEqual(pod('a', '1'));
  await informer.stop();
});

test('without the option each object is its own', async () => {
  const {informer, get} = await start(false);
  expect(get('b').spec).not.toBe(get('a').spec);
  await informer.stop();
});
