// krt and controllers together, on a real API: a derived collection of desired objects, kept by an apply controller.
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type EmbeddedCluster, startCluster} from '../../src/cluster/start.ts';
import {
  createEngine,
  fetch,
  newCollection,
  newStaticCollection,
  type StaticCollection,
} from '../../src/krt/index.ts';
import {DynamicClient} from '../../src/kube/client/dynamic-client.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {resources} from '../../src/kube/resource.ts';
import {
  type Applied,
  type ApplyController,
  applyController,
  ConfigMap,
  collectionSource,
  controllerFor,
  createManager,
  type Manager,
  Secret,
  silentLogger,
  type types,
} from '../../src/runtime/index.ts';
import {eventually} from '../manual-clock.ts';

interface Team {
  key: string;
  people: number;
}

let cluster: EmbeddedCluster;
let server: DynamicClient;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  cluster = await startCluster({shop: false, pace: 0, controllers: false});
  server = new DynamicClient(cluster.wire);
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await cluster.stop();
});

async function run(manager: Manager): Promise<void> {
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  ends.push(() => {
    stop.abort();
    return ended;
  });
  await manager.elected;
}

interface More {
  force?: boolean;
  teams?: Team[];
  owner?: (row: types.ConfigMap) => KubeObject | undefined;
}

async function program(enabled: boolean, more: More = {}) {
  const engine = createEngine();
  const teams: StaticCollection<Team> = newStaticCollection(
    engine,
    more.teams ?? [
      {key: 'red', people: 3},
      {key: 'blue', people: 5},
    ],
    {name: 'Teams'},
  );
  const desired = newCollection(
    teams,
    (_ctx, team): types.ConfigMap => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {namespace: 'default', name: `team-${team.key}`},
      data: {people: String(team.people)},
    }),
    {name: 'Desired'},
  );
  const status: StaticCollection<Applied> = newStaticCollection(engine, [], {name: 'Applied'});
  const manager = await createManager({
    transport: cluster.wire,
    log: silentLogger,
    metrics: {bindAddress: '0'},
    gracefulShutdownTimeout: 0,
    report: false,
  });
  const kinds = [ConfigMap, Secret];
  const apply: ApplyController = await applyController(manager, {
    name: 'teams',
    desired,
    kinds,
    status,
    enabled,
    force: more.force,
    owner: more.owner,
  });
  return {engine, teams, desired, status, manager, apply};
}

const maps = async () => {
  const {items} = await server.list(resources.ConfigMaps, {
    namespace: 'default',
    labelSelector: 'krtscope.dev/applied-by=teams',
  });
  return Object.fromEntries(items.map(one => [one.metadata.name, (one.data as {people: string}).people]));
};
const until = (what: string, holds: () => boolean | Promise<boolean>) => eventually(what, holds, {every: 5});
const said = (rows: Applied[]) => rows.map(({name, state}) => `${name} ${state}`).sort();

test('until it is enabled it says what it would do, with the difference, and writes nothing', async () => {
  const {status, manager, apply} = await program(false);
  const before = cluster.api.storage.revision;
  await run(manager);
  await until('both are told', () => status.list().length === 2);
  expect(said(status.list())).toEqual(['team-blue would-create', 'team-red would-create']);
  expect(status.getKey('default/team-red')?.difference[0]?.new).toMatchObject({data: {people: '3'}});
  expect(cluster.api.storage.revision).toBe(before);
  apply.enable();
  await until('both are there', async () => Object.keys(await maps()).length === 2);
  await until('both are told', () => status.list().every(one => one.state === 'applied'));
});

test('what the collection has is applied, changed and pruned; a stranger’s edit is put right', async () => {
  const {teams, status, manager} = await program(true);
  await run(manager);
  await until('applied', async () => (await maps())['team-red'] === '3');
  teams.updateObject({key: 'red', people: 4});
  await until('changed', async () => (await maps())['team-red'] === '4');
  const red = {namespace: 'default', name: 'team-red'};
  await server.patch(
    resources.ConfigMaps,
    red,
    {metadata: {annotations: {'krtscope.dev/row': 'default/team-red', x: 'y'}}},
    {type: 'merge'},
  );
  await server.delete(resources.ConfigMaps, red);
  await until('made again', async () => (await maps())['team-red'] === '4');
  teams.deleteObject('blue');
  await until('pruned', async () => JSON.stringify(await maps()) === '{"team-red":"4"}');
  await until('told no more', () => said(status.list()).join() === 'team-red applied');
});

