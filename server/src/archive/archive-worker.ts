// The thread of main that owns the databases. SQLite blocks, so main never calls it itself.
import {parentPort, workerData} from 'node:worker_threads';
import type {
  ArchiveCallName,
  ArchiveCalls,
  ArchiveLimits,
  FromArchiveThread,
  ToArchiveThread,
} from './archive-calls.ts';
import {addBookmark, listBookmarks, removeBookmark} from './bookmarks.ts';
import {readEarlierRecording} from './earlier-recording.ts';
import {OpenRecordings} from './open-recordings.ts';
import {MomentUnreadable} from './recording-reader.ts';
import {enforceLimits} from './retention.ts';
import {RetryingWriter} from './retrying-writer.ts';

const {folder, limits} = workerData as {folder: string; limits: ArchiveLimits};
const send = (message: FromArchiveThread, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

const recordings = new OpenRecordings(folder, log => send({log}));
const writers = new Map<string, RetryingWriter>();
const RETENTION_MS = 30_000;
/** How exactly the next start knows when this process ended. */
const ALIVE_MS = 1000;

function writerOf(recording: string): RetryingWriter | undefined {
  const held = writers.get(recording);
  if (held !== undefined) return held;
  const open = recordings.writer(recording);
  if (open === undefined) return undefined;
  const writer = new RetryingWriter(open, status => send({status}));
  writers.set(recording, writer);
  return writer;
}

type Handlers = {[N in ArchiveCallName]: (takes: ArchiveCalls[N]['takes']) => ArchiveCalls[N]['gives']};

const handlers: Handlers = {
  begin: facts => recordings.begin(facts),
  earlier: ({recording}) =>
    recordings.read(recording, (reader, db) => {
      const facts = reader.facts();
      if (facts === undefined) throw new Error('this recording has no description');
      const status = {recording, range: reader.range(), bytes: reader.bytes()};
      return {facts, earlier: readEarlierRecording(db, recording), status};
    }),
  append: ({recording, entries}) => void writerOf(recording)?.append(entries),
  snapshot: ({recording, snapshot, at}) => void writerOf(recording)?.snapshot(snapshot, at),
  end: ({recording}) => {
    writers.get(recording)?.end();
    writers.delete(recording);
    recordings.end(recording);
  },
  fileAt: ({recording, at}) => recordings.read(recording, reader => reader.fileAt(at)),
  fileBetween: ({recording, from, to}) => recordings.read(recording, reader => reader.fileBetween(from, to)),
  buckets: ({recording, from, to, count}) =>
    recordings.read(recording, reader => ({buckets: reader.buckets(from, to, count), gaps: reader.gaps()})),
  list: () => recordings.list(),
  remove: ({recording}) => recordings.remove(recording),
  bookmarks: ({recording}) => recordings.read(recording, (_, db) => listBookmarks(db)),
  addBookmark: ({recording, ...bookmark}) => recordings.change(recording, db => addBookmark(db, bookmark)),
  removeBookmark: ({recording, id}) => recordings.change(recording, db => removeBookmark(db, id)),
};

parentPort?.on('message', ({id, call, takes}: ToArchiveThread) => {
  try {
    const gives = (handlers[call] as (takes: unknown) => unknown)(takes);
    send({id, gives});
  } catch (error) {
    const {message} = error as Error;
    send({id, failure: message, nearest: error instanceof MomentUnreadable ? error.nearest : undefined});
  }
});

setInterval(() => recordings.noteAlive(), ALIVE_MS).unref();

/** A clock that does not jump: a wrong date must not remove a week of history. */
const started = Date.now() - performance.now();
setInterval(() => {
  try {
    enforceLimits(recordings, limits, started + performance.now());
  } catch (error) {
    send({log: `old history was not removed: ${(error as Error).message}`});
  }
}, RETENTION_MS).unref();
