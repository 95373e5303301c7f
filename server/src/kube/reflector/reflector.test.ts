// The reflector on a scripted client: which request follows which answer. test/reflector has the same on real servers
// through a proxy.

import {Readable} from 'node:stream';
import {expect, test} from 'vitest';
import {eventually, ManualClock} from '../../../test/manual-clock.ts';
import type {DynamicClient, ListOptions, WatchOptions} from '../client/dynamic-client.ts';
import {ApiError} from '../error.ts';
import {Informer} from '../informer/informer.ts';
import type {KubeList} from '../object.ts';
import {resources} from '../resource.ts';

const expired = new ApiError(410, 'too old resource version');

interface Server {
  list(options: ListOptions, nth: number): KubeList | ApiError;
  watch?(nth: number): ApiError | undefined;
  /** Every watch ends at once. */
  ends?: boolean;
}

function page(version: string, names: string[], more?: string): KubeList {
  const items = names.map(name => ({metadata: {name, namespace: 'n', uid: name, resourceVersion: '1'}}));
  return {metadata: {resourceVersion: version, ...(more ? {continue: more} : {})}, items} as KubeList;
}

function rig(server: Server, pageSize?: number) {
  const clock = new ManualClock();
  const lists: ListOptions[] = [];
  const watches: WatchOptions[] = [];
  const client = {
    list: async (_: unknown, options: ListOptions) => {
      lists.push(options);
      const answer = server.list(options, lists.length);
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
    watch: async (_: unknown, options: WatchOptions) => {
      watches.push(options);
      const refused = server.watch?.(watches.length);
      if (refused) throw refused;
      const body = server.ends ? Readable.from([]) : new Readable({read() {}});
      options.signal?.addEventListener('abort', () => body.destroy());
      return {code: 200, headers: {}, warnings: [], body};
    },
  } as unknown as DynamicClient;
  const informer = new Informer({client, resource: resources.ConfigMaps, clock, streaming: false, pageSize});
  const heard: string[] = [];
  const told: string[] = [];
  informer.addHandler({
    onChange: ({event, key}) => void heard.push(`${event} ${key}`),
    onState: ({phase, reason}) => void told.push(`${phase}: ${reason}`),
  });
  informer.start();
  return {clock, informer, lists, watches, heard, told};
}

test('[23] a page that expired becomes one whole list, and one that expired too at once a list of the newest', async () => {
  const {informer, lists, heard} = rig(
    {
      list: ({continue: more, resourceVersion}, nth) => {
        if (nth === 1) return page('100', ['a'], 'more');
        return more || resourceVersion ? expired : page('105', ['a', 'b']);
      },
    },
    1,
  );
  // The clock stands still, so nothing comes from a timer.
  await informer.waitForSync(AbortSignal.timeout(20_000));
  const asked = lists.map(({resourceVersion, limit, continue: more}) => [resourceVersion, limit, more]);
  expect(asked).toEqual([
    ['0', 1, undefined],
    [undefined, 1, 'more'],
    ['0', undefined, undefined],
    [undefined, undefined, undefined],
  ]);
  expect(heard).toEqual(['add n/a', 'add n/b']);
  await informer.stop();
});

test('[25] a watch begins where the list ended, asks for bookmarks, and for five to ten minutes', async () => {
  const lasted = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const {informer, watches, clock} = rig({list: () => page('100', ['a'])});
    for (let skipped = 0; skipped < round; skipped++) clock.random();
    await eventually('a watch', () => watches.length === 1);
    const [watch] = watches;
    expect(watch).toMatchObject({resourceVersion: '100', allowWatchBookmarks: true});
    lasted.add(watch!.timeoutSeconds!);
    await informer.stop();
  }
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(300);
  expect(Math.max(...lasted)).toBeLessThanOrEqual(600);
  expect(lasted.size).toBeGreaterThan(5);
});

test('[33] a list that is forbidden stays forbidden while it is asked again, until the server answers', async () => {
  const refused = new ApiError(403, 'configmaps is forbidden: cannot list');
  const {clock, informer, lists, told} = rig({list: (_, nth) => (nth < 4 ? refused : page('9', ['a']))});
  for (let round = 1; round < 4; round++) {
    await eventually('a wait', () => lists.length === round && clock.waits().length === 1);
    expect(told.at(-1)).toMatch(/^forbidden: you may not list/);
    clock.advance(clock.waits()[0]!);
  }
  await informer.waitForSync(AbortSignal.timeout(20_000));
  const phases = told.map(text => text.split(':')[0]);
  const first = phases.indexOf('forbidden');
  expect(phases.slice(first, first + 3)).toEqual(['forbidden', 'forbidden', 'forbidden']);
  await informer.stop();
});

test('[33] a watch that is forbidden is told and listed again, for ever; handlers hear of nothing', async () => {
  const forbidden = new ApiError(403, 'configmaps is forbidden: cannot watch');
  const {informer, lists, watches, heard, told, clock} = rig({
    list: (_, nth) => page(String(100 + nth), nth < 6 ? ['a'] : ['a', 'b']),
    watch: nth => (nth < 7 ? forbidden : undefined),
  });
  for (let round = 1; round <= 6; round++) {
    await eventually('a wait', () => watches.length === round && clock.waits().length === 1);
    expect(lists).toHaveLength(round);
    expect(heard).toEqual(round < 6 ? ['add n/a'] : ['add n/a', 'add n/b']);
    expect(told.at(-1)).toMatch(/you may not watch/);
    clock.advance(clock.waits()[0]!);
  }
  await eventually('a watch', () => watches.length === 7);
  await eventually('no more waiting to ask', () => /follows the server/.test(informer.state.reason));
  await informer.stop();
});

test('a server that closes every watch at once is asked less and less often', async () => {
  const {clock, lists} = rig({list: () => page('7', ['a']), ends: true});
  const waits: number[] = [];
  while (waits.length < 4) {
    const asked = lists.length;
    await eventually('a wait', () => clock.waits().some(ms => ms >= 400));
    const wait = Math.min(...clock.waits().filter(ms => ms >= 400));
    waits.push(wait);
    await eventually('another list', () => lists.length > asked, {between: () => clock.advance(50)});
  }
  expect(waits.at(-1)).toBeGreaterThan(2 * (waits[0] ?? 0));
});
