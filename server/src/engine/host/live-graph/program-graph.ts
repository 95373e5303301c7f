// A graph that a program reports. The program's batches are recorded as they are. Whatever the program leaves out is
// marked as observed, never guessed. Only users' formulas over its collections run here.

import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import {shareStructure} from '@krtscope/shared/json/share-structure.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import type {CollectionFacts} from '../../../explain/records.ts';
import {type JournalName, journals} from '../../../history/journal.ts';
import {markObserved} from '../../../history/observed-mark.ts';
import type {BatchTrace, Published, Run} from '../../../krt/index.ts';
import type {SourceReport} from '../../link/engine-link.ts';
import {hiddenCollections} from '../../link/hidden-collections.ts';
import type {ReplayRows} from '../../link/host-messages.ts';
import type {ProgramBatchReport, ProgramChangeReport} from '../../link/program-batch.ts';
import type {HostHistory} from '../recording/host-history.ts';
import type {WritableGraph} from './graph-interface.ts';
import type {BatchWriteOrigin, LiveGraph} from './live-graph.ts';
import {ProgramCollections} from './program-collections.ts';
import {ProgramFormulas, type ProgramFormulasOptions} from './program-formulas.ts';
import {runsOfSnapshot, toRecordingRun} from './program-runs.ts';
import {stableTextOf} from './stable-text.ts';
import {wallClockNow} from './wall-clock.ts';

export interface ProgramGraphOptions extends Omit<ProgramFormulasOptions, 'program' | 'onGraph'> {
  history: HostHistory;
  onGraph(facts: readonly CollectionFacts[]): void;
}

/** If a program's clock differs more than this from ours, ours is used. */
const MAX_CLOCK_SKEW = 60_000;

export class ProgramGraph implements WritableGraph {
  readonly #options: ProgramGraphOptions;
  readonly #collections = new ProgramCollections();
  readonly journal = {
    write: (name: JournalName, rows: Iterable<readonly [key: string, value: unknown]>): void =>
      this.#writeJournal(name, rows),
  };
  readonly #formulas: ProgramFormulas;
  #sequence: number;
  #settled = 0;

