// How informers open, follow and resume watches, on any server.
import {describe, expect, test} from 'vitest';
import {statusBody} from '../fault-proxy.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {InformerRig} from './rig.ts';

const expired = statusBody(410, 'Expired', 'too old resource version');

export function watchSuite(server: () => TestServer): void {
  describe('watches', () => {
    test('[I-01] tell adds, updates and deletes in order', async () => {
      await using rig = await InformerRig.make(server());
      const informer = await rig.synced();
      await rig.create('a');
      await rig.update('a', {text: '2'});
      await rig.create('b');
      await rig.remove('a');
      await rig.hears('add a', 'update a', 'add b', 'delete a');
      expect([...informer.cache.keys()]).toEqual([`${rig.namespace}/b`]);
      const update = rig.changes[1]!;
      expect(update.old?.data).toEqual({text: 'a'});
      expect(update.new?.data).toEqual({text: '2'});
      expect(update.old).toBe(rig.changes[0]!.new);
    });

    test('[26][43] start at the version of the last bookmark, and tell handlers nothing of it', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const {metadata} = await rig.server.client.list(informer.resource, {namespace: rig.namespace});
      const version = metadata.resourceVersion!;
      const bookmark = {
        type: 'BOOKMARK',
        object: {kind: 'ConfigMap', apiVersion: 'v1', metadata: {resourceVersion: version}},
      };
      rig.proxy.rules = [() => ({kind: 'garbage-after', lines: 0, line: JSON.stringify(bookmark)})];
      let requestsBefore = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextRequest(requestsBefore);
      await rig.create('b');
      await rig.hears('add a', 'add b');
      rig.proxy.rules = [];
      requestsBefore = rig.proxy.seen.length;
      const created = informer.cache.get(`${rig.namespace}/b`)!;
      await rig.endWatches();
      const again = await rig.nextRequest(requestsBefore);
      expect(again).toMatchObject({
        verb: 'WATCH',
        streaming: false,
        version: created.metadata.resourceVersion,
      });
      expect(rig.heard()).toEqual(['add a', 'add b']);
    });

    test('[27] that end after an event are resumed at once, without a list', async () => {
      await using rig = await InformerRig.make(server());
      await rig.synced();
      const object = await rig.create('a');
      await rig.hears('add a');
      const requestsBefore = rig.proxy.seen.length;
      await rig.endWatches();
      expect(await rig.nextRequest(requestsBefore)).toMatchObject({
        verb: 'WATCH',
        version: object.metadata.resourceVersion,
      });
      await rig.create('b');
      await rig.hears('add a', 'add b');
    });

    test('[29][30][I-10] that are told 410 lead to a list at the last version, then to one of the newest', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b', 'c']);
      const informer = await rig.synced({streaming: false});
      const line = JSON.stringify({type: 'ERROR', object: expired});
      rig.proxy.rules = [
        seen => {
          if (seen.watch) return {kind: 'garbage-after', lines: 0, line};
          return seen.query.has('resourceVersion') ? {kind: 'answer', code: 410, body: expired} : undefined;
        },
      ];
      await rig.endWatches();
      await rig.remove('a');
      await rig.update('b', {text: '2'});
      await rig.create('d');
      await rig.reaches(informer, 'reconnecting');
      const requestsBefore = rig.proxy.seen.length;
      rig.proxy.rules = [
        seen =>
          seen.watch
            ? undefined
            : rig.proxy.seen.length === requestsBefore + 1
              ? {kind: 'answer', code: 410, body: expired}
              : undefined,
      ];
      expect(await rig.wake()).toBeLessThan(1600.01);
      await eventually('synced again', () => informer.state.phase === 'synced');
      const lists = rig.requests(requestsBefore).filter(one => one.verb === 'LIST');
      expect(lists[0]!.version).toMatch(/^[1-9]/);
      expect(lists[1]).toMatchObject({version: null});
      const fresh = rig.heard().slice(3);
      expect(fresh.sort()).toEqual(['add d', 'delete a', 'update b']);
      expect(rig.gaps).toEqual([expect.objectContaining({differed: 3})]);
      expect(rig.changes.find(change => change.event === 'delete')).toMatchObject({unseen: true});
    });

    test('[31] that are refused are tried again with growing waits, and then everything is read anew', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      await rig.create('b');
      await rig.hears('add a', 'add b');
      // An older server has received three requests by now, and the fourth would wait for the next second.
      rig.clock.advance(1_100);
      await rig.proxy.stop();
      const waits: number[] = [];
      for (let round = 0; round < 7; round++) {
        await rig.reaches(informer, 'unreachable');
        await eventually('a wait', () => rig.clock.waits().length === 1);
        waits.push(await rig.wake());
        await eventually('the next wait', () => rig.clock.waits().length === 1);
      }
      const bounds = [800, 1600, 3200, 5000, 5000, 5000, 5000];
      for (const [at, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(bounds[at]!);
        expect(wait).toBeLessThanOrEqual(1.5 * bounds[at]!);
      }
      expect(informer.state.reason).toContain('ECONNREFUSED');
      await rig.remove('a');
      await rig.proxy.start();
      const requestsBefore = rig.proxy.seen.length;
      await rig.wake();
      await rig.hears('add a', 'add b', 'delete a');
      // The smallest request first, because the server may still be away.
      expect(rig.requests(requestsBefore)[0]).toMatchObject({verb: 'LIST', limit: '1'});
    });

    test('[32] that are told 429 wait at least as long as they are asked to, and do not list', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      rig.proxy.rules = [() => ({kind: 'answer', code: 429, headers: {'retry-after': '17'}, body: {}})];
      await rig.endWatches();
      await rig.reaches(informer, 'reconnecting');
      rig.proxy.rules = [];
      const requestsBefore = rig.proxy.seen.length;
      expect(await rig.wake()).toBeGreaterThanOrEqual(17_000);
      expect(await rig.nextRequest(requestsBefore)).toMatchObject({verb: 'WATCH', streaming: false});
      await rig.create('b');
      await rig.hears('add a', 'add b');
    });

    test('[35] that are reset in the middle of an event lose and double nothing', async () => {
      await using rig = await InformerRig.make(server());
      const informer = await rig.synced();
      rig.proxy.rules = [() => ({kind: 'reset-after', bytes: 150})];
      rig.proxy.resetAll();
      await rig.create('a');
      await rig.reaches(informer, 'reconnecting');
      rig.proxy.rules = [];
      await eventually('the object', () => informer.cache.size === 1, {
        between: () => void rig.clock.advance(500),
      });
      expect(rig.heard()).toEqual(['add a']);
    });

    test('that break again and again are asked for at most three times in a second', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const isWaiting = () => rig.clock.waits().some(ms => ms <= 1100);
      // The clock stands still during these breaks.
      for (let breaks = 1; breaks <= 3 && !isWaiting(); breaks++) {
        rig.proxy.resetAll();
        await rig.create(`b${breaks}`);
        await eventually('the object, or a wait', () => informer.cache.size > breaks || isWaiting());
      }
      expect(isWaiting()).toBe(true);
      expect(rig.proxy.seen.length).toBeLessThanOrEqual(3);
      await rig.create('last');
      await eventually('the last one', () => informer.cache.get(`${rig.namespace}/last`) !== undefined, {
        between: () => void rig.clock.advance(10),
      });
      expect(rig.heard().filter(line => line === 'add last')).toEqual(['add last']);
    });

    test('[36] that fall silent are given up within a minute, though the server sent no bookmark', async () => {
      await using rig = await InformerRig.make(server());
      const informer = await rig.synced();
      rig.proxy.rules = [({watch}) => (watch ? {kind: 'silence-after', bytes: 0} : undefined)];
      const requestsBefore = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextRequest(requestsBefore);
      const silentAt = rig.clock.now();
      await rig.create('a');
      rig.proxy.rules = [];
      await eventually('the object', () => informer.cache.size === 1, {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      expect(rig.clock.now() - silentAt).toBeLessThan(60_000);
      expect(rig.heard()).toEqual(['add a']);
    });

    test('that are quiet are as of now all the same, because the server is asked', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      await eventually('asked and answered', () => informer.asOf > 90_000, {
        limit: 20_000,
        every: 5,
        // The second watch takes a second of the server's time.
        between: () => void (rig.clock.now() - informer.asOf < 31_000 && rig.clock.advance(250)),
      });
      expect(informer.state.phase).toBe('synced');
      expect(rig.heard()).toEqual(['add a']);
      expect(rig.requests().filter(({verb, limit}) => verb === 'LIST' && limit === null)).toEqual([]);
    });

    test('of a server that went back are listed anew and not followed into the future', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const body = {
        kind: 'ConfigMapList',
        apiVersion: 'v1',
        metadata: {resourceVersion: '1'},
        items: [],
      };
      rig.proxy.rules = [
        ({query}) =>
          query.get('resourceVersionMatch') === 'Exact' ? {kind: 'answer', code: 200, body} : undefined,
      ];
      const requestsBefore = rig.proxy.seen.length;
      rig.proxy.resetAll();
      await eventually('the list', () => rig.gaps.length === 1, {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      const [check, list] = rig.requests(requestsBefore);
      expect(check).toMatchObject({verb: 'LIST', limit: '500'});
      expect(list!.streaming || list!.verb === 'LIST').toBe(true);
      expect(list!.version).toBeNull();
      expect(informer.cache.size).toBe(1);
    });

    test('that a load balancer answers with a page of its own keep their rows', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const headers = {'content-type': 'text/html'};
      rig.proxy.rules = [() => ({kind: 'answer', code: 404, headers, body: '<h1>404 Not Found</h1>'})];
      rig.proxy.resetAll();
      await rig.reaches(informer, 'reconnecting');
      await eventually('the reason', () => informer.state.reason.includes('other than an API server'), {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      expect(informer.cache.size).toBe(1);
      rig.proxy.rules = [];
      await rig.create('b');
      await eventually('the object', () => informer.cache.size === 2, {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      expect(rig.heard()).toEqual(['add a', 'add b']);
    });

    test('that may not be watched any more are noticed within a minute, and their rows stay', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const body = statusBody(403, 'Forbidden', 'configmaps is forbidden');
      rig.proxy.rules = [() => ({kind: 'answer', code: 403, body})];
      const takenAt = rig.clock.now();
      await eventually('forbidden', () => informer.state.phase === 'forbidden', {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      expect(rig.clock.now() - takenAt).toBeLessThan(60_000);
      expect(informer.cache.size).toBe(1);
    });

    test('that are denied are listed every ten seconds instead', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const body = statusBody(403, 'Forbidden', 'cannot watch');
      rig.proxy.rules = [({watch}) => (watch ? {kind: 'answer', code: 403, body} : undefined)];
      const informer = rig.informer();
      informer.start();
      await eventually('the poll', () => informer.state.reason.startsWith('listed every 10 s'));
      expect(informer.state.phase).toBe('synced');
      await rig.create('b');
      expect(await rig.wake()).toBe(10_000);
      // The server may answer a list from an older cache. Then the next list has the object.
      await eventually('the object', () => informer.cache.size === 2, {
        between: () =>
          void (rig.proxy.busy === 0 && rig.clock.waits()[0] === 10_000 && rig.clock.advance(10_000)),
      });
      expect(rig.heard()).toEqual(['add a', 'add b']);
    });

    test('[37] cut inside a character are read whole', async () => {
      await using rig = await InformerRig.make(server());
      rig.proxy.rules = [() => ({kind: 'split', size: 1})];
      const informer = await rig.synced();
      await rig.create('a', {text: 'ß€😀\u2028'});
      await rig.hears('add a');
      expect(informer.cache.get(`${rig.namespace}/a`)?.data).toEqual({text: 'ß€😀\u2028'});
    });

    test('[38] with a line that is no JSON are failed and listed, nothing is skipped', async () => {
      await using rig = await InformerRig.make(server());
      const informer = await rig.synced();
      rig.proxy.rules = [
        ({watch}) =>
          watch ? {kind: 'garbage-after', lines: 0, line: '{"type":"ADDED","object":{'} : undefined,
      ];
      rig.proxy.resetAll();
      await rig.create('a');
      await eventually('the failure', () => informer.state.reason.includes('not JSON'), {
        between: () => void rig.clock.advance(100),
      });
      rig.proxy.rules = [];
      await eventually('the object', () => informer.cache.size === 1, {
        between: () => void rig.clock.advance(500),
      });
      expect(rig.heard()).toEqual(['add a']);
    });

    test('[39] skip an object of another kind and keep their place', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      const stranger = {
        type: 'ADDED',
        object: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: {name: 'p', namespace: rig.namespace, resourceVersion: '1'},
        },
      };
      const nameless = {...stranger, object: {...stranger.object, kind: ''}};
      const line = `${JSON.stringify(stranger)}\n${JSON.stringify(nameless)}`;
      rig.proxy.rules = [() => ({kind: 'garbage-after', lines: 1, line})];
      await rig.endWatches();
      await rig.create('b');
      const last = await rig.create('c');
      await rig.hears('add a', 'add b', 'add c');
      expect(rig.problems).toEqual([
        expect.stringContaining('the watch of ConfigMap sent a Pod'),
        expect.stringContaining('the watch of ConfigMap sent an object whose kind is no name'),
      ]);
      expect(informer.cache.size).toBe(3);
      rig.proxy.rules = [];
      const requestsBefore = rig.proxy.seen.length;
      await rig.endWatches();
      expect(await rig.nextRequest(requestsBefore)).toMatchObject({version: last.metadata.resourceVersion});
    });

    test('[45] that are still connecting end with a stop', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const informer = await rig.synced();
      rig.proxy.rules = [() => ({kind: 'slow', ms: 150})];
      const requestsBefore = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextRequest(requestsBefore);
      await informer.stop();
      await rig.create('b');
      await new Promise(resolve => setTimeout(resolve, 200));
      expect(rig.heard()).toEqual(['add a']);
    });
  });
}
