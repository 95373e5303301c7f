// Rebuilds a recording from its encoded blocks: from a file, or after an engine restart on top of the replayed state.
// Old values come from walking back through the blocks.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Published, Run} from '../krt/index.ts';
import type {Batch} from './batch.ts';
import {type BatchSelection, selectFromBatch, traceOf} from './batch-selection.ts';
import {
  type DecodedBatch,
  decodeBlock,
  type RecordedState,
  type SameFetch,
} from './encoding/block-decoder.ts';
import {encodeBlock} from './encoding/block-encoder.ts';
import {type MemoryBudget, weights} from './file/memory-budget.ts';
import type {IncrementalWork, ProgressListener} from './incremental-work.ts';
import {isAccepted} from './latest-by-key.ts';
import {PastStates} from './past-states.ts';
import {type CollectionLineage, Recording, type RecordingLimits} from './recording.ts';
import {ReplayedRows} from './replayed-rows.ts';

export interface EncodedBatch {
  sequence: number;
  bytes: Uint8Array;
}

export interface RebuildOptions {
  /** The state after the newest block. The rebuild changes it. */
  state: RecordedState;
  /** In any order. */
  blocks: readonly EncodedBatch[];
  /** Blocks before this one are kept only for the last run or change of a live input or item. */
  oldest: number;
  /** The newest sequence, if no block has a later one. */
  newest: number;
  limits: RecordingLimits;
  lineage: CollectionLineage;
  /** Parents of a collection, to know which inputs still exist. */
  parentsOf(collection: string): readonly string[];
  uidOf(collection: string): number;
  /** The replayed run of the same input with the same reads, for what a kept run shares with a dropped one. */
  similarRun?: (collection: string, input: string) => Run | undefined;
  /** Output keys that an input has although its last run was not accepted. */
  stayed?: (collection: string, input: string) => readonly string[] | undefined;
  /** The state comes from a replay: its rows may differ from those that the newest block left. */
  isReplayed?: boolean;
  /** Called for a block that cannot be read, which is left out. Without it, such a block makes the rebuild fail. */
  onUnreadable?: (sequence: number, error: unknown) => void;
  /** For blocks from an untrusted file. */
  allowance?: MemoryBudget;
}

/** In steps, because a full recording takes seconds to read. */
export function* rebuildRecording(
  options: RebuildOptions,
  tell: ProgressListener = () => {},
): IncrementalWork<Recording> {
  const {state, blocks, oldest, limits, lineage, uidOf, allowance} = options;
  // Each block is decoded and then recorded.
  let done = 0;
  const step = (): void => tell(++done / (2 * blocks.length));
  const ring: DecodedBatch[] = [];
  const lone: DecodedBatch[] = [];
  // Newest first: the state before a block is the state after the next one.
  const decoded = blocks.toSorted((a, b) => b.sequence - a.sequence);
  const replayed = options.isReplayed ? new ReplayedRows(state, options.parentsOf) : undefined;
  let isComplete = true;
  for (const {sequence, bytes} of decoded) {
    const isLone = sequence < oldest;
    try {
      (isLone ? lone : ring).push(decodeBlock(bytes, state, uidOf, isLone, allowance, replayed));
    } catch (error) {
      if (options.onUnreadable === undefined) throw error;
      options.onUnreadable(sequence, error);
      isComplete = false;
    }
    step();
    yield;
  }
  replayed?.end(isComplete);
  ring.reverse();
  lone.reverse();
  yield* fillInSharedParts([...lone, ...ring], options);
  const recording = new Recording(limits, lineage, options.newest);
  const since = ring[0]?.trace.received ?? 0;
  for (const [collection, items] of state) {
    recording.seed(collection, items, Math.max(0, oldest - 1), since);
    yield;
  }
  for (const one of lone) {
    recordLoneBatch(recording, one, state, options);
    step();
    yield;
  }
  for (const {trace, notes, roots, bytes} of ring) {
    const batch = recording.record(trace, notes, roots);
    recording.setEncodedSize(batch, bytes);
    step();
    yield;
  }
  recording.rollOffThrough(oldest - 1);
  if (options.stayed !== undefined) restoreRetainedRows(recording, options.stayed);
  return recording;
}

function restoreRetainedRows(recording: Recording, stayed: NonNullable<RebuildOptions['stayed']>): void {
  for (const ledger of recording.allLatest()) {
    for (const [input, node] of ledger.inputs) {
      const keys = isAccepted(node.run) ? undefined : stayed(ledger.name, input);
      if (keys !== undefined) ledger.stay(node, keys);
    }
  }
}

/** Fills in what a run shares with the run before it. Oldest first. */
function* fillInSharedParts(
  batches: readonly DecodedBatch[],
  {similarRun: likeness, allowance}: RebuildOptions,
): IncrementalWork<void> {
  const last = new Map<string, Run>();
  for (const {trace, sameFetches, equalOutputs} of batches) {
    for (const run of trace.runs) {
      const id = `${run.collection} ${run.input}`;
      const before = last.get(id) ?? likeness?.(run.collection, run.input);
      const same = sameFetches.get(run);
      if (before !== undefined && same !== undefined) addFetches(run, before, same);
      if (before !== undefined && equalOutputs.has(run)) {
        allowance?.take(weights.output * before.outputs.length);
        addEqualOutputs(run, before);
      }
      last.set(id, run);
    }
    yield;
  }
}

