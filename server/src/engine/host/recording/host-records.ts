// Implements explain's Records with the recording and the current graph. Reads the present from the newest link of a
// chain and the past by walking the chain.

import type {RunMark} from '@krtscope/shared/run.ts';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {
  BatchSummary,
  CollectionEnding,
  CollectionFacts,
  EdgeFacts,
  RecordedBatch,
  RecordedChange,
  RecordedDependency,
  RecordedIncident,
  RecordedRun,
  Records,
  RerunFormulas,
  RowFacts,
  ViolationFacts,
} from '../../../explain/records.ts';
import type {ChangeNode, RunNode} from '../../../history/batch.ts';
import {isAccepted, outputsOf} from '../../../history/latest-by-key.ts';
import {isObserved} from '../../../history/observed-mark.ts';
import type {ReadableGraph} from '../live-graph/graph-interface.ts';
import {stableTextOf} from '../live-graph/stable-text.ts';
import {BatchView} from './batch-view.ts';
import {CollectionRecords} from './collection-records.ts';
import type {HostHistory} from './host-history.ts';
import {outcomeOf, runMarkOf, toRecordedChange, toRecordedDependency, toRecordedRun} from './recorded-run.ts';

const NONE: readonly string[] = Object.freeze([]) as readonly string[];
/** Batch views to keep: one question reads the same batch many times. */
const MAX_BATCH_VIEWS = 32;

export class HostRecords implements Records {
  readonly #history: HostHistory;
  readonly #graph: ReadableGraph;
  readonly #collections: CollectionRecords;
  readonly #views = new Map<number, BatchView>();
  readonly formulas?: RerunFormulas;

  constructor(history: HostHistory, graph: ReadableGraph) {
    this.#history = history;
    this.#graph = graph;
    this.#collections = new CollectionRecords(history, graph);
    const {formulas} = graph;
    if (formulas !== undefined) this.formulas = formulas;
  }

  /** A restore replaced the recording, so links into the old one are invalid. */
  forget(): void {
    this.#views.clear();
  }

  newest(): number {
    return this.#history.recording.newest;
  }

  oldest(): number {
    return this.#history.recording.oldest;
  }

  now(): number {
    return this.#graph.now();
  }

  kept(): RetainedHistory {
    const {recording, limits} = this.#history;
    return {...recording.kept, oldest: recording.oldest, newest: recording.newest, limits: {...limits}};
  }

  gaps(): readonly TimelineGap[] {
    return this.#history.gaps;
  }

  timeOf(sequence: number): number {
    const {recording} = this.#history;
    return (recording.batchAt(sequence) ?? recording.batch(sequence))?.at ?? recording.kept.since;
  }

  collections(at?: number): readonly CollectionFacts[] {
    return this.#collections.collections(at);
  }

  collection(name: string, at?: number): CollectionFacts | undefined {
    return this.#collections.collection(name, at);
  }

  ending(name: string, sequence: number): CollectionEnding | undefined {
    return this.#history.collections.ending(name, sequence);
  }

  rebuilding(name: string, sequence: number): CollectionEnding | undefined {
    return this.#history.collections.rebuilding(name, sequence);
  }

  edges(at?: number): readonly EdgeFacts[] {
    return this.#collections.edges(at);
  }

  syncedSince(collection: string): number | undefined {
    return this.#history.collections.syncedAt(collection);
  }

  has(collection: string, key: string, at?: number): boolean {
    return this.#history.past.has(collection, key, this.#collections.moment(at));
  }

  value(collection: string, key: string, at?: number): unknown {
    return this.#history.past.value(collection, key, this.#collections.moment(at));
  }

  keys(collection: string, at?: number): Iterable<string> {
    return this.#history.past.keys(collection, this.#collections.moment(at));
  }

  size(collection: string, at?: number): number {
    return this.#history.past.size(collection, this.#collections.moment(at));
  }

