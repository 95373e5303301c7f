// A large first list and a large replay: other questions are answered, the progress shows, and nothing is synced too
// early.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import {afterEach, expect, test} from 'vitest';
import type {SourceChange} from './link/engine-link.ts';
import {openRecording} from './supervisor/start-engine.ts';
import {ask, engineFor, put, type TestEngine, until, waitForRestart} from './testing-engine.ts';

const PODS = 4000;
let engine: TestEngine | undefined;
afterEach(async () => engine?.stop());

function pod(n: number): SourceChange {
  return put('Pods', {
    kind: 'Pod',
    metadata: {namespace: 'shop', name: `web-${n}`, labels: {app: `a${n % 40}`}},
    status: {phase: 'Running', podIP: '10.0.0.1'},
  });
}

const nodeOf = (graph: Graph, name: string) => graph.collections.find(one => one.name === name);

test('a first list goes in slices: progress in between, synced only when whole, and again after a death', async () => {
  engine = engineFor();
  const first = engine;
  for (const name of Object.keys(shippedSources))
    if (name !== 'Pods') first.sourceState(name, {state: 'synced', synced: true});
  first.apply([
    put('Namespaces', {metadata: {name: 'shop'}}),
    put('Services', {metadata: {namespace: 'shop', name: 's'}, spec: {selector: {app: 'a1'}}}),
  ]);
  // One list, as a streaming reflector passes it on.
  first.apply(Array.from({length: PODS}, (_, n) => pod(n)));
  first.sourceState('Pods', {state: 'synced', synced: true});
  const seen: {done: number; synced: boolean}[] = [];
  const whole = await until(async () => {
    const node = nodeOf(await ask<Graph>(first, {ask: 'graph'}), 'Workloads');
    if (node?.progress !== undefined) seen.push({done: node.progress.done, synced: node.synced});
    return node?.synced ? node : undefined;
  }, 60_000);
  expect(whole.size).toBe(PODS);
  expect(whole.progress).toBeUndefined();
  const between = seen.filter(({done}) => done > 0 && done < PODS);
  expect(between.length).toBeGreaterThan(0);
  expect(between.every(({synced}) => !synced)).toBe(true);
  const services = await until(async () => {
    const {items} = await ask<Items>(first, {ask: 'items', collection: 'ServiceInfos'});
    return items.length === 1 ? items : undefined;
  });
  expect(services[0]?.value).toMatchObject({pods: PODS / 40});

  const before = first.sequence;
  const back = waitForRestart(first);
  process.kill(first.pid, 'SIGKILL');
  await back;
  const graph = await ask<Graph>(first, {ask: 'graph'});
  // After the restart the replay is complete: no answer shows half of it.
  expect(nodeOf(graph, 'Workloads')).toMatchObject({size: PODS, synced: true});
  expect(nodeOf(graph, 'Backends')).toMatchObject({synced: true});
  expect(graph.sequence).toBeGreaterThan(before);
  await until(async () => {
    const past = await ask<Items>(first, {ask: 'items', collection: 'Workloads', at: before});
    return past.total === PODS ? past : undefined;
  });
});

test('the debug document and the export go in slices: others are answered meanwhile, and both are whole', async () => {
  engine = engineFor();
  const first = engine;
  for (const name of Object.keys(shippedSources)) first.sourceState(name, {state: 'synced', synced: true});
  first.apply([
    put('Namespaces', {metadata: {name: 'shop'}}),
    ...Array.from({length: PODS}, (_, n) => pod(n)),
  ]);
  await until(async () => {
    const node = nodeOf(await ask<Graph>(first, {ask: 'graph'}), 'Workloads');
    return node?.size === PODS ? node : undefined;
  }, 60_000);
  // Counts the answers to other questions during the two slow ones.
  let answered = 0;
  let busy = true;
  const others = (async () => {
    for (; busy; answered++) await ask(first, {ask: 'kept'});
  })();
  let text = '';
  let pieces = 0;
  for await (const piece of first.krtz(2)) {
    text += piece;
    pieces += 1;
  }
  const between = answered;
  const bytes = await first.export();
  busy = false;
  await others;
  expect(pieces).toBeGreaterThan(3);
  expect(between).toBeGreaterThan(3);
  expect(answered - between).toBeGreaterThan(3);
  const document = JSON.parse(text) as {name: string; state: {outputs?: object; inputs?: object}}[];
  const workloads = document.find(({name}) => name === 'Workloads')?.state;
  expect(Object.keys(workloads?.outputs ?? {})).toHaveLength(PODS);
  expect(Object.keys(workloads?.inputs ?? {})).toHaveLength(PODS);
  expect(text).toBe(JSON.stringify(document, null, 2));

  const shares: number[] = [];
  const onOpening = (share: number) => shares.push(share);
  const opened = await openRecording(bytes, {name: 'file', memoryMb: 512, onOpening});
  try {
    // The progress was reported on the way.
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.every(share => share > 0 && share <= 1)).toBe(true);
    expect(await ask<Items>(opened, {ask: 'items', collection: 'Workloads'})).toMatchObject({total: PODS});
    let again = '';
    for await (const piece of opened.krtz(2)) again += piece;
    expect(again).toBe(text);
  } finally {
    await opened.stop();
  }
});

test('lists, windows and sheets that are sorted and filtered, and checks of the past, go in slices: others are answered meanwhile', async () => {
  engine = engineFor();
  const first = engine;
  for (const name of Object.keys(shippedSources)) first.sourceState(name, {state: 'synced', synced: true});
  first.apply([
    put('Namespaces', {metadata: {name: 'shop'}}),
    ...Array.from({length: PODS * 3}, (_, n) => pod(n)),
  ]);
  await until(async () => {
    const node = nodeOf(await ask<Graph>(first, {ask: 'graph'}), 'Workloads');
    return node?.size === PODS * 3 ? node : undefined;
  }, 60_000);
  const at = first.sequence;
  for (const question of [
    {ask: 'items', collection: 'Pods', sort: '-metadata.name', q: 'web', limit: 1000},
    {ask: 'checks', at},
    {ask: 'window', collection: 'Pods', sort: '-metadata.name', q: 'web', offset: 0, count: 100},
    {ask: 'sheet', root: 'Pods', sort: '-metadata.name', q: 'web', offset: 0, count: 100},
  ] as const) {
    const order: string[] = [];
    const asked = ask<object>(first, question).then(() => order.push('long'));
    // Asked later and answered earlier.
    await ask(first, {ask: 'kept'}).then(() => order.push('short'));
    await asked;
    expect([question.ask, ...order]).toEqual([question.ask, 'short', 'long']);
  }
});

test('a document that is cut off by a death fails and does not begin anew in the middle', async () => {
  engine = engineFor();
  const first = engine;
  first.apply(Array.from({length: PODS}, (_, n) => pod(n)));
  first.sourceState('Pods', {state: 'synced', synced: true});
  await until(async () => {
    const node = nodeOf(await ask<Graph>(first, {ask: 'graph'}), 'Pods');
    return node?.size === PODS ? node : undefined;
  }, 60_000);
  const text = first.krtz()[Symbol.asyncIterator]();
  await text.next();
  const back = waitForRestart(first);
  process.kill(first.pid, 'SIGKILL');
  await back;
  await expect(text.next()).rejects.toMatchObject({code: 'engine-restarting'});
});
