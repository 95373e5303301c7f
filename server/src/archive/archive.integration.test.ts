// History on disk, with a real engine process and a real database.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import type {Diff} from '@krtscope/shared/items.ts';
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {afterEach, expect, test} from 'vitest';
import {ArchivedEngine, type ArchivedEngineOptions} from '../../test/history/archived-engine.ts';
import {decodeFile} from '../history/file/recording-file.ts';
import {runToEnd} from '../history/incremental-work.ts';

let folder: string | undefined;
const running = new Set<ArchivedEngine>();
afterEach(async () => {
  for (const one of running) await one.stop();
  running.clear();
  if (folder !== undefined) rmSync(folder, {recursive: true, force: true});
  folder = undefined;
});

async function start(options: Partial<ArchivedEngineOptions> = {}): Promise<ArchivedEngine> {
  folder ??= mkdtempSync(join(tmpdir(), 'krtscope-archive-'));
  const started = await ArchivedEngine.start({folder, ...options});
  running.add(started);
  return started;
}

async function stop(one: ArchivedEngine): Promise<void> {
  running.delete(one);
  await one.stop();
}

type Steps = Record<string, string>;

/** Writes so much that the ring holds only the end of it. Returns what each moment must show. */
async function fillRing(one: ArchivedEngine, rounds = 30): Promise<Map<number, Steps>> {
  const model: Steps = {};
  const moments = new Map<number, Steps>();
  one.sync();
  for (let n = 0; n < rounds; n++) {
    const writes = Array.from({length: 5}, (_, i) => ({key: `shop/s${(n + i) % 12}`, step: `n${n}`}));
    one.write(...writes);
    for (const {key, step} of writes) model[key] = step;
    moments.set(await one.settled(), {...model});
  }
  return moments;
}

function diffOf(before: Steps, after: Steps): [string, string | undefined, string | undefined][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(key => before[key] !== after[key])
    .sort()
    .map(key => [key, before[key], after[key]]);
}

type Labelled = {metadata: {labels: {step: string}}};
const stepsOf = ({collections}: Diff) =>
  (collections.Services ?? []).map(({key, old, new: now}) => [
    key,
    (old as Labelled | undefined)?.metadata.labels.step,
    (now as Labelled | undefined)?.metadata.labels.step,
  ]);

test('moments that left the memory are answered from disk and compared with any other', async () => {
  const first = await start({historyRuns: 60});
  const moments = await fillRing(first);
  const sequences = [...moments.keys()];
  const {kept} = first;
  expect(kept.oldest.sequence).toBeLessThan(sequences[0] as number);
  expect(kept.hot.oldest.sequence).toBeGreaterThan(sequences[10] as number);
  const pick = (n: number) => sequences.at(n) as number;
  const check = async (one: ArchivedEngine) => {
    for (const at of [pick(1), pick(9), pick(-1)])
      expect([at, await one.steps(at)]).toEqual([at, moments.get(at)]);
    for (const [from, to] of [
      [pick(1), pick(2)],
      [pick(1), pick(14)],
      [pick(3), pick(-1)],
    ] as [number, number][]) {
      const found = await one.ask<Diff>({ask: 'diff', from, to});
      expect([from, to, stepsOf(found)]).toEqual([
        from,
        to,
        diffOf(moments.get(from) as Steps, moments.get(to) as Steps),
      ]);
    }
  };
  await check(first);
  await expect(first.ask({ask: 'diff', from: pick(1), to: 99_999})).rejects.toMatchObject({
    code: 'bad-query',
  });
  const {recording} = first.history;
  const added = await first.archive.addBookmark(recording?.recording ?? '', {
    name: 'early',
    sequence: pick(1),
  });
  const line = await first.ask<Timeline>({ask: 'timeline', from: kept.oldest.time, buckets: 20});
  expect(line.buckets.reduce((sum, {writes}) => sum + writes, 0)).toBe(150);
  expect(line.kept.oldest).toBe(kept.oldest.sequence);
  const file = runToEnd(decodeFile(await first.history.fileBetween(pick(2), pick(6))));
  expect([file.header.oldest <= pick(2), file.header.newest >= pick(6)]).toEqual([true, true]);
  expect((file.header.facts as {session: {bookmarks: unknown[]}}).session.bookmarks).toEqual([added]);
  const id = first.engine.recording;
  await stop(first);

  const second = await start({historyRuns: 60});
  expect(second.engine.recording).toBe(id);
  await second.until(() => second.engine.gaps.length > 0);
  expect(second.engine.gaps.at(-1)?.text).toMatch(/^krtscope was not running for \d+ s\./);
  await check(second);
  expect(await second.archive.bookmarks(id)).toEqual([added]);
  const beside = await start();
  expect(beside.kept.disk).toMatchObject({state: 'read-only'});
  expect(beside.kept.disk.reason).toMatch(/^another krtscope writes the history of this cluster to /);
}, 60_000);

test('a damaged block costs the moments before it, back to the snapshot, and the answer says which', async () => {
  const first = await start({historyRuns: 60});
  const moments = await fillRing(first);
  const sequences = [...moments.keys()];
  await stop(first);
  const db = new DatabaseSync(join(folder as string, `${encodeURIComponent(first.engine.recording)}.db`));
  const damaged = db
    .prepare('SELECT first, last FROM chunks WHERE last >= ? ORDER BY first')
    .get(sequences[3] ?? 0);
  db.prepare('UPDATE chunks SET frames = zeroblob(40) WHERE first = ?').run(damaged?.first ?? 0);
  db.close();
  const second = await start({historyRuns: 60});
  const lost: number[] = [];
  for (const at of sequences) {
    try {
      expect(await second.steps(at)).toEqual(moments.get(at));
    } catch (error) {
      expect((error as Error).message).toMatch(
        /^#\d+ cannot be read: history from #\d+ to #\d+ is damaged on disk/,
      );
      expect((error as {nearest?: number}).nearest).toBe((damaged?.last as number) + 1);
      lost.push(at);
    }
  }
  expect(lost.length).toBeGreaterThan(0);
  expect(Math.max(...lost)).toBeLessThanOrEqual(damaged?.last as number);
}, 60_000);