  constructor(options: ProgramGraphOptions) {
    this.#options = options;
    this.#sequence = options.firstSequence;
    const {past} = options.history;
    this.#formulas = new ProgramFormulas({
      ...options,
      program: {
        fact: name => this.#collections.fact(name),
        uidOf: name => this.#collections.uidOf(name),
        rows: name => [...past.keys(name)].map(key => [key, past.value(name, key)] as const),
      },
      onGraph: () => options.onGraph(this.collections()),
      onTrace: (trace, origin) => this.#tell(trace, origin),
    });
    options.onGraph([]);
  }

  /** The engine that runs users' formulas. */
  get live(): LiveGraph {
    return this.#formulas.live;
  }

  apply(changes: readonly ProgramChangeReport[], report?: ProgramBatchReport): void {
    if (report === undefined && changes.every(({collection}) => this.#formulas.has(collection)))
      this.live.apply(changes);
    else this.#record(changes, report);
  }

  /** No reflector feeds a program's graph. Formulas may have a source of their own, such as the clock. */
  report(name: string, report: SourceReport): void {
    if (this.#formulas.has(name)) this.live.report(name, report);
  }

  freshen(): void {}

  settle(): void {
    this.#formulas.settle(this.#options.history.recording.newest);
  }

  prepare(names: readonly string[]): void {
    this.#formulas.copy(names);
  }

  replayReports(reports: readonly [string, SourceReport][]): void {
    this.live.replayReports(reports.filter(([name]) => this.#formulas.has(name)));
  }

  replayJournal(rows: readonly ReplayRows[]): void {
    const own = new Set<string>(Object.values(journals));
    this.replay(
      rows.flatMap(([collection, key, text]) =>
        text !== null && own.has(collection)
          ? [[collection, key, (JSON.parse(text) as [unknown])[0]] as [string, string, unknown]]
          : [],
      ),
    );
  }

  /** Keeps main's order: the graph comes before its rows. */
  replay(objects: readonly [string, string, unknown][]): void {
    const received = wallClockNow();
    const isOurs = ([collection]: readonly [string, string, unknown]) => this.#formulas.has(collection);
    this.live.replay(objects.filter(isOurs));
    this.#record(
      objects
        .filter(one => !isOurs(one))
        .map(([collection, key, object]) => ({collection, key, event: 'add', new: object, received})),
    );
  }

  collections(): readonly CollectionFacts[] {
    const {facts} = this.#collections;
    const own = this.#formulas.facts();
    return own.length === 0 ? facts : [...facts, ...own.map(fact => this.#collections.withLastSeen(fact))];
  }

  fact(name: string): CollectionFacts | undefined {
    const reported = this.#collections.fact(name);
    if (reported !== undefined || !this.#formulas.has(name)) return reported;
    return this.collections().find(one => one.name === name);
  }

  keysOf(collection: string, items: readonly unknown[]): string[] | undefined {
    return this.#formulas.has(collection) ? this.live.keysOf(collection, items) : undefined;
  }

  now(): number {
    return wallClockNow();
  }

  recorder(): {share: number; cost?: number; heap: number; frame?: number} {
    return this.#options.recorder();
  }

  dump(indent: number): Iterable<string> {
    const {past} = this.#options.history;
    const document = this.collections().map(({name, uid, parents, synced}) => ({
      uid,
      name,
      state: {
        outputs: Object.fromEntries([...past.keys(name)].map(key => [key, past.value(name, key)])),
        ...(parents[0] === undefined ? {} : {inputCollection: parents[0]}),
        synced,
      },
    }));
    return [JSON.stringify(document, null, indent)];
  }

  #record(changes: readonly ProgramChangeReport[], report?: ProgramBatchReport): void {
    const {history, onGraph} = this.#options;
    let isGraphNew = false;
    for (const {collection, new: row} of changes)
      if (collection === hiddenCollections.graph && this.#collections.update(row)) isGraphNew = true;
    if (isGraphNew) onGraph(this.collections());
    const moment = this.#moment(report);
    const fresh = new Map<string, unknown>();
    const published = changes.map(change => this.#published(change, fresh));
    const runs: Run[] = (report?.runs ?? []).map(run =>
      toRecordingRun(run, name => this.#collections.uidOf(name)),
    );
    if (report?.inputs !== undefined)
      runs.push(...runsOfSnapshot(report.inputs, history, published, name => this.#collections.uidOf(name)));
    const synced = report?.synced.filter(name => this.#collections.markSynced(name)) ?? [];
    if (published.length === 0 && runs.length === 0 && synced.length === 0) return;
    const roots = published.filter(({collection, run, from}) => {
      return run === null && from === undefined && this.#collections.isRoot(collection);
    });
    const writers = new Map<string, WireWriter>();
    for (const {collection, key, writer} of changes)
      if (writer !== undefined) writers.set(`${collection} ${key}`, writer);
    const batch = this.#formulas.extend({
      sequence: 0,
      ...moment,
      changes: roots.map(({run: _, from: __, ...change}) => change),
      runs,
      published,
      synced,
    });
    const isMeasured = report !== undefined && report.isPolled !== true;
    this.#tell(batch, {received: isMeasured ? moment.received : undefined, writers});
    // Formulas may have waited for a collection. They copy the rows that are recorded now.
    if (isGraphNew || synced.length > 0) this.#formulas.updateGraph();
  }

  /** A batch gets its number when it is recorded. */
  #tell(batch: BatchTrace, origin: BatchWriteOrigin): void {
    this.#sequence += 1;
    this.#options.onTrace({...batch, sequence: this.#sequence}, origin);
  }

  /** Uses the program's clock where possible. Time never goes back. */
  #moment(report: ProgramBatchReport | undefined): {received: number; settled: number} {
    const now = wallClockNow();
    const time = report?.settled ?? now;
    const settled = Math.max(
      this.#settled,
      Math.abs(time - now) > MAX_CLOCK_SKEW ? now : Math.min(time, now),
    );
    this.#settled = settled;
    const took =
      report === undefined ? 0 : Math.min(MAX_CLOCK_SKEW, Math.max(0, report.settled - report.received));
    return {received: settled - took, settled};
  }

  /** `before` holds the values that earlier changes of the same batch left. */
  #published(change: ProgramChangeReport, before: Map<string, unknown>): Published {
    const {collection, key, event, new: fresh, run, from} = change;
    const {recording} = this.#options.history;
    const last = recording.latest(collection).changes.get(key);
    const id = `${collection}\n${key}`;
    const settled = last === undefined || last.gone ? undefined : last.published.new;
    const old = before.has(id) ? before.get(id) : settled;
    const published: Published = {
      collection,
      uid: this.#collections.uidOf(collection),
      key,
      event,
      run: run ?? null,
      ...(from === undefined ? {} : {from: [...from]}),
    };
    if (old !== undefined) published.old = old;
    if (event !== 'delete')
      published.new = deepFreeze(old === undefined ? fresh : shareStructure(old, fresh));
    before.set(id, published.new);
    return run === undefined && this.#collections.fact(collection) !== undefined
      ? markObserved(published)
      : published;
  }

  #writeJournal(name: JournalName, rows: Iterable<readonly [key: string, value: unknown]>): void {
    const collection = journals[name];
    const {past} = this.#options.history;
    const received = wallClockNow();
    const changes: ProgramChangeReport[] = [];
    for (const [key, value] of rows) {
      const current = past.value(collection, key) as {value: unknown} | undefined;
      if (value === undefined) {
        if (current !== undefined) changes.push({collection, key, event: 'delete', received});
      } else if (current === undefined || stableTextOf(current.value) !== stableTextOf(value))
        changes.push({
          collection,
          key,
          event: current === undefined ? 'add' : 'update',
          new: {key, value},
          received,
        });
    }
    if (changes.length > 0) this.#record(changes);
  }
}
