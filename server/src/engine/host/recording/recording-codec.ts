// Converts a session's history to and from bytes: for a file, and for the blocks that main keeps over a restart.
import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import {MemoryBudget} from '../../../history/file/memory-budget.ts';
import {
  decodeFile,
  type FileHeader,
  type RecordingFile,
  RecordingFileWriter,
} from '../../../history/file/recording-file.ts';
import {UnreadableFile} from '../../../history/file/unreadable-file.ts';
import type {IncrementalWork, ProgressListener} from '../../../history/incremental-work.ts';
import {PastStates} from '../../../history/past-states.ts';
import type {Recording} from '../../../history/recording.ts';
import {
  appendRecording,
  type EncodedBatch,
  encodeBatch,
  type RebuildOptions,
  rebuildRecording,
} from '../../../history/recording-rebuild.ts';
import type {RecordedSession} from '../../link/engine-link.ts';
import type {Block} from '../../link/host-messages.ts';
import type {FormulaHashes} from '../formulas/rerun-formulas.ts';
import type {ReadableGraph} from '../live-graph/graph-interface.ts';
import type {StoredCollectionSpans} from './collection-history.ts';
import type {HostHistory} from './host-history.ts';
import type {StoredModuleBuilds} from './module-history.ts';
import {RecordedGraph, type RecordingFacts} from './recorded-graph.ts';

interface EncodableRecording {
  readonly id: string;
  readonly redacted: boolean;
  readonly history: HostHistory;
  readonly graph: ReadableGraph;
  /** Hashes of the formulas that made it, for readers of the file. */
  readonly formulas?: FormulaHashes | undefined;
}

/** Items in one piece of the state. */
const ITEMS_PER_PIECE = 100;

/**
 * Writes a file in steps; one step is a few rows or one batch. The file shows the moment of the first step. Without
 * blocks it is a snapshot.
 */
