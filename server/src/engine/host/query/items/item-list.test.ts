import type {ItemDetail, Items} from '@krtscope/shared/items.ts';
import type {TraceAnswer} from '@krtscope/shared/run.ts';
import {expect, test} from 'vitest';
import {newCollection} from '../../../../krt/index.ts';
import {
  createTestGraphHost,
  type HostTestObject,
  namespace,
  pod,
  type TestGraphHost,
} from '../testing-graph-host.ts';
import {listSteps} from './item-list.ts';

function pods(names: string[], limits?: {runs: number; megabytes: number}): TestGraphHost {
  const r = createTestGraphHost(undefined, limits);
  r.sync();
  r.write({Namespaces: [namespace('shop')], Pods: names.map(name => pod(name))});
  return r;
}

const page = (r: TestGraphHost, more = {}) =>
  r.ask<Items>({ask: 'items', collection: 'Pods', limit: 2, ...more});
const names = ({items}: Items) => items.map(({key}) => key.replace('shop/', ''));

test('texts sort by their characters, as a script would sort them, both ways', () => {
  const r = pods(['web-10', 'web-2', 'web-1']);
  const sorted = ['web-1', 'web-10', 'web-2'];
  expect(names(page(r, {limit: 9, sort: 'metadata.name'}))).toEqual(sorted);
  expect(names(page(r, {limit: 9, sort: '-metadata.name'}))).toEqual(sorted.toReversed());
  expect(names(page(r, {limit: 9, sort: 'key'}))).toEqual(names(page(r, {limit: 9})));
});

test('a walk whose moment has rolled off goes on where the last item stood, in its own order', () => {
  const r = pods(['a', 'b', 'c', 'd'], {runs: 4, megabytes: 64});
  const first = page(r, {sort: '-metadata.name'});
  expect(names(first)).toEqual(['d', 'c']);
  r.write({Pods: ['shop/c']});
  for (let i = 0; i < 20; i++)
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': String(i)})]});
  expect(r.records.oldest()).toBeGreaterThan(first.sequence);
  expect(names(page(r, {sort: '-metadata.name', cursor: first.cursor}))).toEqual(['b', 'a']);
});

test('a trace goes on from its cursor although the moment where it began has rolled off', () => {
  const r = pods(['a', 'b', 'c'], {runs: 60, megabytes: 64});
  const change = (i: number) =>
    r.write({Namespaces: [namespace('shop', {'istio.io/use-waypoint': String(i)})]});
  const began = r.records.newest();
  for (let i = 0; i < 3; i++) change(i);
  const trace = (more = {}) => r.ask<TraceAnswer>({ask: 'trace', since: began, limit: 8, ...more});
  const {cursor} = trace();
  for (let i = 3; r.records.oldest() <= began + 1; i++) change(i);
  expect(() => trace()).toThrow(/nearest kept/);
  expect(trace({cursor}).runs.length).toBeGreaterThan(0);
  expect(() => trace({cursor: '1.0'})).toThrow(/nearest kept/);
});

test('the outputs of an input come in the order of their keys', () => {
  const r = pods(['a']);
  const ports = [443, 80].map(port => ({name: `p${port}`, port}));
  const endpoints = [{addresses: ['10.0.0.9', '10.0.0.1'], conditions: {ready: true}}];
  const labels = {'kubernetes.io/service-name': 'web'};
  const slice = {metadata: {name: 'web-1', namespace: 'shop', labels}, ports, endpoints};
  r.write({EndpointSlices: [slice]});
  const {outputs, value} = r.ask<ItemDetail>({
    ask: 'item',
    collection: 'SliceEndpoints',
    key: 'shop/web-1',
    input: true,
  });
  // An input has no value, on the stream as over HTTP.
  expect(value).toBeNull();
  expect(outputs.length).toBeGreaterThan(1);
  expect(outputs).toEqual([...outputs].sort());
});

test('input=1 means the input where a key is both an input and an output of another', () => {
  const next: Record<string, string> = {a: 'b', b: 'c'};
  const r = createTestGraphHost({
    sources: ['Pods'],
    build: (_, source) => {
      newCollection(
        source('Pods'),
        (_ctx, one) => ({
          metadata: {name: next[(one as HostTestObject).metadata.name] ?? 'z', namespace: 'shop'},
        }),
        {name: 'Next'},
      );
    },
  });
  r.sync();
  r.write({Pods: [pod('a'), pod('b')]});
  const about = (ask: 'fields' | 'why-not' | 'item', input?: true) =>
    JSON.stringify(r.ask({ask, collection: 'Next', key: 'shop/b', ...(input ? {input} : {})}));
  for (const ask of ['fields', 'why-not', 'item'] as const) {
    expect(about(ask), ask).toContain('"collection":"Pods","key":"shop/a"');
    expect(about(ask, true), ask).toContain('"collection":"Pods","key":"shop/b"');
    expect(about(ask, true), ask).not.toContain('"collection":"Pods","key":"shop/a"');
  }
});

test('a list that is made in steps while it changes is the list of its end', () => {
  const many = Array.from({length: 900}, (_, n) => `web-${(n * 7919) % 900}`);
  const r = pods(many);
  const question = {collection: 'Pods', sort: '-metadata.name', q: 'web', limit: 1000};
  let steps = 0;
  // Each write comes at another step: while rows are read, sorted, or merged.
  for (const from of [3, 29, 33, 36]) {
    const making = listSteps(r.records, question);
    let made = making.next();
    for (steps = 1; !made.done; made = making.next(), steps++)
      if (steps === from)
        r.write({
          Pods: [pod(`web-new-${from}`), `shop/web-${from}`, pod(`web-${from + 100}`, {app: 'other'})],
        });
    expect(made.value).toEqual(page(r, question));
    expect(names(made.value)).toContain(`web-new-${from}`);
    expect(names(made.value)).not.toContain(`web-${from}`);
  }
  expect(steps).toBeGreaterThan(40);
});
