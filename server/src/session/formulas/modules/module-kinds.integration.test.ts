// Other collections of a graph module: maps, merges, statuses, indexes. Each run is repeated with the build that ran.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../../../engine/testing-engine.ts';
import {TestInstance} from '../../../start/testing-instance.ts';
import {queryInstance} from '../testing-queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-graph-'));
let instance: TestInstance;

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--graph', folder]);
  await instance.ready();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

const {graph, node, rows} = queryInstance(() => instance);

test('maps and merges of a module: rows as they should be, anew on a save, and one that never ends fails alone', async () => {
  const file = join(folder, 'views.graph.ts');
  const views = (
    ports: string,
  ) => `import {joinWithMergeCollection, mapCollection, newCollection} from 'krtscope/krt';
export function build({collection}: any) {
  const services = collection('Services');
  const ports = mapCollection(services, service => ({ports: ${ports}}), {name: 'PortCounts'});
  const names = newCollection(services, (ctx, service) => ({named: service.metadata.name}), {name: 'JustNames'});
  joinWithMergeCollection([ports, names], items => Object.assign({}, ...items), {name: 'Whole'});
}
`;
  const services = await rows('Services');
  const wanted = (times: number) =>
    services.map(({key, value}) => {
      const {metadata, spec} = value as {metadata: {name: string}; spec: {ports?: unknown[]}};
      return [key, {ports: (spec.ports?.length ?? 0) * times, named: metadata.name}];
    });
  const whole = async () => (await rows('Whole')).map(({key, value}) => [key, value]);
  const settled = (times: number) =>
    until(async () => {
      if ((await node('Whole'))?.synced !== true) return undefined;
      return JSON.stringify(await whole()) === JSON.stringify(wanted(times)) ? true : undefined;
    });
  writeFileSync(file, views('(service.spec.ports?.length ?? 0)'));
  await settled(1);
  expect([(await node('PortCounts'))?.kind, (await node('Whole'))?.kind]).toEqual(['map', 'join']);
  writeFileSync(file, views('(service.spec.ports?.length ?? 0) * 10'));
  await settled(10);
  writeFileSync(file, views('(() => { for (;;); })()'));
  await until(async () => ((await node('PortCounts'))?.failed === services.length ? true : undefined));
  expect((await rows('JustNames')).length).toBe(services.length);
  writeFileSync(file, views('(service.spec.ports?.length ?? 0) * 2'));
  await settled(2);
  rmSync(file);
  await until(async () => ((await node('Whole')) === undefined ? true : undefined));
});

test('a status beside the outputs: rows of its own, swapped with them, read by others', async () => {
  const file = join(folder, 'statuses.graph.ts');
  const text = (
    factor: number,
  ) => `import {fetch, newSingleton, newStatusCollection, newStatusManyCollection} from 'krtscope/krt';
export function build({engine, collection}: any) {
  const services = collection('Services');
  const portsOf = (service: any) => service.spec.ports ?? [];
  const [statuses] = newStatusCollection(
    services,
    (ctx, service) => {
      if (service.spec.clusterIP === 'None') ctx.discardResult();
      return [{ports: portsOf(service).length * ${factor}}, {factor: ${factor}}];
    },
    {name: 'Named'},
  );
  newStatusManyCollection(
    services,
    (ctx, service) => [
      undefined,
      portsOf(service).map((port: any) => ({key: [service.metadata.name, port.port].join(':')})),
    ],
    {name: 'Numbered'},
  );
  newSingleton(engine, ctx => ({ports: fetch(ctx, statuses).reduce((n, row) => n + row.status.ports, 0)}), {
    name: 'AllPorts',
  });
}
`;
  const services = (await rows('Services')).map(({key, value}) => ({
    key,
    value: value as {spec: {ports?: unknown[]; clusterIP?: string}},
  }));
  const countOf = ({value}: (typeof services)[number]) => value.spec.ports?.length ?? 0;
  const all = services.reduce((n, one) => n + countOf(one), 0);
  const total = async () => ((await rows('AllPorts'))[0]?.value as {ports: number} | undefined)?.ports;
  writeFileSync(file, text(1));
  await until(async () => ((await total().catch(() => 0)) === all ? true : undefined));
  expect((await node('Named/status'))?.kind).toBe('status');
  expect((await rows('Named/status')).map(({key, value}) => [key, value])).toEqual(
    services.map(one => [one.key, {obj: one.value, status: {ports: countOf(one)}}]),
  );
  expect((await rows('Numbered')).length).toBe(all);
  expect(await rows('Numbered/status')).toEqual([]);
  writeFileSync(file, text(10));
  await until(async () => ((await total()) === all * 10 ? true : undefined));
  // A run that discards its output still sets its status.
  expect((await rows('Named')).map(({key, value}) => [key, value])).toEqual(
    services.map(({key, value}) => [key, {factor: value.spec.clusterIP === 'None' ? 1 : 10}]),
  );
  expect(services.filter(({value}) => value.spec.clusterIP === 'None')).not.toEqual([]);
  rmSync(file);
  await until(async () => ((await node('Named/status')) === undefined ? true : undefined));
  expect(await node('Named')).toBeUndefined();
});

