import {mkdtempSync, rmSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {OpenRecordings} from './open-recordings.ts';
import {DAY_MS, factsFor, fillRecording} from './testing-recording.ts';

const NOW = 100 * DAY_MS;
let folder: string;
let recordings: OpenRecordings;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-recordings-'));
  recordings = new OpenRecordings(folder, () => {});
});

afterEach(() => {
  for (const {recording} of [...recordings.writers()]) recordings.end(recording);
  rmSync(folder, {recursive: true, force: true});
});

/** As after a kill before the first write: the database has its description only. */
function leaveEmpty(recording: string, identity: string): void {
  recordings.begin({...factsFor(recording, identity), begun: NOW});
  recordings.end(recording);
}

test('a recording without a batch does not hide an older one of the same cluster', () => {
  leaveEmpty('empty', 'a');
  // Its clock was behind.
  fillRecording(recordings, 'a', {from: NOW - 2 * DAY_MS, to: NOW - DAY_MS, batches: 20});
  recordings.end('a');
  leaveEmpty('other', 'b');
  expect(recordings.begin(factsFor('next', 'a'))).toMatchObject({
    state: 'writing',
    recording: 'a',
    earlier: {sequence: 20},
  });
  expect(recordings.ids().sort()).toEqual(['a', 'other']);
});

test('a recording that another process has just begun is noticed', () => {
  const other = new OpenRecordings(folder, () => {});
  other.begin(factsFor('theirs', 'a'));
  expect(recordings.begin(factsFor('ours', 'a'))).toEqual({
    state: 'read-only',
    recording: 'theirs',
    writer: 'other',
  });
  other.end('theirs');
});

test('krtscope was away since it was last alive, not since the last change of a quiet cluster', () => {
  const at = Math.floor(Date.now() / 1000) - 60;
  fillRecording(recordings, 'a', {from: (at - 7200) * 1000, to: (at - 3600) * 1000, batches: 20});
  recordings.end('a');
  utimesSync(join(folder, 'a.lock'), at, at);
  // A look from outside is no sign of life.
  recordings.list();
  expect(recordings.begin(factsFor('next', 'a'))).toMatchObject({recording: 'a', earlier: {at: at * 1000}});
  recordings.noteAlive();
  recordings.end('a');
  expect(recordings.begin(factsFor('next', 'a'))).toMatchObject({
    earlier: {sequence: 20, at: expect.toSatisfy((time: number) => time > at * 1000)},
  });
});

test('two sessions of one cluster do not write one recording', () => {
  fillRecording(recordings, 'a', {from: NOW - DAY_MS, to: NOW, batches: 20});
  expect(recordings.begin(factsFor('second', 'a'))).toEqual({
    state: 'read-only',
    recording: 'a',
    writer: 'here',
  });
  recordings.end('a');
  expect(recordings.begin(factsFor('third', 'a'))).toMatchObject({state: 'writing', recording: 'a'});
});
