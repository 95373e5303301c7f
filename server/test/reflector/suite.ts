// How lists and watches are asked for and resumed, on any server. Numbers in brackets are those of a list of
// scenarios of client-go's reflector and informer.

import {describe, expect, test} from 'vitest';
import {statusBody} from '../fault-proxy.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {Rig} from './rig.ts';

const expired = statusBody(410, 'Expired', 'too old resource version');

export function reflectorSuite(server: () => TestServer): void {
  describe('lists', () => {
    test('[20] in list mode the first asks for what is at hand, in pages of 500', async () => {
      await using rig = await Rig.make(server(), ['a']);
      await rig.synced({streaming: false});
      const [list, watch] = rig.asked();
      expect(list).toMatchObject({verb: 'LIST', version: '0', limit: '500', continued: false});
      expect(watch).toMatchObject({verb: 'WATCH', streaming: false});
      const {query} = rig.proxy.seen[1]!;
      expect(query.get('allowWatchBookmarks')).toBe('true');
      expect(Number(query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
      expect(Number(query.get('timeoutSeconds'))).toBeLessThanOrEqual(600);
    });

    test('[21][24] come in pages: only the first names a version, the whole is told at once', async () => {
      const names = Array.from({length: 12}, (_, at) => `object-${String(at).padStart(2, '0')}`);
      await using rig = await Rig.make(server(), names);
      const tooLarge = statusBody(504, 'Timeout', 'Too large resource version: 9, current: 1', {
        causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
      });
      rig.proxy.rules = [
        seen =>
          seen.query.get('resourceVersion') === '0' ? {kind: 'answer', code: 504, body: tooLarge} : undefined,
      ];
      const batches: number[] = [];
      const informer = rig.informer({streaming: false, pageSize: 5});
      informer.addHandler({onChanges: changes => batches.push(changes.length)});
      informer.start();
      await eventually('synced', () => informer.hasSynced());
      const lists = rig.asked().filter(asked => asked.verb === 'LIST');
      expect(lists.map(({version, continued}) => [version, continued])).toEqual([
        ['0', false],
        [null, false],
        [null, true],
        [null, true],
      ]);
      expect(batches).toEqual([12]);
    });

    test('[22] a page that expired is replaced by one whole list', async () => {
      await using rig = await Rig.make(server(), ['a', 'b', 'c', 'd', 'e']);
      let pages = 0;
      rig.proxy.rules = [
        ({query}) => {
          if (query.get('resourceVersion') === '0') return {kind: 'answer', code: 410, body: expired};
          return query.has('continue') && pages++ === 1
            ? {kind: 'answer', code: 410, body: expired}
            : undefined;
        },
      ];
      const informer = await rig.synced({streaming: false, pageSize: 2});
      expect(informer.cache.size).toBe(5);
      const last = rig.asked().findLast(asked => asked.verb === 'LIST');
      expect(last).toMatchObject({limit: null, continued: false});
    });

    test('[41] a server that refuses streaming lists is asked for pages in the same round', async () => {
      await using rig = await Rig.make(server(), ['a']);
      const code = [400, 422][rig.namespace.length % 2]!;
      rig.proxy.rules = [
        ({query}) => (query.has('sendInitialEvents') ? {kind: 'answer', code, body: {}} : undefined),
      ];
      await rig.synced();
      expect(rig.asked().map(({verb, streaming}) => [verb, streaming])).toEqual([
        ['WATCH', true],
        ['LIST', false],
        ['WATCH', false],
      ]);
    });

    test('[I-02][55] find what is there before, and nothing where there is nothing', async () => {
      await using rig = await Rig.make(server(), ['a', 'b']);
      const informer = await rig.synced();
      expect(rig.heard().sort()).toEqual(['add a', 'add b']);
      expect(rig.changes.every(change => change.initial)).toBe(true);
      const empty = await rig.synced({scopes: [{namespace: rig.namespace, labelSelector: 'no=such'}]});
      expect(empty.hasSynced()).toBe(true);
      expect(empty.cache.size).toBe(0);
      expect(informer.state.phase).toBe('synced');
    });

    test('[42] a streaming list that breaks leaves the old content in sight and starts afresh', async () => {
      await using rig = await Rig.make(server(), ['a', 'b', 'c']);
      const informer = await rig.synced();
      await rig.server.compact?.();
      const line = JSON.stringify({type: 'ERROR', object: expired});
      let broken = 0;
      rig.proxy.rules = [
        ({query, watch}) => {
          if (watch && !query.has('sendInitialEvents')) return {kind: 'answer', code: 410, body: expired};
          return broken++ < 1 ? {kind: 'reset-after', bytes: 300} : 'pass';
        },
        () => ({kind: 'garbage-after', lines: 0, line}),
      ];
      await rig.endWatches();
      await rig.create('d');
      await rig.reaches(informer, 'reconnecting');
      expect(informer.cache.size).toBe(3);
      rig.proxy.rules = [];
      await eventually('the new object', () => informer.cache.size === 4, {
        between: () => void rig.clock.advance(500),
      });
      expect(rig.heard().filter(line => line === 'add d')).toEqual(['add d']);
    });

    test('[44] a stop during the list ends it, and nothing is told', async () => {
      await using rig = await Rig.make(server(), ['a']);
      rig.proxy.rules = [() => ({kind: 'slow', ms: 200})];
      const informer = rig.informer();
      informer.start();
      await eventually('the request', () => rig.proxy.seen.length > 0);
      await informer.stop();
      await new Promise(resolve => setTimeout(resolve, 250));
      expect(rig.heard()).toEqual([]);
      expect(informer.hasSynced()).toBe(false);
    });
  });

  describe('watches', () => {
    test('[I-01] tell adds, updates and deletes in order', async () => {
      await using rig = await Rig.make(server());
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
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      const {metadata} = await rig.server.client.list(informer.resource, {namespace: rig.namespace});
      const version = metadata.resourceVersion!;
      const bookmark = {
        type: 'BOOKMARK',
        object: {kind: 'ConfigMap', apiVersion: 'v1', metadata: {resourceVersion: version}},
      };
      rig.proxy.rules = [() => ({kind: 'garbage-after', lines: 0, line: JSON.stringify(bookmark)})];
      let asked = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextAsked(asked);
      await rig.create('b');
      await rig.hears('add a', 'add b');
      rig.proxy.rules = [];
      asked = rig.proxy.seen.length;
      const created = informer.cache.get(`${rig.namespace}/b`)!;
      await rig.endWatches();
      const again = await rig.nextAsked(asked);
      expect(again).toMatchObject({
        verb: 'WATCH',
        streaming: false,
        version: created.metadata.resourceVersion,
      });
      expect(rig.heard()).toEqual(['add a', 'add b']);
    });

    test('[27] that end after an event are resumed at once, without a list', async () => {
      await using rig = await Rig.make(server());
      await rig.synced();
      const object = await rig.create('a');
      await rig.hears('add a');
      const asked = rig.proxy.seen.length;
      await rig.endWatches();
      expect(await rig.nextAsked(asked)).toMatchObject({
        verb: 'WATCH',
        version: object.metadata.resourceVersion,
      });
      await rig.create('b');
      await rig.hears('add a', 'add b');
    });

    test('[29][30][I-10] that are told 410 lead to a list at the last version, then to one of the newest', async () => {
      await using rig = await Rig.make(server(), ['a', 'b', 'c']);
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
      const asked = rig.proxy.seen.length;
      rig.proxy.rules = [
        seen =>
          seen.watch
            ? undefined
            : rig.proxy.seen.length === asked + 1
              ? {kind: 'answer', code: 410, body: expired}
              : undefined,
      ];
      expect(await rig.wake()).toBeLessThan(1600.01);
      await eventually('synced again', () => informer.state.phase === 'synced');
      const lists = rig.asked(asked).filter(one => one.verb === 'LIST');
      expect(lists[0]!.version).toMatch(/^[1-9]/);
      expect(lists[1]).toMatchObject({version: null});
      const fresh = rig.heard().slice(3);
      expect(fresh.sort()).toEqual(['add d', 'delete a', 'update b']);
      expect(rig.gaps).toEqual([expect.objectContaining({differed: 3})]);
      expect(rig.changes.find(change => change.event === 'delete')).toMatchObject({unseen: true});
    });

    test('[31] that are refused are tried again with growing waits, and then everything is read anew', async () => {
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      await rig.create('b');
      await rig.hears('add a', 'add b');
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
      const asked = rig.proxy.seen.length;
      await rig.wake();
      await rig.hears('add a', 'add b', 'delete a');
      // The smallest question first: a server that is still away is not asked for everything.
      expect(rig.asked(asked)[0]).toMatchObject({verb: 'LIST', limit: '1'});
    });

    test('[32] that are told 429 wait at least as long as they are asked to, and do not list', async () => {
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      rig.proxy.rules = [() => ({kind: 'answer', code: 429, headers: {'retry-after': '17'}, body: {}})];
      await rig.endWatches();
      await rig.reaches(informer, 'reconnecting');
      rig.proxy.rules = [];
      const asked = rig.proxy.seen.length;
      expect(await rig.wake()).toBeGreaterThanOrEqual(17_000);
      expect(await rig.nextAsked(asked)).toMatchObject({verb: 'WATCH', streaming: false});
      await rig.create('b');
      await rig.hears('add a', 'add b');
    });

    test('[35] that are reset in the middle of an event lose and double nothing', async () => {
      await using rig = await Rig.make(server());
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

    test('[36] that fall silent are given up within a minute, though the server sent no bookmark', async () => {
      await using rig = await Rig.make(server());
      const informer = await rig.synced();
      rig.proxy.rules = [({watch}) => (watch ? {kind: 'silence-after', bytes: 0} : undefined)];
      const asked = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextAsked(asked);
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
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      await eventually('asked and answered', () => informer.asOf > 90_000, {
        limit: 20_000,
        every: 5,
        // The second watch of a question takes a second of the server's own time.
        between: () => void (rig.clock.now() - informer.asOf < 31_000 && rig.clock.advance(250)),
      });
      expect(informer.state.phase).toBe('synced');
      expect(rig.heard()).toEqual(['add a']);
      expect(rig.asked().filter(({verb, limit}) => verb === 'LIST' && limit === null)).toEqual([]);
    });

    test('of a server that went back are listed anew and not followed into the future', async () => {
      await using rig = await Rig.make(server(), ['a']);
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
      const asked = rig.proxy.seen.length;
      rig.proxy.resetAll();
      await eventually('the list', () => rig.gaps.length === 1, {
        between: () => void (rig.proxy.busy === 0 && rig.clock.advance(100)),
      });
      const [check, list] = rig.asked(asked);
      expect(check).toMatchObject({verb: 'LIST', limit: '500'});
      expect(list!.streaming || list!.verb === 'LIST').toBe(true);
      expect(list!.version).toBeNull();
      expect(informer.cache.size).toBe(1);
    });

    test('that a load balancer answers with a page of its own keep their rows', async () => {
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      const headers = {'content-type': 'text/html'};
      rig.proxy.rules = [() => ({kind: 'answer', code: 404, headers, body: '<h1>404 Not Found</h1>'})];
      rig.proxy.resetAll();
      await rig.reaches(informer, 'reconnecting');
      await eventually('the reason', () => informer.state.reason.includes('no API server'), {
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
      await using rig = await Rig.make(server(), ['a']);
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
      await using rig = await Rig.make(server(), ['a']);
      const body = statusBody(403, 'Forbidden', 'cannot watch');
      rig.proxy.rules = [({watch}) => (watch ? {kind: 'answer', code: 403, body} : undefined)];
      const informer = rig.informer();
      informer.start();
      await eventually('the poll', () => informer.state.reason.startsWith('listed every 10 s'));
      expect(informer.state.phase).toBe('synced');
      await rig.create('b');
      expect(await rig.wake()).toBe(10_000);
      await eventually('the object', () => informer.cache.size === 2);
      expect(rig.heard()).toEqual(['add a', 'add b']);
    });

    test('[37] cut inside a character are read whole', async () => {
      await using rig = await Rig.make(server());
      rig.proxy.rules = [() => ({kind: 'split', size: 1})];
      const informer = await rig.synced();
      await rig.create('a', {text: 'ß€😀\u2028'});
      await rig.hears('add a');
      expect(informer.cache.get(`${rig.namespace}/a`)?.data).toEqual({text: 'ß€😀\u2028'});
    });

    test('[38] with a line that is no JSON are failed and listed, nothing is skipped', async () => {
      await using rig = await Rig.make(server());
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
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      const stranger = {
        type: 'ADDED',
        object: {
          kind: 'Pod',
          apiVersion: 'v1',
          metadata: {name: 'p', namespace: rig.namespace, resourceVersion: '1'},
        },
      };
      rig.proxy.rules = [() => ({kind: 'garbage-after', lines: 1, line: JSON.stringify(stranger)})];
      await rig.endWatches();
      await rig.create('b');
      const last = await rig.create('c');
      await rig.hears('add a', 'add b', 'add c');
      expect(rig.problems).toEqual([expect.stringContaining('a Pod came while watching ConfigMap')]);
      expect(informer.cache.size).toBe(3);
      rig.proxy.rules = [];
      const asked = rig.proxy.seen.length;
      await rig.endWatches();
      expect(await rig.nextAsked(asked)).toMatchObject({version: last.metadata.resourceVersion});
    });

    test('[45] that are still connecting end with a stop', async () => {
      await using rig = await Rig.make(server(), ['a']);
      const informer = await rig.synced();
      rig.proxy.rules = [() => ({kind: 'slow', ms: 150})];
      const asked = rig.proxy.seen.length;
      await rig.endWatches();
      await rig.nextAsked(asked);
      await informer.stop();
      await rig.create('b');
      await new Promise(resolve => setTimeout(resolve, 200));
      expect(rig.heard()).toEqual(['add a']);
    });
  });
}