  row(collection: string, key: string, at?: number): RowFacts | undefined {
    const moment = this.#collections.moment(at);
    const {past} = this.#history;
    const exists = past.has(collection, key, moment);
    const inputs = exists ? this.inputsOf(collection, key, moment) : [key];
    const owner = inputs[0];
    const run = owner === undefined ? undefined : past.run(collection, owner, moment);
    const change = exists ? past.change(collection, key, moment) : undefined;
    if (!exists && (run === undefined || !this.hasInput(collection, key, moment))) return undefined;
    const last = change?.batch ?? run?.batch;
    const outcome = this.#outcomeOf(run, change);
    const facts: {-readonly [K in keyof RowFacts]: RowFacts[K]} = {
      outcome: outcome ?? outcomeOf(change?.published.event ?? 'add'),
      runs: owner === undefined || run === undefined ? 0 : this.#countAt(collection, owner, moment),
      sequence: last?.sequence ?? this.oldest(),
      at: last?.at ?? this.timeOf(this.oldest()),
    };
    if (exists && (outcome === 'failed' || outcome === 'suspended')) facts.stale = true;
    const others = run === undefined ? NONE : inputs.slice(1);
    if (others.length > 0 && !this.#collections.isView(collection, moment)) facts.conflict = others;
    return facts;
  }

  inputsOf(collection: string, key: string, at?: number): readonly string[] {
    const moment = this.#collections.moment(at);
    const fact = this.#collections.fact(collection, moment);
    if (fact === undefined || fact.parents.length === 0) {
      return fact?.kind === 'singleton' ? [''] : this.#history.recording.latest(collection).claimants(key);
    }
    if (fact.kind === 'join' || fact.kind === 'map' || fact.kind === 'status') return [key];
    if (fact.kind === 'index') return this.#keysInside(fact, key, moment);
    const change = this.#history.past.change(collection, key, moment);
    const claimants = this.#history.recording.latest(collection).claimants(key);
    if (claimants.length === 1 && moment === undefined) return claimants;
    const place = change?.published.run ?? null;
    const owner = place === null ? undefined : change?.batch.runNodes[place]?.run.input;
    if (owner === undefined) return [...claimants].sort();
    if (moment !== undefined) return [owner];
    // The smallest claimant owns the row (SPEC.md).
    return [...claimants].sort();
  }

  outputsOf(collection: string, input: string, at?: number): readonly string[] {
    const moment = this.#collections.moment(at);
    if (moment === undefined) {
      const last = this.#history.recording.latest(collection).inputs.get(input);
      return last === undefined ? NONE : outputsOf(last);
    }
    return this.hasInput(collection, input, moment)
      ? this.#history.past.outputs(collection, input, moment)
      : NONE;
  }

  hasInput(collection: string, input: string, at?: number): boolean {
    const moment = this.#collections.moment(at);
    if (moment === undefined) return this.#history.recording.latest(collection).inputs.has(input);
    const fact = this.#collections.fact(collection, moment);
    if (fact === undefined) return false;
    if (fact.parents.length === 0) return this.#history.past.run(collection, input, moment) !== undefined;
    return fact.parents.some(parent => this.#history.past.has(parent, input, moment));
  }

  dependenciesOf(collection: string, input: string, at?: number): readonly RecordedDependency[] {
    const found = new Map<string, RecordedDependency>();
    let node = this.#history.past.run(collection, input, this.#collections.moment(at));
    while (node !== undefined) {
      for (const fetch of node.run.fetches) {
        const name = `${fetch.collection} ${fetch.filter}`;
        if (!found.has(name)) found.set(name, toRecordedDependency(fetch));
      }
      // A discarded run adds its fetches to those of the last accepted one.
      if (node.run.outcome !== 'discarded' || isAccepted(node.run)) break;
      node = node.prior;
    }
    return [...found.values()];
  }

  lastRun(collection: string, input: string, at?: number): RecordedRun | undefined {
    const node = this.#history.past.run(collection, input, this.#collections.moment(at));
    return node === undefined ? undefined : toRecordedRun(node);
  }

  tellingRun(
    collection: string,
    input: string,
    key?: string,
    at?: number,
  ): {run: RecordedRun; since: number} | undefined {
    let node = this.#history.past.run(collection, input, this.#collections.moment(at));
    for (let since = 0; node !== undefined; node = node.prior, since++)
      if (explainsRow(node, key)) return {run: toRecordedRun(node), since};
    return undefined;
  }

  runsOf(collection: string, input: string, at?: number): readonly RunMark[] {
    const marks: RunMark[] = [];
    let node: RunNode | undefined = this.#history.past.run(collection, input, this.#collections.moment(at));
    for (; node !== undefined; node = node.prior) marks.push(runMarkOf(node));
    return marks.reverse();
  }

  runCount(collection: string, input: string): number {
    return this.#history.recording.latest(collection).inputs.get(input)?.count ?? 0;
  }

  runTotal(collection: string): number {
    return this.#history.recording.latest(collection).runs;
  }

  failedInputs(collection: string, at?: number): readonly string[] {
    const moment = this.#collections.moment(at);
    const failed = this.#history.recording.latest(collection).failed;
    if (moment === undefined) return [...failed];
    return this.#endedIn('failed', collection, moment, failed);
  }

  discardedInputs(collection: string, at?: number): readonly string[] {
    return this.#endedIn('discarded', collection, this.#collections.moment(at), []);
  }

  isWhole(): boolean {
    return this.#history.recording.isWhole;
  }

  /** Inputs whose last run up to a moment had this outcome, among the given ones and in the retained batches. */
  #endedIn(
    outcome: 'failed' | 'discarded',
    collection: string,
    moment: number | undefined,
    candidates: Iterable<string>,
  ): string[] {
    const inputs = new Set(candidates);
    for (const batch of this.#history.recording.rejectingBatches(moment)) {
      for (const node of batch.runNodes)
        if (node?.run.collection === collection && node.run.outcome === outcome) inputs.add(node.run.input);
    }
    return [...inputs].filter(
      input =>
        this.hasInput(collection, input, moment) &&
        this.#history.past.run(collection, input, moment)?.run.outcome === outcome,
    );
  }

  runById(id: string): RecordedRun | undefined {
    const [sequence, position] = id.split('.').map(Number);
    const node = this.#history.recording.batch(sequence ?? -1)?.runNodes[position ?? -1];
    return node === undefined ? undefined : toRecordedRun(node);
  }

  runBefore(id: string): RecordedRun | undefined {
    const [sequence, position] = id.split('.').map(Number);
    const prior = this.#history.recording.batch(sequence ?? -1)?.runNodes[position ?? -1]?.prior;
    return prior === undefined ? undefined : toRecordedRun(prior);
  }

  lastChange(collection: string, key: string, at?: number): RecordedChange | undefined {
    const node = this.#history.past.change(collection, key, this.#collections.moment(at));
    return node === undefined ? undefined : toRecordedChange(node);
  }

  *changesOf(collection: string, key: string, at?: number): Iterable<RecordedChange> {
    let node = this.#history.past.change(collection, key, this.#collections.moment(at));
    for (; node !== undefined; node = node.prior) yield toRecordedChange(node);
  }

  batch(sequence: number): RecordedBatch | undefined {
    const cached = this.#views.get(sequence);
    if (cached !== undefined) {
      // Move it to the end: the first entry of the map is the least recently used.
      this.#views.delete(sequence);
      this.#views.set(sequence, cached);
      return cached;
    }
    const batch = this.#history.recording.batch(sequence);
    if (batch === undefined) return undefined;
    const view = new BatchView(batch);
    if (this.#views.size >= MAX_BATCH_VIEWS) this.#views.delete(this.#views.keys().next().value as number);
    this.#views.set(sequence, view);
    return view;
  }

  batches(from?: number, to?: number): Iterable<BatchSummary> {
    return this.#history.recording.batches(from, to);
  }

  violations(at?: number): readonly ViolationFacts[] {
    return this.#collections.journals<ViolationFacts>('violations', at);
  }

  incidents(at?: number): readonly RecordedIncident[] {
    return this.#collections.journals<RecordedIncident>('incidents', at);
  }

  recorder(): {
    readonly share: number;
    readonly cost?: number;
    readonly heap: number;
    readonly frame?: number;
  } {
    return this.#graph.recorder();
  }

  /** One run may change a row, add another and leave a third as it was. */
  #outcomeOf(run: RunNode | undefined, change: ChangeNode | undefined): RunOutcome | undefined {
    if (run !== undefined && isObserved(run.run)) return 'observed';
    const isNewer = change !== undefined && change.sequence > (run?.sequence ?? 0);
    if (isNewer && isObserved(change.published)) return 'observed';
    if (run?.run.outcome !== 'changed' || change === undefined) return run?.run.outcome;
    return change.sequence === run.sequence ? outcomeOf(change.published.event) : 'equal';
  }

  #countAt(collection: string, input: string, moment: number | undefined): number {
    return this.#history.past.run(collection, input, moment)?.count ?? 0;
  }

