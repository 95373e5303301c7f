// Reads back what an earlier process of krtscope wrote last, so that its recording goes on.
import type {DatabaseSync} from 'node:sqlite';
import {crc32, zstdDecompressSync} from 'node:zlib';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {SourceReport} from '../engine/link/engine-link.ts';
import {isHiddenCollection} from '../engine/link/hidden-collections.ts';
import type {Arrival, Block, ReplayRows} from '../engine/link/host-messages.ts';
import type {EarlierRecording} from '../engine/link/recording-archive.ts';
import {fits, objectOf} from '../engine/link/sent-object.ts';
import {contentOf} from '../history/file/recording-file.ts';
import {runToEnd} from '../history/incremental-work.ts';
import type {StoredArrivals} from './archive-entries.ts';

/** The part of a snapshot's facts that tells sources from derived collections. */
interface SnapshotFacts {
  collections?: {name: string; kind: string}[];
}

interface NewestSnapshot {
  sequence: number;
  oldest: number;
  sum: number;
  frames: Uint8Array;
  older: Uint8Array;
  restart: Uint8Array | null;
}

/** Undefined if nothing is there, or if too much is damaged to go on. */
export function readEarlierRecording(db: DatabaseSync, recording: string): EarlierRecording | undefined {
  const objects = new Map<string, Map<string, unknown>>();
  const reports = new Map<string, SourceReport>();
  const rows = new Map<string, ReplayRows>();
  const blocks: Block[] = [];
  let lives = '{"collections":[],"modules":[]}';
  let kept: RetainedHistory | undefined;
  const storeRows = (list: readonly ReplayRows[]) => {
    for (const row of list) {
      if (row[2] === null) rows.delete(`${row[0]}\n${row[1]}`);
      else rows.set(`${row[0]}\n${row[1]}`, row);
    }
  };
  const snapshot = db.prepare('SELECT * FROM snapshots ORDER BY sequence DESC LIMIT 1').get() as
    | NewestSnapshot
    | undefined;
  if (snapshot !== undefined) {
    if (snapshot.restart === null || crc32(snapshot.frames) !== snapshot.sum) return undefined;
    const {state, facts} = runToEnd(contentOf(Buffer.from(snapshot.frames)));
    const sources = new Set(
      ((facts as SnapshotFacts).collections ?? [])
        .filter(({kind}) => kind === 'source')
        .map(({name}) => name),
    );
    for (const [name, items] of state)
      if (sources.has(name) || isHiddenCollection(name)) objects.set(name, items);
    const restart = JSON.parse(zstdDecompressSync(snapshot.restart).toString('utf8')) as {
      rows: ReplayRows[];
      lives: string;
      reports: [string, SourceReport][];
    };
    storeRows(restart.rows);
    lives = restart.lives;
    for (const [name, report] of restart.reports) reports.set(name, report);
    blocks.push(...runToEnd(contentOf(Buffer.from(snapshot.older))).blocks);
  }
  const oldest = snapshot?.oldest ?? 0;
  const later = db
    .prepare('SELECT packed FROM arrivals WHERE sequence > ? ORDER BY id')
    .all(snapshot?.sequence ?? -1) as unknown as {packed: Uint8Array}[];
  for (const {packed} of later) {
    const entry = JSON.parse(zstdDecompressSync(packed).toString('utf8')) as StoredArrivals;
    apply(entry, objects, reports);
    storeRows(entry.rows);
    lives = entry.lives ?? lives;
    kept = entry.kept ?? kept;
  }
  const chunks = db
    .prepare('SELECT last, at, sum, frames FROM chunks WHERE last >= ? ORDER BY first')
    .all(oldest) as unknown as {last: number; at: number; sum: number; frames: Uint8Array}[];
  const newest = chunks.at(-1);
  if (newest === undefined) return undefined;
  for (const {last, sum, frames} of chunks) {
    // Blocks before a damaged frame do not fit to the blocks after it. A block without content stands for them, so
    // that rows whose last change was there are not taken for new ones.
    if (crc32(frames) !== sum) blocks.splice(0, blocks.length, {sequence: last, bytes: new Uint8Array()});
    else for (const block of runToEnd(contentOf(Buffer.from(frames))).blocks) blocks.push(block);
  }
  const first =
    blocks.find(({sequence, bytes}) => sequence >= oldest && bytes.byteLength > 0)?.sequence ?? newest.last;
  const limits = kept?.limits ?? {runs: 0, megabytes: 0};
  return {
    recording,
    sequence: newest.last,
    at: newest.at,
    kept: {
      runs: 0,
      bytes: 0,
      since: newest.at,
      limits,
      ...kept,
      oldest: Math.max(first, oldest),
      newest: newest.last,
    },
    objects: [...objects].flatMap(([collection, items]) =>
      [...items].map(([key, object]): [string, string, unknown] => [collection, key, object]),
    ),
    reports: [...reports],
    rows: [...rows.values()],
    lives,
    blocks,
    gaps: readGaps(db),
  };
}

export function readGaps(db: DatabaseSync): TimelineGap[] {
  const gaps = db.prepare('SELECT kind, began, ended, sequence, text FROM gaps ORDER BY began, id').all();
  return gaps.map(row => ({
    kind: row.kind as TimelineGap['kind'],
    from: row.began as number,
    to: row.ended as number,
    sequence: row.sequence as number,
    text: row.text as string,
  }));
}

function apply(
  {sent, from, through}: StoredArrivals,
  objects: Map<string, Map<string, unknown>>,
  reports: Map<string, SourceReport>,
): void {
  for (const [ids, text] of sent) {
    const arrivals = JSON.parse(text) as Arrival[];
    for (const [place, arrival] of arrivals.entries()) {
      const id = ids[place] as number;
      if (id <= from || id > through) continue;
      if ('source' in arrival) {
        reports.set(arrival.source, arrival.report);
        continue;
      }
      for (const change of arrival.changes) {
        const {collection, key, event} = change;
        let items = objects.get(collection);
        if (items === undefined) {
          items = new Map();
          objects.set(collection, items);
        }
        if (event === 'delete') items.delete(key);
        // The snapshot may have the changes of its own second already.
        else if (fits(change, items.get(key))) items.set(key, objectOf(change, items.get(key)));
      }
    }
  }
}
