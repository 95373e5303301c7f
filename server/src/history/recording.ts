// The bounded recording: a ring of batches within limits of runs and bytes. Beside the ring it keeps the newest run of
// every live input and the newest change of every live item. Its only source is krt's trace.
import type {BatchTrace, Published, Run} from '../krt/index.ts';
import {Batch, type BatchNotes, ChangeNode, RunNode} from './batch.ts';
import {LatestByKey} from './latest-by-key.ts';
import {shareWithPriorRun} from './shared-runs.ts';

export interface RecordingLimits {
  /** Runs that are not the last one of a live input. */
  runs: number;
  bytes: number;
}

/** The relations of a collection that decide which inputs exist. */
export interface CollectionLineage {
  /** Derived collections that had this one as primary input in a batch. */
  childrenOf(collection: string, sequence: number): readonly string[];
  /** Rows that are their own inputs: joins. */
  isJoin(collection: string, sequence: number): boolean;
  /** Collections whose last batch is `from` or later, and before `before`. */
  ended(from: number, before: number): readonly string[];
}

const NO_NOTES: BatchNotes = {};

export class Recording {
  readonly limits: RecordingLimits;
  readonly #lineage: CollectionLineage;
  readonly #ledgers = new Map<string, LatestByKey>();
  /** In the ring, oldest first from `#first` on. */
  #ring: Batch[] = [];
  #first = 0;
  /** Batches that left the ring and still have the last run of an input or the last change of an item. */
  readonly #beside = new Map<number, Batch>();
  #dropped: number[] = [];
  #superseded = 0;
  #runs = 0;
  #bytes = 0;
  #newest: number;
  #rolled = false;
  /** The batches of the ring with a run that failed or was discarded. Such runs are rare, and checks look for them. */
  #rejecting: Batch[] = [];
  /** Collections that ended before this batch are forgotten. */
  #swept = 0;

  constructor(limits: RecordingLimits, lineage: CollectionLineage, firstSequence = 0) {
    this.limits = limits;
    this.#lineage = lineage;
    this.#newest = firstSequence;
  }

  get newest(): number {
    return this.#newest;
  }

  /** The oldest sequence whose state can be rebuilt. */
  get oldest(): number {
    return this.#ring[this.#first]?.sequence ?? this.#newest;
  }

  /** Whether no batch has left the ring yet. */
  get isWhole(): boolean {
    return !this.#rolled;
  }

