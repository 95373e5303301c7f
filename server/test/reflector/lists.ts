// How informers list, on any server.
import {describe, expect, test} from 'vitest';
import {statusBody} from '../fault-proxy.ts';
import {eventually} from '../manual-clock.ts';
import type {TestServer} from '../servers.ts';
import {InformerRig} from './rig.ts';

const expired = statusBody(410, 'Expired', 'too old resource version');

export function listSuite(server: () => TestServer): void {
  describe('lists', () => {
    test('[20] in list mode the first asks for what is at hand, in pages of 500', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      await rig.synced({streaming: false});
      const [list, watch] = rig.requests();
      expect(list).toMatchObject({verb: 'LIST', version: '0', limit: '500', continued: false});
      expect(watch).toMatchObject({verb: 'WATCH', streaming: false});
      const {query} = rig.proxy.seen[1]!;
      expect(query.get('allowWatchBookmarks')).toBe('true');
      expect(Number(query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
      expect(Number(query.get('timeoutSeconds'))).toBeLessThanOrEqual(600);
    });

    test('[21][24] come in pages: only the first names a version, the whole is told at once', async () => {
      const names = Array.from({length: 12}, (_, at) => `object-${String(at).padStart(2, '0')}`);
      await using rig = await InformerRig.make(server(), names);
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
      const lists = rig.requests().filter(one => one.verb === 'LIST');
      expect(lists.map(({version, continued}) => [version, continued])).toEqual([
        ['0', false],
        [null, false],
        [null, true],
        [null, true],
      ]);
      expect(batches).toEqual([12]);
    });

    test('[22] a page that expired is replaced by one whole list', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b', 'c', 'd', 'e']);
      let pages = 0;
      rig.proxy.rules = [
        ({query}) => {
          if (query.get('resourceVersion') === '0') return {kind: 'answer', code: 410, body: expired};
          return query.has('continue') && pages++ === 1
            ? {kind: 'answer', code: 410, body: expired}
            : undefined;
        },
      ];
      const informer = rig.informer({streaming: false, pageSize: 2});
      informer.start();
      // Only four requests per second: the last one waits for the next second.
      await eventually('a watch', () => rig.proxy.watches > 0, {between: () => void rig.clock.advance(10)});
      expect(informer.cache.size).toBe(5);
      const last = rig.requests().findLast(one => one.verb === 'LIST');
      expect(last).toMatchObject({limit: null, continued: false});
    });

    test('[41] a server that refuses streaming lists is asked for pages in the same round', async () => {
      await using rig = await InformerRig.make(server(), ['a']);
      const code = [400, 422][rig.namespace.length % 2]!;
      rig.proxy.rules = [
        ({query}) => (query.has('sendInitialEvents') ? {kind: 'answer', code, body: {}} : undefined),
      ];
      await rig.synced();
      expect(rig.requests().map(({verb, streaming}) => [verb, streaming])).toEqual([
        ['WATCH', true],
        ['LIST', false],
        ['WATCH', false],
      ]);
    });

    test('[I-02][55] find what is there before, and nothing where there is nothing', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b']);
      const informer = await rig.synced();
      expect(rig.heard().sort()).toEqual(['add a', 'add b']);
      expect(rig.changes.every(change => change.initial)).toBe(true);
      const empty = await rig.synced({scopes: [{namespace: rig.namespace, labelSelector: 'no=such'}]});
      expect(empty.hasSynced()).toBe(true);
      expect(empty.cache.size).toBe(0);
      expect(informer.state.phase).toBe('synced');
    });

    test('[42] a streaming list that breaks leaves the old content in sight and starts afresh', async () => {
      await using rig = await InformerRig.make(server(), ['a', 'b', 'c']);
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
      await using rig = await InformerRig.make(server(), ['a']);
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
}
