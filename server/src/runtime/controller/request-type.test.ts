import {expect, test} from 'vitest';
import type {KubeObject} from '../../kube/object.ts';
import {keyText} from '../scheme/kind.ts';
import {requestOf} from './request.ts';
import {requestType} from './request-type.ts';

const shards = requestType<{path: string; shard: number}>();

test('the fields survive the queue, and their order does not matter', () => {
  const request = shards.request({path: 'a/b/c', shard: 2});
  expect(shards.parse(requestOf(keyText(request)))).toEqual({path: 'a/b/c', shard: 2});
  expect(keyText(shards.request({shard: 2, path: 'a/b/c'}))).toBe(keyText(request));
  expect(() => shards.parse({namespace: 'default', name: 'a'})).toThrow(
    '"default/a" has no fields of its own',
  );
  expect(() => shards.parse({name: '7'})).toThrow('enqueue what request() returns');
});

test('an object can enqueue several requests, each once, and the reconciler gets the fields', async () => {
  const keys: string[] = [];
  const object: KubeObject = {metadata: {name: 'x'}};
  const handler = shards.enqueue(({metadata}) =>
    [1, 2, 2].map(shard => ({path: metadata.name ?? '', shard})),
  );
  await handler.create?.({type: 'create', object, initial: false}, key => keys.push(keyText(key)));
  expect(keys).toEqual(['{"path":"x","shard":1}', '{"path":"x","shard":2}']);
  const seen: unknown[] = [];
  const {reconcile} = shards.reconciler(fields => void seen.push(fields));
  await reconcile(requestOf(keys[1]!), {} as never);
  expect(seen).toEqual([{path: 'x', shard: 2}]);
});
