// Reads one recording's database: what it holds, a file for any of its moments, and the timeline without its blocks.
import type {DatabaseSync} from 'node:sqlite';
import {crc32} from 'node:zlib';
import type {Bucket, TimelineGap} from '@krtscope/shared/timeline.ts';
import {contentOf, factsOf, fileOfFrames, RecordingFileWriter} from '../history/file/recording-file.ts';
import {runToEnd} from '../history/incremental-work.ts';
import type {StoredRecordingFacts} from './archive-entries.ts';
import {listBookmarks} from './bookmarks.ts';
import {readGaps} from './earlier-recording.ts';

/** A recorded moment. */
export interface RecordedMoment {
  sequence: number;
  time: number;
}

export interface ArchivedRange {
  oldest: RecordedMoment;
  newest: RecordedMoment;
  /** Moments up to this one can be read from disk. Later ones are in the ring alone. */
  readable: number;
}

/** A file, and the moments that it answers for. */
export interface SegmentFile {
  bytes: Uint8Array;
  oldest: number;
  newest: number;
}

/** Why a moment cannot be read, with the nearest one that can. */
export class MomentUnreadable extends Error {
  readonly nearest: number;

  constructor(message: string, nearest: number) {
    super(message);
    this.nearest = nearest;
  }
}

interface SnapshotRow {
  sequence: number;
  oldest: number;
  at: number;
  sum: number;
  frames: Uint8Array;
  older: Uint8Array;
}

export class RecordingReader {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  facts(): StoredRecordingFacts | undefined {
    const row = this.#db.prepare("SELECT value FROM facts WHERE name = 'recording'").get();
    return row === undefined ? undefined : (JSON.parse(row.value as string) as StoredRecordingFacts);
  }

  /** Undefined while nothing is written. */
  range(): ArchivedRange | undefined {
    const first = this.#db.prepare('SELECT first FROM chunks ORDER BY first LIMIT 1').get();
    const last = this.#db.prepare('SELECT last, at FROM chunks ORDER BY first DESC LIMIT 1').get();
    if (first === undefined || last === undefined) return undefined;
    const second = this.#db
      .prepare('SELECT second FROM seconds WHERE sequence >= ? ORDER BY second LIMIT 1')
      .get(first.first as number);
    const snapshot = this.#db.prepare('SELECT max(sequence) AS newest FROM snapshots').get();
    return {
      oldest: {
        sequence: first.first as number,
        time: second === undefined ? (last.at as number) : (second.second as number) * 1000,
      },
      newest: {sequence: last.last as number, time: last.at as number},
      readable: (snapshot?.newest as number | null) ?? -1,
    };
  }

