// The objects that a restart begins with, from what was sent to the engine process: whole objects and patches.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {packBlocks} from '../engine/link/block-packing.ts';
import type {SentChange} from '../engine/link/host-messages.ts';
import {openForWriting} from './archive-schema.ts';
import {readEarlierRecording} from './earlier-recording.ts';
import {RecordingWriter} from './recording-writer.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true, force: true});
});

function rig() {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-archive-'));
  folders.push(folder);
  const db = openForWriting(join(folder, 'one.db'));
  const writer = new RecordingWriter(db);
  let id = 0;
  const write = (...changes: Partial<SentChange>[]) => {
    const ids = changes.map(() => ++id);
    const arrivals = changes.map(change => ({
      changes: [{collection: 'Pods', key: 'shop/a', event: 'update', received: 0, ...change}],
    }));
    writer.append([
      {type: 'sent', ids, arrivals: JSON.stringify(arrivals)},
      {
        type: 'settled',
        batches: {
          sequence: id,
          through: id,
          at: 0,
          blocks: packBlocks(ids.map(sequence => ({sequence, bytes: new Uint8Array([1, 2, 3])}))),
          rows: [],
          tallies: [],
        },
      },
    ]);
  };
  const objects = () => {
    const earlier = readEarlierRecording(db, 'r');
    return Object.fromEntries((earlier?.objects ?? []).map(([, key, object]) => [key, object]));
  };
  return {write, objects};
}

const pod = (version: string, tick = version) => ({
  metadata: {name: 'a', uid: 'u', resourceVersion: version, labels: {app: 'shop', tick}},
});
const patch = (version: string): SentChange['patch'] => [
  1,
  {metadata: [1, {resourceVersion: [0, version], labels: [1, {tick: [0, version]}]}]},
];

test('patches change the object that was sent before them, in one message and in later ones', () => {
  const {write, objects} = rig();
  write({new: pod('1')}, {base: '1', patch: patch('2')});
  expect(objects()).toEqual({'shop/a': pod('2')});
  write({base: '2', patch: patch('3')});
  write({base: '3', patch: patch('4')}, {key: 'shop/b', event: 'add', new: pod('9')});
  expect(objects()).toEqual({'shop/a': pod('4'), 'shop/b': pod('9')});
});

test('a patch for another version than the one that is there changes nothing, and the next that fits does', () => {
  const {write, objects} = rig();
  write({new: pod('2')}, {base: '1', patch: patch('2')});
  expect(objects()).toEqual({'shop/a': pod('2')});
  write({event: 'delete'}, {base: '2', patch: patch('3')});
  expect(objects()).toEqual({});
  write({new: pod('5')}, {base: '5', patch: patch('6')});
  expect(objects()).toEqual({'shop/a': pod('6')});
});
