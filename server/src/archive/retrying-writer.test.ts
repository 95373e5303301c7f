import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {WriterStatus} from './archive-calls.ts';
import {OpenRecordings, type OpenWriter} from './open-recordings.ts';
import {RetryingWriter} from './retrying-writer.ts';
import {batchEntry, factsFor} from './testing-recording.ts';

let folder: string;
let recordings: OpenRecordings;
let open: OpenWriter;
const reports: WriterStatus[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  reports.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'krtscope-full-'));
  recordings = new OpenRecordings(folder, () => {});
  recordings.begin(factsFor('a'));
  open = recordings.writer('a') as OpenWriter;
});

afterEach(() => {
  vi.useRealTimers();
  recordings.end('a');
  rmSync(folder, {recursive: true, force: true});
});

/** SQLite then fails as on a full disk. */
function limitPages(pages: number): void {
  open.db.exec(`PRAGMA max_page_count = ${pages}`);
}

const pagesNow = () => open.db.prepare('PRAGMA page_count').get()?.page_count as number;

test('on a full disk batches wait, the state says so, and all are written when there is room', () => {
  const writer = new RetryingWriter(open, status => reports.push(status));
  writer.append([batchEntry(1, 1000)]);
  expect(reports.at(-1)?.problem).toBeUndefined();
  limitPages(pagesNow() + 1);
  for (let n = 2; n <= 60; n++) writer.append([batchEntry(n, n * 1000)]);
  expect(reports.at(-1)?.problem).toBe('the disk is full');
  vi.advanceTimersByTime(5000);
  expect(reports.at(-1)?.problem).toBe('the disk is full');
  limitPages(100_000);
  vi.advanceTimersByTime(1100);
  expect(reports.at(-1)?.problem).toBeUndefined();
  expect(reports.at(-1)?.range).toMatchObject({oldest: {sequence: 1}, newest: {sequence: 60}});
});

test('more than 64 MB do not wait: the gap says which batches are missing', () => {
  const writer = new RetryingWriter(open, status => reports.push(status));
  writer.append([batchEntry(1, 1000)]);
  limitPages(pagesNow());
  for (let n = 2; n <= 40; n++) writer.append([batchEntry(n, n * 1000, 2_000_000)]);
  limitPages(100_000);
  vi.advanceTimersByTime(1100);
  expect(reports.at(-1)?.problem).toBeUndefined();
  expect(open.reader.range()?.newest.sequence).toBe(40);
  const texts = open.reader.gaps().map(({text}) => text);
  expect(texts).toEqual([
    expect.stringMatching(/^History from #2 to #\d+ was not written: the disk is full\.$/),
  ]);
});
