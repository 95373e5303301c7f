// Writes one recording to its database: blocks as they come, a snapshot now and then, and small frames merged later.
import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {crc32, zstdCompressSync} from 'node:zlib';
import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import {unpackBlocks} from '../engine/link/block-packing.ts';
import type {Block} from '../engine/link/host-messages.ts';
import type {RecordingSnapshot, SettledBatches} from '../engine/link/recording-archive.ts';
import {contentOf, RecordingFileWriter, splitFile} from '../history/file/recording-file.ts';
import {runToEnd} from '../history/incremental-work.ts';
import type {ArchiveEntry, SentArrivals, StoredArrivals} from './archive-entries.ts';

/** Small frames are merged until they have this many bytes. Larger frames take more time to read for one moment. */
const MERGED_BYTES = 1 << 19;

export class RecordingWriter {
  readonly #db: DatabaseSync;
  readonly #statements: Record<'chunk' | 'arrivals' | 'second' | 'gap', StatementSync>;
  /** Messages to the engine process that it has not settled completely. */
  #sent: SentArrivals[] = [];
  #through = -1;
  /** The newest block in the database. */
  #newest: number;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#newest =
      (db.prepare('SELECT max(last) AS newest FROM chunks').get()?.newest as number | null) ?? -1;
    this.#statements = {
      chunk: db.prepare('INSERT OR REPLACE INTO chunks(first, last, at, sum, frames) VALUES (?, ?, ?, ?, ?)'),
      arrivals: db.prepare('INSERT INTO arrivals(sequence, packed) VALUES (?, ?)'),
      second: db.prepare(
        `INSERT INTO seconds VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT(second) DO UPDATE SET
         sequence = max(sequence, excluded.sequence), changed = changed + excluded.changed, equal = equal + excluded.equal,
         failed = failed + excluded.failed, writes = writes + excluded.writes, people = people + excluded.people`,
      ),
      gap: db.prepare('INSERT INTO gaps(kind, began, ended, sequence, text) VALUES (?, ?, ?, ?, ?)'),
    };
  }

  /** Writes all entries in one transaction. If it throws, nothing was written and the same entries can be tried again. */
  append(entries: readonly ArchiveEntry[]): void {
    const before = {sent: [...this.#sent], through: this.#through, newest: this.#newest};
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#write(entries);
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#sent = before.sent;
      this.#through = before.through;
      this.#newest = before.newest;
      rollBack(this.#db);
      throw error;
    }
  }

  /** Batches that could not be written. A chunk without content makes readers report them like damaged ones. */
  noteLoss(from: number, to: number, {kind, from: began, to: ended, sequence, text}: TimelineGap): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#db
        .prepare(
          "INSERT OR REPLACE INTO chunks(first, last, at, merged, sum, frames) VALUES (?, ?, ?, 1, -1, x'')",
        )
        .run(from, to, ended);
      this.#statements.gap.run(kind, began, ended, sequence, text);
      this.#db.exec('COMMIT');
      this.#newest = Math.max(this.#newest, to);
    } catch (error) {
      rollBack(this.#db);
      throw error;
    }
  }

  #write(entries: readonly ArchiveEntry[]): void {
    let group: SettledBatches[] = [];
    const flush = () => {
      if (group.length > 0) this.#writeSettled(group);
      group = [];
    };
    for (const entry of entries) {
      if (entry.type === 'settled') group.push(entry.batches);
      else if (entry.type === 'sent') this.#sent.push([entry.ids, entry.arrivals]);
      else if (entry.type === 'rewound') {
        flush();
        this.#sent = [];
      } else {
        const {kind, from, to, sequence, text} = entry.gap;
        this.#statements.gap.run(kind, from, to, sequence, text);
      }
    }
    flush();
  }

  #writeSettled(group: readonly SettledBatches[]): void {
    const frame = new RecordingFileWriter();
    let first: number | undefined;
    let last = 0;
    for (const {blocks, tallies} of group) {
      for (const block of unpackBlocks(blocks)) {
        first = Math.min(first ?? block.sequence, block.sequence);
        last = Math.max(last, block.sequence);
        frame.block(block);
      }
      for (const tally of tallies) this.#statements.second.run(...tally);
    }
    const {sequence, through, at} = group.at(-1) as SettledBatches;
    if (first !== undefined && first > this.#newest) this.#writeChunk(first, last, at, frame.frames());
    else if (first !== undefined) this.#replaceBlocks(group, first, at);
    this.#newest = Math.max(this.#newest, last);
    const settled: StoredArrivals = {
      sent: this.#sent.filter(([ids]) => (ids[0] as number) <= through),
      from: this.#through,
      through,
      rows: group.flatMap(({rows}) => rows),
      lives: group.findLast(({lives}) => lives !== undefined)?.lives,
      kept: group.findLast(({kept}) => kept !== undefined)?.kept,
    };
    this.#sent = this.#sent.filter(([ids]) => (ids.at(-1) as number) > through);
    this.#through = through;
    this.#statements.arrivals.run(sequence, zstdCompressSync(JSON.stringify(settled)));
  }

  /** After a restart the engine process sends some blocks a second time. The second ones count. */
  #replaceBlocks(group: readonly SettledBatches[], first: number, at: number): void {
    const chunks = this.#db
      .prepare('SELECT first, frames FROM chunks WHERE last >= ? ORDER BY first')
      .all(first) as unknown as {first: number; frames: Uint8Array}[];
    const blocks = new Map<number, Block>();
    for (const {frames} of chunks)
      for (const block of runToEnd(contentOf(Buffer.from(frames))).blocks) blocks.set(block.sequence, block);
    for (const batches of group)
      for (const block of unpackBlocks(batches.blocks)) blocks.set(block.sequence, block);
    this.#db.prepare('DELETE FROM chunks WHERE last >= ?').run(first);
    const sorted = [...blocks.values()].sort((a, b) => a.sequence - b.sequence);
    const frame = new RecordingFileWriter();
    for (const block of sorted) frame.block(block);
    this.#writeChunk(sorted[0]?.sequence ?? first, sorted.at(-1)?.sequence ?? first, at, frame.frames());
  }

  #writeChunk(first: number, last: number, at: number, frames: Uint8Array): void {
    this.#statements.chunk.run(first, last, at, crc32(frames), frames);
  }

  /** Stores a snapshot. What came in before it is not needed any more to rebuild the objects. */
  snapshot({file, olderBlocks, rows, lives, reports}: RecordingSnapshot, at: number): void {
    const {header, frames} = splitFile(file);
    const older = new RecordingFileWriter();
    for (const block of olderBlocks) if (block.sequence < header.oldest) older.block(block);
    const restart = zstdCompressSync(JSON.stringify({rows, lives, reports}));
    const merged = this.#mergedChunks(header.newest);
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.#db.exec('UPDATE snapshots SET restart = NULL WHERE restart IS NOT NULL');
      this.#db
        .prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(header.newest, header.oldest, at, crc32(frames), frames, older.frames(), restart);
      this.#db.prepare('DELETE FROM arrivals WHERE sequence <= ?').run(header.newest);
      for (const {first, last, time, frames: bytes} of merged) {
        this.#db.prepare('DELETE FROM chunks WHERE first >= ? AND last <= ?').run(first, last);
        this.#db
          .prepare('INSERT INTO chunks(first, last, at, merged, sum, frames) VALUES (?, ?, ?, 1, ?, ?)')
          .run(first, last, time, crc32(bytes), bytes);
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      rollBack(this.#db);
      throw error;
    }
  }

  /** The small frames up to a batch, compressed together. A frame of one second takes more than twice the space. */
  #mergedChunks(newest: number): {first: number; last: number; time: number; frames: Buffer}[] {
    const small = this.#db
      .prepare(
        'SELECT first, last, at, sum, frames FROM chunks WHERE merged = 0 AND last <= ? ORDER BY first',
      )
      .all(newest) as unknown as {first: number; last: number; at: number; sum: number; frames: Uint8Array}[];
    const merged: {first: number; last: number; time: number; frames: Buffer}[] = [];
    let open:
      | {first: number; last: number; time: number; writer: RecordingFileWriter; bytes: number}
      | undefined;
    const close = () => {
      if (open !== undefined)
        merged.push({first: open.first, last: open.last, time: open.time, frames: open.writer.frames()});
      open = undefined;
    };
    for (const {first, last, at, sum, frames} of small) {
      // A damaged frame stays as it is, so that readers find and report it.
      if (crc32(frames) !== sum) {
        close();
        continue;
      }
      const {blocks} = runToEnd(contentOf(Buffer.from(frames)));
      open ??= {first, last, time: at, writer: new RecordingFileWriter(), bytes: 0};
      for (const block of blocks) {
        open.writer.block(block);
        open.bytes += block.bytes.byteLength;
      }
      open.last = Math.max(open.last, last);
      open.time = at;
      if (open.bytes >= MERGED_BYTES) close();
    }
    close();
    return merged;
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled back: the disk is full.
  }
}
