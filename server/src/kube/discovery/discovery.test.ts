// Discovery of a server with many groups and without aggregation.
import {expect, test} from 'vitest';
import type {RequestOptions, Wire} from '../transport/transport.ts';
import {Discovery} from './discovery.ts';
import {KindAccess} from './kind-access.ts';

function serverOf(groups: number) {
  const paths: string[] = [];
  let open = 0;
  let most = 0;
  const body = (path: string): unknown => {
    if (path === '/api') return {versions: ['v1']};
    if (path === '/apis')
      return {
        groups: Array.from({length: groups}, (_, n) => ({
          name: `g${n}.example.com`,
          versions: [{version: 'v2'}, {version: 'v1'}],
        })),
      };
    const group = /^\/apis\/([^/]+)$/.exec(path)?.[1];
    if (group !== undefined) return {name: group, versions: [{version: 'v2'}, {version: 'v1'}]};
    const version = path.split('/').at(-1);
    return {resources: [{name: `things${version}`, kind: 'Thing', verbs: ['list'], namespaced: true}]};
  };
  const request = async ({path}: RequestOptions) => {
    paths.push(path);
    most = Math.max(most, ++open);
    await new Promise(resolve => setTimeout(resolve, 1));
    open--;
    return {code: 200, headers: {'content-type': 'application/json'}, warnings: [], body: body(path)};
  };
  return {wire: {request} as unknown as Wire, paths, most: () => most};
}

test('never sends more than eight requests at a time, and finds all resources in order', async () => {
  const {wire, most} = serverOf(100);
  const {resources, aggregated} = await new Discovery(wire).served();
  expect(aggregated).toBe(false);
  expect(resources.length).toBe(201);
  expect(resources.slice(1, 4).map(({group, version}) => `${group}/${version}`)).toEqual([
    'g0.example.com/v2',
    'g0.example.com/v1',
    'g1.example.com/v2',
  ]);
  expect(resources.filter(({preferred}) => preferred).length).toBe(101);
  expect(most()).toBeLessThanOrEqual(8);
});

test('ten requests for fresh kinds at the same time share one discovery', async () => {
  const {wire, paths} = serverOf(20);
  const kinds = new KindAccess(wire, [], () => performance.now());
  await Promise.all(Array.from({length: 10}, () => kinds.served({fresh: true})));
  // One round is running when the others ask, and one more round serves all of them.
  expect(paths.length).toBeLessThanOrEqual(2 * 43);
});

test('the resources of one group cost one request for each of its versions', async () => {
  const {wire, paths} = serverOf(300);
  const resources = await new Discovery(wire).inGroup('g7.example.com');
  expect(resources.map(({version, plural}) => `${version} ${plural}`)).toEqual([
    'v2 thingsv2',
    'v1 thingsv1',
  ]);
  expect(paths.length).toBe(3);
});

test('a list of kinds asks for a hundred rights at most, and for none that is known', async () => {
  const {wire, paths, most} = serverOf(60);
  let now = 0;
  const kinds = new KindAccess(wire, [], () => now);
  const rights = () => paths.filter(path => /\/things/.test(path));
  const isKnown = ({group}: {group: string}) => group === 'g7.example.com';
  const {kinds: found} = await kinds.list(isKnown);
  expect(found).toHaveLength(121);
  expect(found.every(({allowed}) => allowed)).toBe(true);
  expect(rights()).toHaveLength(100);
  expect(most()).toBeLessThanOrEqual(8);
  // The next list asks for the rest, and later ones for nothing.
  await kinds.list(isKnown);
  now += 120_000;
  await kinds.list(isKnown);
  expect(new Set(rights()).size).toBe(119);
  expect(rights()).toHaveLength(119);
  expect(rights().some(path => path.includes('g7.'))).toBe(false);
});