  bytes(): number {
    const {page_count: pages} = this.#db.prepare('PRAGMA page_count').get() as {page_count: number};
    const {freelist_count: free} = this.#db.prepare('PRAGMA freelist_count').get() as {
      freelist_count: number;
    };
    const {page_size: size} = this.#db.prepare('PRAGMA page_size').get() as {page_size: number};
    return (pages - free) * size;
  }

  gaps(): TimelineGap[] {
    return readGaps(this.#db);
  }

  /** A file that answers for a moment. Throws MomentUnreadable. */
  fileAt(at: number): SegmentFile {
    const snapshot = this.#snapshotFrom(at);
    const before = this.#db
      .prepare('SELECT max(sequence) AS sequence FROM snapshots WHERE sequence < ?')
      .get(at);
    // The ring may have rolled on since the snapshot before.
    const since = ((before?.sequence as number | null) ?? -1) + 1;
    return this.#compose(snapshot, Math.min(snapshot.oldest, since), at);
  }

  /** A file with all batches from one moment to another. The state is that of the first snapshot after `to`. */
  fileBetween(from: number, to: number): SegmentFile {
    const snapshot = this.#snapshotFrom(to);
    const facts = factsOf(snapshot.frames) as {session?: object};
    const bookmarks = listBookmarks(this.#db);
    const withBookmarks = new RecordingFileWriter();
    // The last facts of a file count.
    withBookmarks.facts({...facts, session: {...facts.session, bookmarks}});
    return this.#compose(snapshot, from, from, [withBookmarks.frames()]);
  }

  #snapshotFrom(at: number): SnapshotRow {
    const snapshot = this.#db
      .prepare('SELECT * FROM snapshots WHERE sequence >= ? ORDER BY sequence LIMIT 1')
      .get(at) as SnapshotRow | undefined;
    if (snapshot === undefined) throw new MomentUnreadable(`#${at} is not written as a state yet`, at);
    const whole = this.#isWhole(snapshot);
    if (whole) return snapshot;
    const next = this.#db
      .prepare('SELECT min(sequence) AS next FROM snapshots WHERE sequence > ?')
      .get(snapshot.sequence);
    throw new MomentUnreadable(
      `#${at} cannot be read: the state after it is damaged on disk`,
      (next?.next as number | null) ?? snapshot.sequence,
    );
  }

  #isWhole({frames, sum}: SnapshotRow): boolean {
    return crc32(frames) === sum;
  }

  #compose(snapshot: SnapshotRow, from: number, at: number, more: readonly Uint8Array[] = []): SegmentFile {
    const facts = this.facts();
    const list = this.#db
      .prepare('SELECT first, last FROM chunks WHERE last >= ? AND first <= ? ORDER BY first')
      .all(from, snapshot.sequence) as unknown as {first: number; last: number}[];
    let oldest = list[0]?.first ?? from;
    let frames: Uint8Array[] = [];
    for (const {first, last} of list) {
      const frame = this.#chunk(first, snapshot.sequence);
      if (frame !== undefined) frames.push(frame);
      else {
        // Values before a damaged block are unknown: blocks hold differences to the values after them.
        frames = [];
        oldest = last + 1;
      }
    }
    if (at < oldest) {
      throw new MomentUnreadable(
        `#${at} cannot be read: history from #${from} to #${oldest - 1} is damaged on disk or was removed`,
        oldest,
      );
    }
    const header = {
      recording: facts?.recording ?? '',
      redacted: facts?.redacted ?? true,
      written: Math.round(snapshot.at),
      newest: snapshot.sequence,
      oldest,
    };
    const older = blocksBefore(snapshot.older, oldest);
    const bytes = fileOfFrames(header, [snapshot.frames, older, ...frames, ...more, emptyDump()]);
    return {bytes, oldest, newest: snapshot.sequence};
  }

  /** The frames of a chunk without batches after `newest`; undefined if it is damaged. */
  #chunk(first: number, newest: number): Uint8Array | undefined {
    try {
      const row = this.#db.prepare('SELECT last, sum, frames FROM chunks WHERE first = ?').get(first) as
        | {last: number; sum: number; frames: Uint8Array}
        | undefined;
      if (row === undefined || crc32(row.frames) !== row.sum) return undefined;
      if (row.last <= newest) return row.frames;
      const cut = new RecordingFileWriter();
      for (const block of runToEnd(contentOf(Buffer.from(row.frames))).blocks)
        if (block.sequence <= newest) cut.block(block);
      return cut.frames();
    } catch {
      // A page of the database is damaged.
      return undefined;
    }
  }

  /** Buckets of equal time, from the counts of each second. */
  buckets(from: number, to: number, count: number): Bucket[] {
    const width = Math.max(1, (to - from) / count);
    const before = this.#db
      .prepare('SELECT sequence FROM seconds WHERE second < ? ORDER BY second DESC LIMIT 1')
      .get(Math.floor(from / 1000));
    let newest = (before?.sequence as number | undefined) ?? 0;
    const buckets: Bucket[] = Array.from({length: count}, (_, i) => ({
      at: Math.round(from + i * width),
      sequence: 0,
      changed: 0,
      equal: 0,
      failed: 0,
      writes: 0,
      people: 0,
    }));
    const rows = this.#db
      .prepare(
        `SELECT min(?, CAST((second * 1000 - ?) / ? AS INTEGER)) AS bucket, max(sequence) AS sequence, sum(changed) AS changed,
         sum(equal) AS equal, sum(failed) AS failed, sum(writes) AS writes, sum(people) AS people
         FROM seconds WHERE second >= ? AND second <= ? GROUP BY 1`,
      )
      .all(count - 1, from, width, Math.floor(from / 1000), Math.floor(to / 1000)) as unknown as (Bucket & {
      bucket: number;
    })[];
    for (const {bucket, at: _, ...counts} of rows) {
      const own = buckets[Math.max(0, bucket)];
      if (own !== undefined) Object.assign(own, counts);
    }
    for (const bucket of buckets) {
      if (bucket.sequence === 0) bucket.sequence = newest;
      else newest = bucket.sequence;
    }
    return buckets;
  }
}

/** A block must not be in a file twice. A block without content stands for damage, and no file can hold it. */
function blocksBefore(frames: Uint8Array, oldest: number): Uint8Array {
  const {blocks} = runToEnd(contentOf(Buffer.from(frames)));
  const kept = blocks.filter(({sequence, bytes}) => sequence < oldest && bytes.byteLength > 0);
  if (kept.length === blocks.length) return frames;
  const writer = new RecordingFileWriter();
  for (const block of kept) writer.block(block);
  return writer.frames();
}

/** The debug document of a past moment cannot be made: the engine that would write it is gone. */
function emptyDump(): Buffer {
  const writer = new RecordingFileWriter();
  writer.dump('[]');
  return writer.frames();
}