function addFetches(run: Run, before: Run, same: readonly SameFetch[] | 'all'): void {
  if (same === 'all') run.fetches = before.fetches;
  else {
    for (const {place, counts} of same) {
      const fetch = before.fetches[place];
      if (fetch !== undefined)
        run.fetches.splice(place, 0, counts === undefined ? fetch : {...fetch, ...counts});
    }
  }
}

function addEqualOutputs(run: Run, before: Run): void {
  const own = new Set(run.outputs.map(({key}) => key));
  for (const {key, change} of before.outputs) {
    if (change !== 'deleted' && !own.has(key)) run.outputs.push({key, change: 'equal'});
  }
}

/** Keeps only changes of existing items and runs of live inputs. */
function recordLoneBatch(
  recording: Recording,
  decoded: DecodedBatch,
  state: RecordedState,
  options: RebuildOptions,
): void {
  const {trace, roots, notes, bytes} = decoded;
  // Such a batch is only read, so it needs no links.
  const draft = new Recording(options.limits, options.lineage).record(trace, notes, roots);
  const kept = selectFromBatch(
    draft,
    ({collection, key, event}) => event !== 'delete' && state.get(collection)?.has(key) === true,
    run => isInputAlive(run, state, options),
  );
  const batch = recording.record(kept.trace, {}, kept.roots);
  recording.setEncodedSize(batch, bytes);
}

function isInputAlive({collection, input}: Run, state: RecordedState, {parentsOf}: RebuildOptions): boolean {
  const parents = parentsOf(collection);
  if (parents.length === 0) return true;
  return parents.some(parent => state.get(parent)?.has(input));
}

/** The block of a recorded batch, its runs told apart from those before them. `keepsNew`: see encodeBlock. */
export function encodeBatch(
  batch: Batch,
  {trace, roots}: BatchSelection = traceOf(batch),
  keepsNew?: (collection: string) => boolean,
): Uint8Array {
  const whole = trace.runs.length === batch.runNodes.length;
  const priorOf = (position: number) => (whole ? batch.runNodes[position]?.prior?.run : undefined);
  return encodeBlock(trace, roots, batch.notes, priorOf, keepsNew);
}

/**
 * Appends what a new process has recorded since its replay to the earlier recording. The replay batch keeps only the runs
 * of inputs without an earlier run: for all others the earlier run still explains the row.
 * Returns the encoded blocks of what it appended. In steps: what the process records meanwhile comes last.
 */
export function* appendRecording(
  before: Recording,
  fresh: Recording,
  replay: number,
  keepsNew?: (collection: string) => boolean,
): IncrementalWork<EncodedBatch[]> {
  const blocks: EncodedBatch[] = [];
  const after = new PastStates(fresh);
  const introduced = new Set<string>();
  /** What the replay added, without items that it deleted again before it was complete. */
  const isNews = ({collection, key}: Published): boolean => {
    const id = `${collection}\n${key}`;
    if (introduced.has(id)) return true;
    const last = before.latest(collection).changes.get(key);
    if ((last !== undefined && !last.gone) || !after.has(collection, key, replay)) return false;
    introduced.add(id);
    return true;
  };
  let missing: Published[] | undefined = rowsOtherThanReplayed(before, after, replay, keepsNew);
  for (const batch of fresh.batches()) {
    // The first batch built the graph.
    const isReplay = batch.sequence <= replay;
    const {trace, roots} = isReplay
      ? selectFromBatch(
          batch,
          isNews,
          ({collection, input}) =>
            !before.latest(collection).inputs.has(input) && fresh.latest(collection).inputs.has(input),
        )
      : traceOf(batch);
    if (batch.sequence >= replay && missing !== undefined) {
      trace.published.push(...missing);
      missing = undefined;
    }
    const recorded = before.record(trace, batch.notes, roots);
    const bytes = encodeBatch(recorded, {trace, roots}, keepsNew);
    before.setEncodedSize(recorded, bytes.byteLength);
    blocks.push({sequence: batch.sequence, bytes});
    yield;
  }
  return blocks;
}

/**
 * Deletes the rows that the replay did not bring back, such as those of a quarantined formula, and updates those that it
 * brought back with another value.
 */
function rowsOtherThanReplayed(
  before: Recording,
  after: PastStates,
  replay: number,
  keepsNew: (collection: string) => boolean = () => false,
): Published[] {
  const changed: Published[] = [];
  for (const {name, changes} of before.allLatest()) {
    for (const [key, node] of changes) {
      if (node.gone) continue;
      const {uid, new: old} = node.published;
      if (!after.has(name, key, replay))
        changed.push({collection: name, uid, key, event: 'delete', old, run: null});
      else if (keepsNew(name)) {
        const now = after.value(name, key, replay);
        if (!deepEqual(old, now))
          changed.push({collection: name, uid, key, event: 'update', old, new: now, run: null});
      }
    }
  }
  return changed;
}
