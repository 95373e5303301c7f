import {questionSchema} from '@krtscope/shared/questions.ts';
import {expect, test, vi} from 'vitest';
import {unpackBlocks} from '../link/block-packing.ts';
import type {FromHost, ToHost} from '../link/host-messages.ts';
import {Host} from './host.ts';
import {startOptions} from './testing-start-options.ts';

async function started() {
  const sent: FromHost[] = [];
  const faults: unknown[] = [];
  const host = new Host(
    message => sent.push(message),
    error => faults.push(error),
  );
  const take = (message: ToHost) => host.take(message);
  take({type: 'start', options: startOptions});
  take({type: 'replay', objects: JSON.stringify([['Namespaces', 'shop', {metadata: {name: 'shop'}}]])});
  take({
    type: 'replay-end',
    reports: [['Namespaces', {state: 'synced', synced: true}]],
    rows: [],
    lives: '{"collections":[],"modules":[]}',
  });
  // The objects are applied in slices.
  await vi.waitUntil(() => sent.some(({type}) => type === 'replayed'));
  return {take, sent, faults};
}

const nameOf = (n: number) => `namespace-${n}`;
const apply = (id: number): ToHost => ({
  type: 'apply',
  ids: [id],
  arrivals: JSON.stringify([
    {
      changes: [
        {
          collection: 'Namespaces',
          key: nameOf(id),
          event: 'add',
          new: {metadata: {name: nameOf(id)}},
          received: Date.now(),
        },
      ],
    },
  ]),
});

test('batches that follow each other closely reach main in one message, before an answer that shows them', async () => {
  const {take, sent} = await started();
  const settled = () => sent.filter(message => message.type === 'settled');
  take(apply(1));
  await vi.waitUntil(() => settled().at(-1)?.through === 1);
  const before = settled().length;
  for (let id = 2; id <= 20; id++) take(apply(id));
  expect(settled()).toHaveLength(before);
  take({type: 'ask', id: 1, question: questionSchema.parse({ask: 'items', collection: 'Namespaces'})});
  expect(settled()).toHaveLength(before + 1);
  expect(settled().at(-1)).toMatchObject({through: 20});
  expect(unpackBlocks(settled().at(-1)!.blocks)).toHaveLength(19);
  take(apply(21));
  // Without a question it goes by itself.
  await vi.waitUntil(() => settled().at(-1)?.through === 21);
});

test('a block that cannot be read back is let go; the process lives, and what it has itself is kept', async () => {
  const {take, sent, faults} = await started();
  const apply = (name: string, through: number) =>
    take({
      type: 'apply',
      ids: [through],
      arrivals: JSON.stringify([
        {
          changes: [
            {
              collection: 'Namespaces',
              key: name,
              event: 'add',
              new: {metadata: {name}},
              received: Date.now(),
            },
          ],
        },
      ]),
    });
  apply('early', 1);
  take({type: 'ask', id: 1, question: questionSchema.parse({ask: 'kept'})});
  const settled = () => sent.filter(message => message.type === 'settled');
  const shown = settled().at(-1)!;
  // Before the old records are back, the process sends its own batches to main and nothing of the replay.
  expect(shown).toMatchObject({through: 1, drop: []});
  expect('kept' in shown).toBe(false);
  const early = shown.sequence;
  // The source's new report and the write are new batches.
  const blocks = settled().flatMap(message => unpackBlocks(message.blocks));
  expect(blocks.map(({sequence}) => sequence)).toEqual([early - 1, early]);

  const garbage = new Uint8Array([9, 255, 255, 255, 255, 255, 1, 2, 3]);
  const mine = blocks[1]!;
  take({type: 'restore', blocks: [mine, {sequence: 5, bytes: garbage}]});
  take({type: 'restore-end', gaps: [], oldest: 1});
  // On a busy machine the old records are read in several slices.
  await vi.waitUntil(() => sent.some(({type}) => type === 'restored'));
  expect(faults).toEqual([]);
  expect(sent.find(message => message.type === 'broken')).toMatchObject({
    message: expect.stringContaining('batch 5 of the recording is lost'),
  });
  const restoredAt = sent.findIndex(({type}) => type === 'restored');
  const last = sent.slice(0, restoredAt).findLast(message => message.type === 'settled')!;
  expect(last.drop).toEqual([5]);
  expect(unpackBlocks(last.blocks).map(({sequence}) => sequence)).toContain(early);
  take({type: 'ask', id: 2, question: questionSchema.parse({ask: 'items', collection: 'Namespaces'})});
  const answer = await vi.waitUntil(() =>
    sent.find(message => message.type === 'answer' && message.id === 2),
  );
  expect(JSON.parse((answer as {value: string}).value)).toMatchObject({total: 2});
});

test('a patch changes the object that is there, and one for another version ends the process', async () => {
  const {take, sent, faults} = await started();
  const change = (id: number, part: object): ToHost => ({
    type: 'apply',
    ids: [id],
    arrivals: JSON.stringify([
      {changes: [{collection: 'Namespaces', key: 'shop', event: 'update', received: Date.now(), ...part}]},
    ]),
  });
  const metadata = {name: 'shop', uid: 'u', resourceVersion: '1', labels: {a: '1', b: '2'}};
  take(change(1, {new: {metadata}}));
  const patch = [1, {metadata: [1, {resourceVersion: [0, '2'], labels: [1, {b: [0, '3']}]}]}];
  take(change(2, {base: '1', patch}));
  const question = questionSchema.parse({ask: 'item', collection: 'Namespaces', key: 'shop'});
  take({type: 'ask', id: 7, question});
  const answer = await vi.waitUntil(() =>
    sent.find(message => message.type === 'answer' && message.id === 7),
  );
  expect(JSON.parse((answer as {value: string}).value).value).toEqual({
    metadata: {...metadata, resourceVersion: '2', labels: {a: '1', b: '3'}},
  });
  expect(faults).toEqual([]);
  take(change(3, {base: '1', patch}));
  expect(String(faults[0])).toContain('a patch of Namespaces/shop is for version 1, which is not here');
});
