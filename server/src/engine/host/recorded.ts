// The books of a session to and from bytes: a file, and the blocks that main kept over a restart.
import {MemoryBudget} from '../../history/file/memory-budget.ts';
import {
  decodeFile,
  type FileHeader,
  type RecordingFile,
  RecordingFileWriter,
} from '../../history/file/recording-file.ts';
import {UnreadableFile} from '../../history/file/unreadable-file.ts';
import type {IncrementalWork, ProgressListener} from '../../history/incremental-work.ts';
import {PastStates} from '../../history/past-states.ts';
import type {Recording} from '../../history/recording.ts';
import {
  appendRecording,
  type EncodedBatch,
  encodeBatch,
  type RebuildOptions,
  rebuildRecording,
} from '../../history/recording-rebuild.ts';
import type {RecordedSession} from '../link/link.ts';
import type {Block} from '../link/messages.ts';
import type {Hashes} from './formulas.ts';
import {deepFreeze} from './intake.ts';
import type {WrittenLives} from './lives.ts';
import type {WrittenModules} from './module-texts.ts';
import {type FileFacts, OpenedFile} from './opened.ts';
import type {Books, World} from './world.ts';

interface Written {
  readonly id: string;
  readonly redacted: boolean;
  readonly books: Books;
  readonly world: World;
  /** Of the formulas that made it, for whoever opens the file. */
  readonly formulas?: Hashes | undefined;
}

/** Items of one piece of the state. */
const ITEMS = 100;

/** The whole file, in steps: one is a few rows or one batch. What it holds is the moment at which it begins. */
export function* writeBooks(
  {id, redacted, books, world, formulas}: Written,
  session: RecordedSession,
  dump: Iterable<string>,
): Generator<undefined, Uint8Array> {
  const {recording, past, gaps, limits, lives} = books;
  lives.update(world.collections(), recording.newest);
  const {newest} = recording;
  const batches = [...recording.batchesBesideRing(), ...recording.batches()];
  const state = past.rows();
  const writer = new RecordingFileWriter();
  const facts: FileFacts = {
    session,
    now: world.now(),
    collections: [...world.collections()],
    gaps,
    limits,
    lives: lives.write().map(asText),
    modules: lives.writeModules().map(({compiled: _compiled, sources: _sources, ...texts}) => texts),
    stays: staysOf(recording),
    ...(formulas === undefined ? {} : {formulas}),
  };
  writer.facts(facts);
  for (const [name, rows] of state) {
    // An empty collection is there, too.
    for (let from = 0; from === 0 || from < rows.length; from += ITEMS) {
      writer.items(name, rows.slice(from, from + ITEMS));
      yield;
    }
  }
  for (const batch of batches) {
    writer.block({sequence: batch.sequence, bytes: encodeBatch(batch)});
    yield;
  }
  for (const text of dump) {
    writer.dump(text);
    yield;
  }
  // The recording has gone on: what has been let go of meanwhile can no longer be told.
  const oldest = Math.min(newest, recording.oldest);
  return writer.end({recording: id, redacted, written: Date.now(), newest, oldest});
}

/** A file carries what was typed and nothing that could run. */
function asText(life: WrittenLives[number]): WrittenLives[number] {
  if (life.revisions === undefined) return life;
  const revisions = life.revisions.map(({from, order: {compiled: _, ...order}}) => ({from, order}));
  return {...life, revisions};
}

/** Output keys of inputs whose last run was not accepted, for the time when the run before it has rolled off. */
function staysOf(recording: Recording): FileFacts['stays'] {
  const stays: [string, string, readonly string[]][] = [];
  for (const {name, inputs} of recording.allLatest())
    for (const [input, {stayed}] of inputs)
      if (stayed !== undefined && stayed.length > 0) stays.push([name, input, stayed]);
  return stays;
}

export interface OpenedBooks {
  books: Books;
  /** The debug document as JSON text. */
  dump(indent: number): readonly string[];
  world: OpenedFile;
  header: FileHeader;
}

/** Of all that opening a file takes, what unpacking and reading its text does. */
const READING = 0.5;

