import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {addBookmark, listBookmarks} from './bookmarks.ts';
import {OpenRecordings} from './open-recordings.ts';
import {enforceLimits} from './retention.ts';
import {batchEntry, DAY_MS, factsFor, fillRecording} from './testing-recording.ts';

const NOW = 100 * DAY_MS;
const UNLIMITED = 2 ** 40;
let folder: string;
let recordings: OpenRecordings;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-retention-'));
  recordings = new OpenRecordings(folder, () => {});
});

afterEach(() => {
  for (const {recording} of [...recordings.writers()]) recordings.end(recording);
  rmSync(folder, {recursive: true, force: true});
});

const describe = (id: string) => recordings.list().find(one => one.id === id);

test('what is older than the days goes, the rest stays readable, and writing goes on', () => {
  fillRecording(recordings, 'a', {from: NOW - 10 * DAY_MS, to: NOW, batches: 400});
  recordings.change('a', db => {
    addBookmark(db, {name: 'old', sequence: 10});
    addBookmark(db, {name: 'new', sequence: 390});
  });
  enforceLimits(recordings, {days: 7, bytes: UNLIMITED}, NOW);
  const oldest = describe('a')?.oldest;
  expect(oldest?.time).toBeGreaterThan(NOW - 7.5 * DAY_MS);
  expect(oldest?.time).toBeLessThan(NOW - 6.5 * DAY_MS);
  recordings.read('a', (reader, db) => {
    const first = oldest?.sequence ?? 0;
    expect(reader.fileAt(first + 20).newest).toBeGreaterThanOrEqual(first + 20);
    expect(() => reader.fileAt(5)).toThrow(/^#5 cannot be read/);
    expect(listBookmarks(db).map(({name}) => name)).toEqual(['new']);
    const days = reader.buckets(NOW - 10 * DAY_MS, NOW, 10).map(({writes}) => writes);
    expect(days.slice(0, 2)).toEqual([0, 0]);
    expect(days.slice(4)).toEqual([40, 40, 40, 40, 40, 41]);
  });
  recordings.writer('a')?.writer.append([batchEntry(401, NOW + 1000)]);
  expect(describe('a')?.newest?.sequence).toBe(401);
});

test('a recording that ended before the days goes as a whole', () => {
  fillRecording(recordings, 'a', {from: NOW - 20 * DAY_MS, to: NOW - 10 * DAY_MS, batches: 20});
  recordings.end('a');
  enforceLimits(recordings, {days: 7, bytes: UNLIMITED}, NOW);
  expect(recordings.ids()).toEqual([]);
});

test('over the size, recordings without a session go first, then the oldest part of the one that goes on', () => {
  fillRecording(recordings, 'ended', {
    from: NOW - 3 * DAY_MS,
    to: NOW - 2 * DAY_MS,
    batches: 100,
    bytes: 20_000,
  });
  recordings.end('ended');
  fillRecording(recordings, 'live', {from: NOW - DAY_MS, to: NOW, batches: 300, bytes: 20_000});
  const limit = 3_000_000;
  for (let pass = 0; pass < 3; pass++) enforceLimits(recordings, {days: 7, bytes: limit}, NOW);
  expect(recordings.ids()).toEqual(['live']);
  const {bytes, newest, oldest} = describe('live') ?? {};
  expect(bytes).toBeLessThanOrEqual(limit);
  expect(bytes).toBeGreaterThan(limit / 3);
  expect(newest?.sequence).toBe(300);
  expect(oldest?.sequence).toBeGreaterThan(100);
  recordings.end('live');
  // The file itself shrinks: deleted pages go back to the file system.
  expect(statSync(join(folder, 'live.db')).size).toBeLessThan(limit * 1.2);
});

test('a clock that jumps back writes on, and a jump ahead removes nothing of the same run', () => {
  recordings.begin(factsFor('a'));
  const writer = recordings.writer('a')?.writer;
  for (let n = 1; n <= 20; n++) writer?.append([batchEntry(n, NOW + n * 1000)]);
  for (let n = 21; n <= 40; n++) writer?.append([batchEntry(n, NOW - DAY_MS + n * 1000)]);
  enforceLimits(recordings, {days: 7, bytes: UNLIMITED}, NOW);
  const {oldest, newest} = describe('a') ?? {};
  expect([oldest?.sequence, newest?.sequence]).toEqual([1, 40]);
});
