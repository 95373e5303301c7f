// Pages of one revision, and watches: how they begin, continue and end.

import {describe, expect, test} from 'vitest';
import type {KubeObject, WatchEvent} from '../../src/kube/object.ts';
import {resources} from '../../src/kube/resource.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {maps, TestNamespace} from './test-namespace.ts';

function describeEvents(events: WatchEvent[]): string[] {
  return events.map(({type, object}) => `${type} ${(object as KubeObject).metadata?.name ?? ''}`.trim());
}

/** `forgets`: the server can compact its history. Other servers skip that test. */
export function readBehaviour(server: () => TestServer, forgets: boolean): void {
  describe('lists', () => {
    test('come in pages that belong to one moment', async () => {
      await using place = await TestNamespace.make(server());
      for (const name of ['a', 'b', 'c', 'd', 'e']) await place.create(name);
      const {client, namespace} = place;
      const query = {namespace, labelSelector: 'suite', limit: 2};
      const first = await client.list(maps, query);
      expect(first.items.map(item => item.metadata.name)).toEqual(['a', 'b']);
      await place.create('aa');
      await client.delete(maps, {namespace, name: 'd'});
      const second = await client.list(maps, {...query, continue: first.metadata.continue});
      const third = await client.list(maps, {...query, continue: second.metadata.continue});
      expect([...second.items, ...third.items].map(item => item.metadata.name)).toEqual(['c', 'd', 'e']);
      expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
      expect(third.metadata.continue ?? '').toBe('');
      const whole = await client.list(maps, {namespace, limit: 500});
      expect(whole.metadata.remainingItemCount).toBeUndefined();
    });

    test('say how many remain when nothing is selected', async () => {
      await using place = await TestNamespace.make(server());
      const leases = resources.Leases;
      for (const name of ['a', 'b', 'c'])
        await place.client.create(leases, {metadata: {name, namespace: place.namespace}});
      const page = await place.client.list(leases, {namespace: place.namespace, limit: 1});
      expect(page.metadata.remainingItemCount).toBe(2);
    });

    test('at a version: exact, not older, or too new', async () => {
      await using place = await TestNamespace.make(server());
      const {client, namespace} = place;
      await place.create('a');
      const before = await client.list(maps, {namespace, labelSelector: 'suite'});
      await place.create('b');
      const version = before.metadata.resourceVersion;
      const exact = await client.list(maps, {
        namespace,
        labelSelector: 'suite',
        resourceVersion: version,
        resourceVersionMatch: 'Exact',
      });
      expect(exact.items.map(item => item.metadata.name)).toEqual(['a']);
      const newer = await client.list(maps, {
        namespace,
        labelSelector: 'suite',
        resourceVersion: version,
        resourceVersionMatch: 'NotOlderThan',
      });
      expect(newer.items.length).toBeGreaterThanOrEqual(1);
      const future = client.list(maps, {namespace, resourceVersion: '999999999', retries: 0});
      await expect(future).rejects.toMatchObject({code: 504, reason: 'Timeout', retryAfter: 1});
    });
  });

  describe('watches', () => {
    test('from a version tell what came after it, in order, with the selector’s eyes', async () => {
      await using place = await TestNamespace.make(server());
      const {client, namespace} = place;
      await place.create('a');
      const {metadata} = await client.list(maps, {namespace});
      await place.create('b', {labels: {suite: 'yes'}});
      await place.create('hidden', {labels: {}});
      const ref = {namespace, name: 'hidden'};
      await client.patch(maps, ref, {metadata: {labels: {suite: 'yes'}}}, {type: 'merge'});
      await client.patch(maps, ref, {data: {k: 'v'}}, {type: 'merge'});
      await client.patch(maps, ref, {metadata: {labels: {suite: null}}}, {type: 'merge'});
      await client.delete(maps, {namespace, name: 'a'});
      const watch = await place.watch({resourceVersion: metadata.resourceVersion});
      const expected = ['ADDED b', 'ADDED hidden', 'MODIFIED hidden', 'DELETED hidden', 'DELETED a'];
      await eventually(
        () => `${expected}; came ${describeEvents(watch.events)}`,
        () => describeEvents(watch.events).length >= expected.length,
      );
      watch.stop();
      expect(describeEvents(watch.events)).toEqual(expected);
    });

    test('a delete’s event has a version of its own', async () => {
      await using place = await TestNamespace.make(server());
      const created = await place.create('a');
      const watch = await place.watch({resourceVersion: created.metadata.resourceVersion});
      await place.client.delete(maps, {namespace: place.namespace, name: 'a'});
      await eventually('the delete', () => watch.events.length === 1);
      watch.stop();
      const gone = watch.events[0]?.object as KubeObject;
      expect(gone.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
      expect(gone.metadata.uid).toBe(created.metadata.uid);
    });

    test('a write that changes nothing has no event and keeps the version', async () => {
      await using place = await TestNamespace.make(server());
      const created = await place.create('a', {}, {k: 'v'});
      const watch = await place.watch({resourceVersion: created.metadata.resourceVersion});
      const same = await place.client.patch(
        maps,
        {namespace: place.namespace, name: 'a'},
        {data: {k: 'v'}},
        {type: 'merge'},
      );
      expect(same.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
      await place.create('b');
      await eventually('the next event', () => watch.events.length > 0);
      watch.stop();
      expect(describeEvents(watch.events)).toEqual(['ADDED b']);
    });

    test('without a version or from 0 begin with what is there', async () => {
      await using place = await TestNamespace.make(server());
      await place.create('a');
      for (const resourceVersion of [undefined, '0']) {
        const watch = await place.watch({resourceVersion});
        await eventually('the add', () => watch.events.length > 0);
        watch.stop();
        expect(describeEvents(watch.events)).toEqual(['ADDED a']);
      }
    });

    test('that stream the list end it with a marked bookmark and go on', async () => {
      await using place = await TestNamespace.make(server());
      await place.create('a');
      await place.create('b');
      const watch = await place.watch({
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      });
      await eventually('the bookmark', () => watch.events.length >= 3);
      expect(describeEvents(watch.events).sort()).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
      const bookmark = watch.events.find(event => event.type === 'BOOKMARK')?.object as KubeObject;
      expect(bookmark).toMatchObject({kind: 'ConfigMap', apiVersion: 'v1'});
      expect(bookmark.metadata.annotations).toEqual({'k8s.io/initial-events-end': 'true'});
      expect(bookmark.metadata.resourceVersion).toMatch(/^\d+$/);
      await place.create('c');
      await eventually('the next add', () => watch.events.length === 4);
      watch.stop();
    });

    test('end at their timeout', async () => {
      await using place = await TestNamespace.make(server());
      const watch = await place.watch({timeoutSeconds: 1});
      await eventually('the end', () => watch.ended(), {every: 20});
    });

    test.skipIf(!forgets)('from a version that is forgotten are told 410', async () => {
      await using place = await TestNamespace.make(server());
      await place.create('a');
      await server().compact?.();
      // Real servers do not cache Events, so a compaction shows at once.
      const watch = await place.watch({resourceVersion: '1', labelSelector: ''}, resources.Events);
      await eventually('410', () => watch.events.some(event => event.type === 'ERROR'), {limit: 5000});
      expect(watch.events[0]).toMatchObject({
        type: 'ERROR',
        object: {kind: 'Status', code: 410, reason: 'Expired'},
      });
      watch.stop();
    });
  });
}
