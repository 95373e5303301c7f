import {expect, test} from 'vitest';
import {newCollection} from '../../../krt/index.ts';
import {LiveGraph, shippedGraph} from './live-graph.ts';

const put = (collection: string, object: {metadata: {name: string; namespace?: string}}) => ({
  collection,
  key:
    object.metadata.namespace === undefined
      ? object.metadata.name
      : `${object.metadata.namespace}/${object.metadata.name}`,
  event: 'update' as const,
  new: object,
  received: Date.now(),
});

function live() {
  const sequences: number[] = [];
  const graph = new LiveGraph({
    firstSequence: 10,
    sources: [],
    graph: shippedGraph,
    onTrace: trace => sequences.push(trace.sequence),
    recorder: () => ({share: 0, heap: 0}),
  });
  return {graph, sequences};
}

test('a source that is not synced holds back what is built on it, by name', () => {
  const {graph} = live();
  for (const name of shippedGraph.sources)
    if (name !== 'Pods') graph.report(name, {state: 'synced', synced: true});
  graph.report('Pods', {
    state: 'forbidden',
    synced: false,
    reason: 'pods is forbidden',
    hint: 'kubectl auth can-i list pods',
  });
  expect(graph.fact('Pods')).toMatchObject({
    kind: 'source',
    synced: false,
    state: 'forbidden',
    reason: 'pods is forbidden',
  });
  expect(graph.fact('Workloads')).toMatchObject({synced: false, waitingFor: 'Pods'});
  expect(graph.fact('SliceEndpoints')).toMatchObject({synced: true});
});

test('a kind that is not installed counts as synced and empty', () => {
  const {graph} = live();
  for (const name of shippedGraph.sources) {
    graph.report(
      name,
      name === 'NetworkPolicies' ? {state: 'not installed', synced: false} : {state: 'synced', synced: true},
    );
  }
  expect(graph.fact('NetworkPolicies')).toMatchObject({synced: true, state: 'not installed'});
  expect(graph.collections().every(({synced}) => synced)).toBe(true);
});

test('the same write again is no batch, and objects come in frozen', () => {
  const {graph, sequences} = live();
  const node = (resourceVersion: string) =>
    put('Nodes', {metadata: {name: 'n', uid: 'u', resourceVersion} as never});
  graph.apply([node('1')]);
  const count = sequences.length;
  graph.apply([node('1')]);
  expect(sequences.length).toBe(count);
  graph.apply([node('2')]);
  expect(sequences.length).toBe(count + 1);
  expect(sequences[0]).toBe(11);
});

test('a second collection of one name gets #2, in the facts and in what is recorded', () => {
  const published: string[] = [];
  const graph = new LiveGraph({
    firstSequence: 0,
    sources: [],
    graph: {
      sources: ['Pods'],
      build: (_engine, source) => {
        for (const times of [1, 2]) {
          newCollection(source('Pods'), (_ctx, pod) => ({...(pod as {metadata: object}), times}), {
            name: 'Copies',
          });
        }
      },
    },
    onTrace: trace => published.push(...trace.published.map(({collection}) => collection)),
    recorder: () => ({share: 0, heap: 0}),
  });
  graph.report('Pods', {state: 'synced', synced: true});
  graph.apply([put('Pods', {metadata: {namespace: 'a', name: 'b'}})]);
  expect(graph.collections().map(({name}) => name)).toEqual(['Pods', 'Copies', 'Copies#2']);
  expect(graph.fact('Copies#2')?.parents).toEqual(['Pods']);
  expect(published.sort()).toEqual(['Copies', 'Copies#2', 'Pods', 'krtscope:sources']);
});