/** Step by step, telling how far it is. Throws UnreadableFile. */
export function* openBooks(
  bytes: Uint8Array,
  allowance = new MemoryBudget(),
  tell: ProgressListener = () => {},
): IncrementalWork<OpenedBooks> {
  const file = yield* decodeFile(bytes, allowance, share => tell(share * READING));
  try {
    return yield* booksOf(file, allowance, share => tell(READING + share * (1 - READING)));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    // Whoever made a file by hand has the checksum right: what is inside may be anything.
    throw new UnreadableFile('this recording is damaged: what it holds does not fit together');
  }
}

function* booksOf(
  {header, state, blocks, dump}: RecordingFile,
  allowance: MemoryBudget,
  tell: ProgressListener,
): IncrementalWork<OpenedBooks> {
  const world = new OpenedFile(header);
  const lives = world.lives();
  const stays = new Map(
    (world.facts.stays ?? []).map(([collection, input, keys]) => [`${collection}\n${input}`, keys]),
  );
  for (const items of state.values()) {
    for (const value of items.values()) {
      deepFreeze(value);
      yield;
    }
  }
  const options: RebuildOptions = {
    state,
    blocks,
    oldest: header.oldest,
    newest: header.newest,
    // Nothing is added to a file: what it holds stays.
    limits: {runs: Infinity, bytes: Infinity},
    lineage: lives,
    parentsOf: name => lives.fact(name)?.parents ?? [],
    uidOf: name => lives.fact(name)?.uid ?? 0,
    stayed: (collection, input) => stays.get(`${collection}\n${input}`),
    allowance,
  };
  const recording = yield* rebuildRecording(options, tell);
  const {gaps, limits} = world.facts;
  const books: Books = {
    recording,
    past: new PastStates(recording),
    gaps: [...gaps],
    lives,
    limits,
  };
  const pretty = (indent: number) => [JSON.stringify(JSON.parse(dump.join('')), null, indent)];
  return {books, world, header, dump: indent => (indent === 0 ? dump : pretty(indent))};
}

/** What main kept of the lives, in the words of the process before. */
export interface Before {
  readonly collections: WrittenLives;
  readonly modules: WrittenModules;
}

interface RestoringDesk {
  readonly books: Books;
}

/**
 * Puts what an earlier process recorded below what this one has, step by step: what it settles meanwhile is put on top in
 * the last one. Returns the blocks of this one's batches, for main. `replay` is the sequence of the batch that took the
 * objects in again. Throws what makes blocks unreadable.
 */
export function* restoreBooks(
  desk: RestoringDesk,
  blocks: readonly Block[],
  oldest: number,
  replay: number,
  before: Before,
): IncrementalWork<EncodedBatch[]> {
  const {books} = desk;
  const {recording: fresh, past, lives} = books;
  lives.restore(before.collections, replay, before.modules);
  const recording = yield* rebuildRecording({
    // The replay brought back exactly the state that the newest of these blocks left.
    state: yield* past.state(replay),
    blocks,
    oldest,
    newest: Math.max(0, ...blocks.map(({sequence}) => sequence)),
    limits: fresh.limits,
    lineage: lives,
    parentsOf: name => lives.fact(name)?.parents ?? [],
    uidOf: name => lives.fact(name)?.uid ?? 0,
    similarRun: (collection, input) => past.run(collection, input, replay)?.run,
    stayed: (collection, input) => past.run(collection, input, replay)?.stayed,
  });
  const added = yield* appendRecording(recording, fresh, replay);
  books.recording = recording;
  books.past = new PastStates(recording);
  return added;
}

/** Blocks that do not fit what the objects give now are let go; the present stays. Returns what main shall keep. */
export function startOver({books}: RestoringDesk, blocks: readonly Block[]): EncodedBatch[] {
  books.recording.drop(blocks.map(({sequence}) => sequence));
  const kept: EncodedBatch[] = [];
  for (const batch of books.recording.batches()) {
    const bytes = encodeBatch(batch);
    books.recording.setEncodedSize(batch, bytes.byteLength);
    kept.push({sequence: batch.sequence, bytes});
  }
  return kept;
}