test('a run is repeated with the build that ran, after another has taken its place', async () => {
  const file = join(folder, 'builds.graph.ts');
  const text = (
    path: string,
    times: number,
  ) => `import {fetch, filterIndex, joinWithMergeCollection, newCollection, newIndex} from 'krtscope/krt';
export function build({collection}: any) {
  const read = newCollection(collection('Nodes'), (ctx, node) => ({v: node.${path}, n: 1}), {name: 'Read'});
  joinWithMergeCollection([read], ([one]) => ({n: one.n * ${times}}), {name: 'Times'});
  const byName = newIndex(collection('Nodes'), 'name', node => [node.metadata.name]);
  newCollection(
    collection('Nodes'),
    (ctx, node) => ({n: fetch(ctx, collection('Nodes'), filterIndex(byName, node.metadata.name)).length * ${times}}),
    {name: 'Looked'},
  );
}
`;
  const times = async () => ((await rows('Times').catch(() => []))[0]?.value as {n: number} | undefined)?.n;
  writeFileSync(file, text('metadata.name', 1));
  await until(async () => ((await times()) === 1 ? true : undefined));
  const {sequence} = await graph();
  // A build and another module may have an index of the same name over foreign collections.
  const looked = async (name: string) =>
    new Set((await rows(name).catch(() => [])).map(({value}) => (value as {n: number}).n));
  expect(await looked('Looked')).toEqual(new Set([1]));
  writeFileSync(file, text('kind', 10));
  await until(async () => ((await times()) === 10 ? true : undefined));
  expect(await looked('Looked')).toEqual(new Set([10]));
  const twin = join(folder, 'twin.graph.ts');
  writeFileSync(twin, text('kind', 3).replaceAll(/'(Read|Times|Looked)'/g, "'Twin$1'"));
  await until(async () => ((await looked('TwinLooked')).has(3) ? true : undefined));
  expect([(await node('Looked'))?.failed, (await node('TwinLooked'))?.failed]).toEqual([0, 0]);
  rmSync(twin);
  const key = encodeURIComponent((await rows('Nodes'))[0]?.key ?? '');
  const readAt = async (at: string) =>
    (await instance.json<{reads: {paths: string[]}[]}>(`/api/v1/fields/Read/${key}${at}`)).reads.flatMap(
      ({paths}) => paths,
    );
  expect(await readAt('')).toEqual(['kind']);
  expect(await readAt(`?at=${sequence}`)).toEqual(['metadata.name']);
  const {steps} = await instance.json<{steps: {collection: string; evidence: {repeat?: string}}[]}>(
    `/api/v1/origin/Times/${key}?field=n&at=${sequence}`,
  );
  expect(steps.map(({collection, evidence}) => [collection, evidence.repeat])).toContainEqual([
    'Times',
    'same',
  ]);
  rmSync(file);
  await until(async () => ((await node('Times')) === undefined ? true : undefined));
});

test('an index of a module as a collection: one row for each key', async () => {
  const file = join(folder, 'groups.graph.ts');
  const groups = (path: string) => `import {newCollection, newIndex} from 'krtscope/krt';
export function build({collection}: GraphModule) {
  const byNode = newIndex(collection('Pods'), 'groups', (pod: any) => [pod.${path} ?? 'none']);
  const groups = byNode.asCollection({name: 'PodGroups'});
  newCollection(groups, (ctx, group) => ({pods: group.objects.length}), {name: 'GroupSizes'});
}
`;
  const pods = (await rows('Pods')).map(
    ({value}) => value as {spec: {nodeName?: string}; metadata: {namespace: string}},
  );
  const sizes = async () =>
    Object.fromEntries((await rows('GroupSizes')).map(({key, value}) => [key, value]));
  const expected = (keyOf: (pod: (typeof pods)[number]) => string) =>
    Object.fromEntries([...Map.groupBy(pods, keyOf)].map(([key, all]) => [key, {pods: all.length}]));
  const become = (wanted: object) =>
    until(async () => {
      const found = await sizes();
      return Object.keys(found).length > 0 && isDeepStrictEqual(found, wanted) ? true : undefined;
    });
  writeFileSync(file, groups('spec.nodeName'));
  await become(expected(pod => pod.spec.nodeName ?? 'none'));
  expect((await node('PodGroups'))?.kind).toBe('index');
  writeFileSync(file, groups('metadata.namespace'));
  await become(expected(pod => pod.metadata.namespace));
  rmSync(file);
  await until(async () => ((await node('PodGroups')) === undefined ? true : undefined));
});