  /** Runs in the ring, and bytes that only the recording keeps. */
  get kept(): {runs: number; bytes: number; since: number} {
    const since = Math.round(this.#ring[this.#first]?.received ?? 0);
    return {
      runs: Math.min(this.#runs, Math.max(this.limits.runs, this.#superseded)),
      bytes: Math.round(this.#bytes),
      since,
    };
  }

  latest(collection: string): LatestByKey {
    let ledger = this.#ledgers.get(collection);
    if (ledger === undefined) {
      ledger = new LatestByKey(collection);
      this.#ledgers.set(collection, ledger);
    }
    return ledger;
  }

  allLatest(): Iterable<LatestByKey> {
    return this.#ledgers.values();
  }

  /** Items that existed before the first recorded batch. */
  seed(collection: string, items: Iterable<[string, unknown]>, sequence: number, at: number): void {
    const base = new Batch({sequence, received: at, settled: at, synced: []}, 0, [], NO_NOTES);
    const ledger = this.latest(collection);
    for (const [key, value] of items) {
      const published: Published = {collection, uid: 0, key, event: 'add', new: value, run: null};
      ledger.change(new ChangeNode(base, 0, published));
    }
  }

  record(
    trace: BatchTrace,
    notes: BatchNotes = NO_NOTES,
    roots: readonly number[] = rootPlaces(trace),
  ): Batch {
    const batch = new Batch(trace, trace.runs.length, roots, notes);
    const {published, runs} = trace;
    this.#sweep(batch);
    const changes: ChangeNode[] = new Array(published.length);
    let ledger: LatestByKey | undefined;
    let anyGone = false;
    let grew: Map<string, number> | undefined;
    for (let place = 0; place < published.length; place++) {
      const change = published[place] as Published;
      if (ledger?.name !== change.collection) ledger = this.latest(change.collection);
      const node = new ChangeNode(batch, place, change);
      changes[place] = node;
      const prior = ledger.change(node);
      if (prior !== undefined) this.#outdated(prior);
      if (change.event === 'delete') anyGone = true;
      if (change.event === 'update') continue;
      grew ??= new Map();
      grew.set(change.collection, (grew.get(change.collection) ?? 0) + (change.event === 'add' ? 1 : -1));
    }
    if (grew !== undefined) batch.grew = grew;
    const nodes: RunNode[] = new Array(runs.length);
    let rejects = false;
    for (let position = 0; position < runs.length; position++) {
      const run = runs[position] as Run;
      if (ledger?.name !== run.collection) ledger = this.latest(run.collection);
      const node = new RunNode(batch, position, run);
      nodes[position] = node;
      rejects ||= run.outcome === 'failed' || run.outcome === 'discarded';
      const prior = ledger.run(node);
      if (node.stayed !== undefined || prior?.stayed !== undefined) noteRetainedRows(batch, ledger, node);
      shareWithPriorRun(run, prior?.run);
      if (prior !== undefined) this.#supersede(prior);
    }
    batch.changeNodes = changes;
    batch.runNodes = nodes;
    if (anyGone) this.#removeInputs(batch, published);
    this.#ring.push(batch);
    if (rejects) this.#rejecting.push(batch);
    this.#runs += runs.length;
    this.#newest = trace.sequence;
    return batch;
  }

  /** Sets the encoded size of a batch. */
  setEncodedSize(batch: Batch, bytes: number): void {
    batch.bytes = bytes;
    this.#bytes += bytesPerRun(batch) * (1 + batch.superseded);
    this.trim();
  }

  /** Drops the oldest batches until the limits hold; the newest batch always stays. */
  trim(): void {
    while (this.#ring.length - this.#first > 1) {
      if (this.#superseded <= this.limits.runs && this.#bytes <= this.limits.bytes) return;
      this.#rollOff();
    }
  }

  /** For a recording that is read back: all batches up to here are outside the ring. */
  rollOffThrough(sequence: number): void {
    if (sequence > 0) this.#rolled = true;
    while ((this.#ring[this.#first]?.sequence ?? Infinity) <= sequence) this.#rollOff();
  }

  /** Blocks that cannot be read, and need not be stored. */
  drop(sequences: readonly number[]): void {
    this.#dropped.push(...sequences);
  }

  /** Sequences that became unused since the last call. */
  takeDropped(): number[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped;
  }

  /** The batch of a sequence, in the ring or beside it. */
  batch(sequence: number): Batch | undefined {
    const at = this.#find(sequence);
    const found = this.#ring[at];
    return found?.sequence === sequence ? found : this.#beside.get(sequence);
  }

  /** The batches of the ring, oldest first. */
  *batches(from = 0, to = Infinity): Iterable<Batch> {
    for (let i = Math.max(this.#first, this.#find(from)); i < this.#ring.length; i++) {
      const batch = this.#ring[i] as Batch;
      if (batch.sequence > to) return;
      yield batch;
    }
  }

  /** The batches of the ring up to a sequence in which a run failed or was discarded, oldest first. */
  *rejectingBatches(to = Infinity): Iterable<Batch> {
    const {oldest} = this;
    if ((this.#rejecting[0]?.sequence ?? oldest) < oldest)
      this.#rejecting = this.#rejecting.filter(({sequence}) => sequence >= oldest);
    for (const batch of this.#rejecting) {
      if (batch.sequence > to) return;
      yield batch;
    }
  }

  /** The batches after a sequence, newest first, to undo them. */
  *batchesAfter(sequence: number): Iterable<Batch> {
    for (let i = this.#ring.length - 1; i >= this.#first; i--) {
      const batch = this.#ring[i] as Batch;
      if (batch.sequence <= sequence) return;
      yield batch;
    }
  }

  batchesBesideRing(): Iterable<Batch> {
    return this.#beside.values();
  }

  /** The newest batch of the ring at or before a sequence. */
  batchAt(sequence: number): Batch | undefined {
    const at = this.#find(sequence);
    const found = this.#ring[at];
    if (found?.sequence === sequence) return found;
    return at > this.#first ? this.#ring[at - 1] : undefined;
  }

  /** The position of the first batch in the ring that is not older. */
  #find(sequence: number): number {
    let low = this.#first;
    let high = this.#ring.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ring[middle] as Batch).sequence < sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #removeInputs(batch: Batch, published: readonly Published[]): void {
    for (const {collection, key, event} of published) {
      if (event !== 'delete') continue;
      const {sequence} = batch;
      for (const child of this.#lineage.childrenOf(collection, sequence))
        this.#removeInput(batch, child, key);
      if (this.#lineage.isJoin(collection, sequence)) this.#removeInput(batch, collection, key);
    }
  }

  #removeInput(batch: Batch, collection: string, key: string): void {
    const last = this.#ledgers.get(collection)?.remove(key, batch.sequence);
    if (last === undefined) return;
    if (last.stayed !== undefined) {
      batch.stays ??= [];
      batch.stays.push({collection, input: key, rows: undefined});
    }
    this.#supersede(last);
  }

  /** A deleted collection has no live inputs; its rows were deleted before. */
  #sweep(batch: Batch): void {
    for (const name of this.#lineage.ended(this.#swept, batch.sequence)) {
      const ledger = this.#ledgers.get(name);
      for (const input of [...(ledger?.inputs.keys() ?? [])]) this.#removeInput(batch, name, input);
    }
    this.#swept = batch.sequence;
  }

  #supersede(node: RunNode): void {
    const {batch} = node;
    if (batch.sequence < this.oldest || this.#beside.has(batch.sequence)) {
      batch.runNodes[node.position] = undefined;
      cutFromNext(node);
      this.#ledgers.get(node.run.collection)?.gone.delete(node.run.input);
      this.#died(batch);
      return;
    }
    batch.superseded += 1;
    this.#superseded += 1;
    if (batch.bytes > 0) this.#bytes += bytesPerRun(batch);
  }

  /** A newer change exists, so a batch outside the ring need not keep the value of this one. */
  #outdated(node: ChangeNode): void {
    const {batch} = node;
    if (batch.sequence >= this.oldest || !this.#beside.has(batch.sequence)) return;
    cutFromNext(node);
    clearValues(node.published);
    this.#died(batch);
  }

  #died(batch: Batch): void {
    batch.living -= 1;
    if (batch.living <= 0 && this.#beside.delete(batch.sequence)) this.#dropped.push(batch.sequence);
  }

  #rollOff(): void {
    const batch = this.#ring[this.#first] as Batch;
    this.#rolled = true;
    this.#ring[this.#first] = undefined as unknown as Batch;
    this.#first += 1;
    if (this.#first > 1024 && this.#first * 2 > this.#ring.length) {
      this.#ring = this.#ring.slice(this.#first);
      this.#first = 0;
    }
    this.#superseded -= batch.superseded;
    this.#runs -= batch.runCount;
    if (batch.bytes > 0) this.#bytes -= bytesPerRun(batch) * (1 + batch.superseded);
    for (const node of batch.changeNodes) if (node !== undefined) this.#rollOffChange(batch, node);
    for (const node of batch.runNodes) if (node !== undefined) this.#rollOffRun(batch, node);
    if (batch.living > 0) this.#beside.set(batch.sequence, batch);
    else this.#dropped.push(batch.sequence);
  }

  // The node mostly knows a newer one: a search would take longer than all the rest.
  #rollOffChange(batch: Batch, node: ChangeNode): void {
    const {published, next} = node;
    node.prior = undefined;
    if (next !== undefined) cutFromNext(node);
    else {
      const {changes} = this.latest(published.collection);
      const isNewest = changes.get(published.key) === node;
      if (isNewest && !node.gone) {
        published.old = undefined;
        batch.living += 1;
        return;
      }
      if (isNewest) changes.delete(published.key);
    }
    clearValues(published);
  }

  #rollOffRun(batch: Batch, node: RunNode): void {
    const {next, run} = node;
    node.prior = undefined;
    if (next !== undefined) cutFromNext(node);
    else {
      const {inputs, gone} = this.latest(run.collection);
      if (inputs.get(run.input) === node) {
        batch.living += 1;
        return;
      }
      if (gone.get(run.input) === node) gone.delete(run.input);
    }
    batch.runNodes[node.position] = undefined;
  }
}

/** The average size of a run. A batch outside the ring does not count. */
function bytesPerRun(batch: Batch): number {
  return batch.bytes / (1 + batch.runCount);
}

/** No object of the cluster restores these rows after a restart, so the main process stores them. */
function noteRetainedRows(batch: Batch, ledger: LatestByKey, {run, stayed}: RunNode): void {
  batch.stays ??= [];
  const rows = stayed?.map(key => ledger.changes.get(key)?.published.new);
  batch.stays.push({collection: run.collection, input: run.input, rows});
}

/** A batch beside the ring keeps its nodes. With a link forward it would keep all later batches of the item, too. */
function cutFromNext(node: ChangeNode | RunNode): void {
  if (node.next !== undefined) node.next.prior = undefined;
  node.next = undefined;
}

function clearValues(published: Published): void {
  published.old = undefined;
  published.new = undefined;
}

/** The places of the writes from outside: krt lists both in the same order. */
export function rootPlaces({published, changes}: BatchTrace): number[] {
  // Allocate the exact size: a list that grows by push reserves room, and mostly there is one write.
  const places: number[] = new Array(changes.length);
  let next = 0;
  for (let place = 0; place < published.length && next < changes.length; place++) {
    const {key, uid} = published[place] as Published;
    const root = changes[next];
    if (root !== undefined && key === root.key && uid === root.uid) places[next++] = place;
  }
  places.length = next;
  return places;
}
