// The truth harness for answers: random changes on the embedded cluster, and for each of them origin, why, why-not and
// why-empty of rows that it affected and rows that it did not, against a fresh engine without that one write.
// `npm run fuzz:why` goes on for as long as one likes.
import {expect, test} from 'vitest';
import {BatchTruth, rowView} from './truth/batch-truth.ts';
import type {Objects} from './truth/expected-rows.ts';
import {play, summaryText} from './truth/run-changes.ts';

const pod = (app: string, more: object = {}) => ({
  metadata: {name: 'a', namespace: 'shop', labels: {app}, ...more},
  status: {phase: 'Running', podIP: '10.0.0.1'},
});

test('the judge knows which write and which path made the difference', () => {
  const service = {metadata: {name: 'web', namespace: 'shop'}, spec: {selector: {app: 'web'}}};
  const objects: Objects = new Map([
    ['Pods', new Map([['shop/a', pod('web')]])],
    ['Services', new Map([['shop/web', service]])],
    ['Namespaces', new Map([['shop', {metadata: {name: 'shop'}}]])],
  ]);
  const relabelled = pod('wbe', {annotations: {note: 'x'}});
  const truth = new BatchTruth(1, objects, [
    {collection: 'Pods', key: 'shop/a', old: pod('web'), new: relabelled, managers: []},
    {
      collection: 'ConfigMaps',
      key: 'shop/c',
      old: undefined,
      new: {metadata: {name: 'c', namespace: 'shop'}},
      managers: [],
    },
  ]);
  const view = rowView('WorkloadServices', 'shop/a/web');
  expect(truth.changed(view)).toBe(true);
  expect(truth.right(view).map(one => one.collection)).toEqual(['Pods']);
  const [write] = truth.writes;
  expect(truth.isRightPath(write!, 'metadata.labels.app', view)).toBe(true);
  expect(truth.isRightPath(write!, 'metadata.annotations.note', view)).toBe(false);
  expect(truth.changed(rowView('ServiceInfos', 'shop/other'))).toBe(false);
});

test.for([[1], [2]])(
  'no answer is wrong in 250 random changes, seed %i',
  {timeout: 600_000},
  async ([seed]) => {
    const played = await play(seed!, 250);
    console.log(summaryText(played));
    expect(played.wrong).toEqual([]);
    expect(played.questions).toBeGreaterThan(2000);
  },
);
