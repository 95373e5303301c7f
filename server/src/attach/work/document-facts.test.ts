import {expect, test} from 'vitest';
import {documentChanges} from '../infer/document-change.ts';
import {KrtzStructure} from '../infer/krtz-structure.ts';
import {KrtzReader} from '../krtz-document.ts';
import type {WrittenCollection} from '../testing-documents.ts';
import {DocumentFacts} from './document-facts.ts';

function document(pods: Record<string, unknown>, {synced = true} = {}): KrtzStructure {
  const inputs = Object.fromEntries(
    Object.keys(pods).map(key => [
      key,
      {outputs: key === 'idle' ? [] : [`w/${key}`], dependencies: ['aggregate/Host']},
    ]),
  );
  const outputs = Object.fromEntries(
    Object.keys(pods).flatMap(key => (key === 'idle' ? [] : [[`w/${key}`, 1]])),
  );
  const written: WrittenCollection[] = [
    {name: 'informer/Pods', uid: 1, state: {outputs: pods, synced}},
    {name: 'Workloads', uid: 2, state: {inputCollection: 'informer/Pods', inputs, outputs, synced: true}},
  ];
  return new KrtzStructure(new KrtzReader().read(JSON.stringify(written)));
}

function factsAfter(documents: readonly KrtzStructure[]) {
  const facts = new DocumentFacts();
  for (const [at, one] of documents.entries()) {
    const before = documents[at - 1];
    facts.take(one, before && documentChanges(before, one), at * 1000);
  }
  return facts.factsAt(documents.length * 1000);
}

test('an input without rows is listed where most have some', () => {
  const {withoutOutput} = factsAfter([document({a: 1, b: 1, c: 1, idle: 1})]);
  expect(withoutOutput).toEqual([{collection: 'Workloads', inputs: 4, keys: ['idle']}]);
  expect(factsAfter([document({a: 1, idle: 1})]).withoutOutput).toEqual([]);
});

test('a row that was removed and came back twice comes and goes', () => {
  const [with_, without] = [document({a: 1, b: 1}), document({a: 1})];
  expect(factsAfter([with_, without, with_]).flapping).toEqual([]);
  expect(factsAfter([with_, without, with_, without, with_]).flapping).toEqual([
    {collection: 'informer/Pods', key: 'b', times: 2},
    {collection: 'Workloads', key: 'w/b', times: 2},
  ]);
});

test('sizes follow the changes of rows', () => {
  const {bytes, largest} = factsAfter([document({a: 'x'}), document({a: 'xxxxxxxxxx'})]);
  expect(largest[0]).toEqual({collection: 'informer/Pods', rows: 1, bytes: 12, share: 12 / 13});
  expect(bytes).toBe(13);
  expect(factsAfter([document({a: 'x'}), document({})])).toMatchObject({bytes: 0, largest: []});
});

test('changes are counted by collection, without the first document', () => {
  const {changes, busiest} = factsAfter([document({a: 1}), document({a: 2}), document({a: 3})]);
  expect(changes).toBe(2);
  expect(busiest).toEqual([{collection: 'informer/Pods', changes: 2, share: 1}]);
});

test('names that the document does not have, and collections that are not synced', () => {
  const {absent, notSynced} = factsAfter([document({a: 1}, {synced: false})]);
  expect(absent).toEqual([{name: 'aggregate/Host', readers: ['Workloads']}]);
  expect(notSynced).toEqual(['informer/Pods']);
});