export function* encodeRecording(
  {id, redacted, history, graph, formulas}: EncodableRecording,
  session: RecordedSession,
  dump: Iterable<string>,
  withBlocks = true,
): Generator<undefined, Uint8Array> {
  const {recording, past, gaps, limits, collections} = history;
  collections.update(graph.collections(), recording.newest);
  const {newest} = recording;
  const oldestAtStart = recording.oldest;
  const batches = withBlocks ? [...recording.batchesBesideRing(), ...recording.batches()] : [];
  const state = past.rows();
  const writer = new RecordingFileWriter();
  const facts: RecordingFacts = {
    session,
    now: graph.now(),
    collections: [...graph.collections()],
    gaps,
    limits,
    lives: collections.write().map(withoutCompiledCode),
    modules: collections.writeModules().map(({compiled: _compiled, sources: _sources, ...texts}) => texts),
    stays: retainedOutputsOf(recording),
    formulas,
  };
  writer.facts(facts);
  for (const [name, rows] of state) {
    // An empty collection is written, too.
    for (let from = 0; from === 0 || from < rows.length; from += ITEMS_PER_PIECE) {
      writer.items(name, rows.slice(from, from + ITEMS_PER_PIECE));
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
  // The recording has continued: batches that rolled off in the meantime cannot be written.
  const oldest = Math.min(newest, withBlocks ? recording.oldest : oldestAtStart);
  return writer.end({recording: id, redacted, written: Date.now(), newest, oldest});
}

/** A file carries typed texts but no code that could run. */
function withoutCompiledCode(span: StoredCollectionSpans[number]): StoredCollectionSpans[number] {
  if (span.revisions === undefined) return span;
  const revisions = span.revisions.map(({from, order: {compiled: _, ...order}}) => ({from, order}));
  return {...span, revisions};
}

/** Output keys of inputs whose last run was not accepted, in case the previous run rolls off. */
function retainedOutputsOf(recording: Recording): RecordingFacts['stays'] {
  const stays: [string, string, readonly string[]][] = [];
  for (const {name, inputs} of recording.allLatest())
    for (const [input, {stayed}] of inputs)
      if (stayed !== undefined && stayed.length > 0) stays.push([name, input, stayed]);
  return stays;
}

export interface DecodedRecording {
  history: HostHistory;
  /** The debug document as JSON text. */
  dump(indent: number): readonly string[];
  graph: RecordedGraph;
  header: FileHeader;
}

/** The share of unpacking and parsing in the time to open a file. */
const READING_SHARE = 0.5;

/** Opens a file in steps and reports its progress. Throws UnreadableFile. */
export function* decodeRecording(
  bytes: Uint8Array,
  allowance = new MemoryBudget(),
  tell: ProgressListener = () => {},
): IncrementalWork<DecodedRecording> {
  const file = yield* decodeFile(bytes, allowance, share => tell(share * READING_SHARE));
  try {
    return yield* decodeHistory(file, allowance, share => tell(READING_SHARE + share * (1 - READING_SHARE)));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    // A crafted file can have a correct checksum and any content.
    throw new UnreadableFile('this recording is damaged: its parts contradict each other');
  }
}

function* decodeHistory(
  {header, state, blocks, dump}: RecordingFile,
  allowance: MemoryBudget,
  tell: ProgressListener,
): IncrementalWork<DecodedRecording> {
  const graph = new RecordedGraph(header);
  const collections = graph.collectionHistory();
  const stays = new Map(
    (graph.facts.stays ?? []).map(([collection, input, keys]) => [`${collection}\n${input}`, keys]),
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
    // A file keeps all its batches: it does not grow.
    limits: {runs: Infinity, bytes: Infinity},
    lineage: collections,
    parentsOf: name => collections.fact(name)?.parents ?? [],
    uidOf: name => collections.fact(name)?.uid ?? 0,
    stayed: (collection, input) => stays.get(`${collection}\n${input}`),
    allowance,
  };
  const recording = yield* rebuildRecording(options, tell);
  const {gaps, limits} = graph.facts;
  const history: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [...gaps],
    collections,
    limits,
  };
  const pretty = (indent: number) => [JSON.stringify(JSON.parse(dump.join('')), null, indent)];
  return {history: history, graph: graph, header, dump: indent => (indent === 0 ? dump : pretty(indent))};
}

/** The history that main kept for the previous process. */
export interface EarlierHistory {
  readonly collections: StoredCollectionSpans;
  readonly modules: StoredModuleBuilds;
}

interface RestoreTarget {
  readonly history: HostHistory;
}

/**
 * Puts an earlier process's recording below this one's, in steps. The last step adds the batches that settled in the
 * meantime. Returns the blocks of this process's batches for main. `replay` is the sequence of the batch that
 * replayed the objects. Throws if blocks are unreadable.
 */
export function* restoreRecording(
  target: RestoreTarget,
  blocks: readonly Block[],
  oldest: number,
  replay: number,
  onUnreadable?: (sequence: number, error: unknown) => void,
): IncrementalWork<EncodedBatch[]> {
  const {history} = target;
  const {recording: fresh, past, collections} = history;
  const recording = yield* rebuildRecording({
    state: yield* past.state(replay),
    blocks,
    oldest,
    newest: Math.max(0, ...blocks.map(({sequence}) => sequence)),
    isReplayed: true,
    onUnreadable,
    limits: fresh.limits,
    lineage: collections,
    parentsOf: name => collections.fact(name)?.parents ?? [],
    uidOf: name => collections.fact(name)?.uid ?? 0,
    similarRun: (collection, input) => past.run(collection, input, replay)?.run,
    stayed: (collection, input) => past.run(collection, input, replay)?.stayed,
  });
  const added = yield* appendRecording(recording, fresh, replay, name => collections.isUserMade(name));
  history.recording = recording;
  history.past = new PastStates(recording);
  return added;
}

/** Gives up the restored blocks and keeps the present. Returns the blocks that main shall keep. */
export function discardRestoredBlocks({history}: RestoreTarget, blocks: readonly Block[]): EncodedBatch[] {
  history.recording.drop(blocks.map(({sequence}) => sequence));
  const kept: EncodedBatch[] = [];
  for (const batch of history.recording.batches()) {
    const bytes = encodeBatch(batch, undefined, name => history.collections.isUserMade(name));
    history.recording.setEncodedSize(batch, bytes.byteLength);
    kept.push({sequence: batch.sequence, bytes});
  }
  return kept;
}