test('what an earlier life of the program left behind is pruned, and what is not its own stays', async () => {
  const first = await program(true);
  await run(first.manager);
  await until('applied', async () => Object.keys(await maps()).length === 2);
  await ends.pop()?.();
  await server.create(resources.ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'default', name: 'stranger'},
  });
  const second = await program(true, {teams: [{key: 'red', people: 3}]});
  await run(second.manager);
  await until('pruned', async () => JSON.stringify(await maps()) === '{"team-red":"3"}');
  expect(await server.get(resources.ConfigMaps, {namespace: 'default', name: 'stranger'})).toBeDefined();
});

test('a field that another owns is a conflict that names the other, unless it is forced', async () => {
  const theirs = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {namespace: 'default', name: 'team-red'},
    data: {people: '9'},
  };
  await server.apply(resources.ConfigMaps, theirs, {fieldManager: 'somebody'});
  const {status, manager} = await program(true);
  await run(manager);
  await until('told', () => status.getKey('default/team-red')?.state === 'conflict');
  expect(status.getKey('default/team-red')?.error).toContain('conflict with "somebody"');
  expect((await maps())['team-red']).toBeUndefined();
  await ends.pop()?.();
  const forced = await program(true, {force: true});
  await run(forced.manager);
  await until('taken over', async () => (await maps())['team-red'] === '3');
  expect(forced.status.getKey('default/team-red')?.difference).toContainEqual({
    path: 'data.people',
    old: '9',
    new: '3',
  });
});

test('an owner that is given controls the objects, which go with it; what another controls is left alone', async () => {
  const make = (name: string, more: object = {}) =>
    server.create(resources.ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {namespace: 'default', name, ...more},
    });
  const owner = {...(await make('club')), apiVersion: 'v1', kind: 'ConfigMap'};
  const other = await make('rival');
  const {uid = ''} = other.metadata;
  await make('team-blue', {
    ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'rival', uid, controller: true}],
  });
  const {status, manager, teams, apply} = await program(false, {owner: () => owner});
  await run(manager);
  const blue = () => status.getKey('default/team-blue');
  await until('both are told, as a dry run', () => status.list().length === 2);
  expect(blue()?.error).toBe(
    'Object default/team-blue is already owned by another ConfigMap controller rival',
  );
  expect(status.getKey('default/team-red')?.difference[0]?.new).toMatchObject({
    metadata: {ownerReferences: [{name: 'club', uid: owner.metadata.uid, controller: true}]},
  });
  apply.enable();
  await until('applied', async () => (await maps())['team-red'] === '3');
  const red = await server.get(resources.ConfigMaps, {namespace: 'default', name: 'team-red'});
  expect(red.metadata.ownerReferences).toEqual([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'club',
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(blue()?.state).toBe('failed');
  teams.updateObject({key: 'red', people: 9});
  await until('changed, with one owner', async () => (await maps())['team-red'] === '9');
  const again = await server.get(resources.ConfigMaps, {namespace: 'default', name: 'team-red'});
  expect(again.metadata.ownerReferences).toHaveLength(1);
});

test('at rest it asks for nothing: an apply that changes nothing leads to no other', async () => {
  const {manager, status} = await program(true);
  await run(manager);
  await until('applied', () => status.list().filter(one => one.state === 'applied').length === 2);
  let turns = 0;
  let revision = cluster.api.storage.revision;
  await until('quiet', () => {
    turns = cluster.api.storage.revision === revision ? turns + 1 : 0;
    revision = cluster.api.storage.revision;
    return turns > 30;
  });
  expect(manager.controllers[0]?.view()).toMatchObject({ready: [], inFlight: [], delayed: []});
});

test('a krt collection wakes a controller, for the row as it was and as it is', async () => {
  const {teams, manager} = await program(false);
  const large = newCollection(
    teams,
    (ctx, team) => {
      const all = fetch(ctx, teams).length;
      return team.people > 3 ? {key: team.key, all} : undefined;
    },
    {name: 'Large'},
  );
  const seen: string[] = [];
  controllerFor(manager)
    .named('large')
    .watchesRaw(collectionSource(large, row => [{name: row.key}]))
    .complete(({name}) => {
      seen.push(`${name} ${large.getKey(name) ? 'is' : 'is not'}`);
    });
  await run(manager);
  await until('the first', () => seen.includes('blue is'));
  teams.updateObject({key: 'blue', people: 1});
  await until('it is gone', () => seen.at(-1) === 'blue is not');
  expect(seen.filter(one => one.startsWith('red'))).toEqual([]);
});
