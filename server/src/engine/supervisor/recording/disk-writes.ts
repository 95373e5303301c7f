// What the supervisor writes to disk beside each settled batch: the state so far, and snapshots.
import {packBlocks} from '../../link/block-packing.ts';
import type {Arrival} from '../../link/host-messages.ts';
import type {RecordingArchive} from '../../link/recording-archive.ts';
import type {ReplayLog} from '../changes/replay-log.ts';
import type {RecordingBlocks} from './recording-blocks.ts';
import type {RecordingIndex} from './recording-index.ts';

/** Everything that happened before it was known which cluster this is. */
export function writeSoFar(
  archive: RecordingArchive,
  log: ReplayLog,
  blocks: RecordingBlocks,
  index: RecordingIndex,
): void {
  const objects = [...log.chunks()].flat();
  const received = Date.now();
  const arrivals: Arrival[] = log.reports().map(([source, report]) => ({source, report}));
  arrivals.unshift({
    changes: objects.map(([collection, key, object]) => ({
      collection,
      key,
      event: 'add',
      new: object,
      received,
    })),
  });
  if (objects.length > 0 || blocks.size > 0) {
    const {sequence, kept} = index;
    const {rows, collectionHistory: lives} = blocks;
    archive.sent(
      arrivals.map(() => 0),
      JSON.stringify(arrivals),
    );
    const packed = packBlocks(blocks.all());
    archive.settled({sequence, at: received, through: 0, blocks: packed, rows, lives, kept, tallies: []});
  }
  const {ids, arrivals: underway} = log.underway();
  if (ids.length > 0) archive.sent(ids, JSON.stringify(underway));
}

/** `take` asks the engine process for its state. */
export async function writeSnapshot(
  archive: RecordingArchive,
  log: ReplayLog,
  blocks: RecordingBlocks,
  take: () => Promise<Uint8Array>,
): Promise<void> {
  // Blocks that roll off in the meantime belong to the snapshot, too.
  const olderBlocks = blocks.all();
  const began = performance.now();
  try {
    const file = await take();
    const {rows, collectionHistory: lives} = blocks;
    const snapshot = {file, olderBlocks, rows, lives, reports: log.reports()};
    archive.snapshot(snapshot, performance.now() - began);
  } catch {
    // The process ended. The next one is asked again.
    archive.snapshot(undefined, performance.now() - began);
  }
}