  /** An index row holds the objects themselves. A running graph knows their keys; in a file they are searched. */
  #keysInside(fact: CollectionFacts, key: string, moment: number | undefined): string[] {
    const {past} = this.#history;
    const row = past.value(fact.name, key, moment) as {objects?: readonly unknown[]} | undefined;
    const objects = row?.objects ?? [];
    const parent = fact.parents[0] as string;
    const itemKeys = this.#graph.keysOf?.(parent, objects);
    if (itemKeys?.every((one, i) => past.value(parent, one, moment) === objects[i])) return itemKeys;
    // Both ways keep the order of the group.
    const find = (sign: (value: unknown) => unknown): string[] => {
      const places = new Map(objects.map((object, place) => [sign(object), place]));
      const keys: {key: string; place: number}[] = [];
      for (const candidate of past.keys(parent, moment)) {
        const place = places.get(sign(past.value(parent, candidate, moment)));
        if (place !== undefined) keys.push({key: candidate, place});
      }
      return keys.sort((a, b) => a.place - b.place).map(one => one.key);
    };
    const keys = find(value => value);
    return keys.length === objects.length ? keys : find(stableTextOf);
  }
}

function explainsRow({run, prior, count}: RunNode, key: string | undefined): boolean {
  switch (run.outcome) {
    case 'equal':
      return false;
    case 'empty':
      // The input was deleted in between, so earlier runs belong to another object.
      if (run.causes.some(({kind, event}) => kind === 'input' && event === 'add')) return true;
      // The previous run may have rolled off. In that case this run is not the first.
      return prior === undefined ? count === 1 : outputsOf(prior).length > 0 || prior.run.outcome !== 'empty';
    case 'changed':
      return key === undefined || run.outputs.some(output => output.key === key && output.change !== 'equal');
    default:
      return true;
  }
}
