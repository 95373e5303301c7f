// A recorded batch and its chains: every change links to the previous change of the same item, every run to the previous
// run of the same input. recording.ts links and cuts them.

import type {WireWriter} from '@krtscope/shared/run.ts';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import type {Outcome, Published, Run} from '../krt/index.ts';
import {isJournal} from './journal.ts';
import {isObserved} from './observed-mark.ts';

export class ChangeNode {
  readonly batch: Batch;
  readonly place: number;
  readonly published: Published;
  prior: ChangeNode | undefined = undefined;
  next: ChangeNode | undefined = undefined;

  constructor(batch: Batch, place: number, published: Published) {
    this.batch = batch;
    this.place = place;
    this.published = published;
  }

  get sequence(): number {
    return this.batch.sequence;
  }

  get gone(): boolean {
    return this.published.event === 'delete';
  }
}

export class RunNode {
  readonly batch: Batch;
  readonly position: number;
  readonly run: Run;
  /** The number of this run among all runs of its input. */
  count = 1;
  /** Output keys that stayed although this run did not give them: it failed, was suspended or discarded. */
  stayed: readonly string[] | undefined = undefined;
  prior: RunNode | undefined = undefined;
  next: RunNode | undefined = undefined;

  constructor(batch: Batch, position: number, run: Run) {
    this.batch = batch;
    this.position = position;
    this.run = run;
  }

  get sequence(): number {
    return this.batch.sequence;
  }

  get id(): string {
    return `${this.batch.sequence}.${this.position}`;
  }
}

/** What the main process knows of a batch and krt does not. */
export interface BatchNotes {
  /** Milliseconds from the oldest change received in main to settled. */
  lag?: number;
  /** Who wrote, by place in `published`. */
  writers?: Map<number, WireWriter>;
}

/**
 * Rows that an input has although its last run did not give them; empty where the run before had none.
 * Undefined: a later run gave rows, or the input is deleted.
 */
export interface RetainedRows {
  readonly collection: string;
  readonly input: string;
  readonly rows: readonly unknown[] | undefined;
}

export interface BatchRunTotals {
  readonly collection: string;
  readonly outcomes: Partial<Record<Outcome, number>>;
  readonly milliseconds: number;
}

/** A write from outside, in short. */
export interface BatchRoot {
  readonly collection: string;
  readonly key: string;
  readonly event: ChangeEventType;
  readonly manager?: string;
}

const NONE: ReadonlyMap<string, number> = new Map();

export class Batch {
  readonly sequence: number;
  /** When the first change came in and when everything had settled, milliseconds since 1970. */
  readonly received: number;
  readonly settled: number;
  readonly notes: BatchNotes;
  readonly synced: readonly string[];
  readonly runCount: number;
  readonly rootPlaces: readonly number[];
  /** A slot is empty once nothing needs it any more. */
  changeNodes: (ChangeNode | undefined)[] = [];
  runNodes: (RunNode | undefined)[] = [];
  /** How many rows each collection gained. The first list of a cluster has too many changes to count them again. */
  grew: ReadonlyMap<string, number> = NONE;
  /** Encoded size; 0 until it is known. */
  bytes = 0;
  /** Runs here that are no longer the last of their input. */
  superseded = 0;
  /** Runs and changes to keep although the batch has left the ring. */
  living = 0;
  /** Rows that stayed because a run failed, was discarded or suspended; undefined for rows that no longer stay. */
  stays: RetainedRows[] | undefined = undefined;
  #roots: BatchRoot[] | undefined;
  #totals: BatchRunTotals[] | undefined;
  #observed: number | undefined;

  constructor(
    moment: {sequence: number; received: number; settled: number; synced: readonly string[]},
    runCount: number,
    rootPlaces: readonly number[],
    notes: BatchNotes,
  ) {
    this.sequence = moment.sequence;
    this.received = moment.received;
    this.settled = moment.settled;
    this.synced = moment.synced;
    this.runCount = runCount;
    this.rootPlaces = rootPlaces;
    this.notes = notes;
  }

  get duration(): number {
    return this.settled - this.received;
  }

  /** When it had settled, in whole milliseconds. */
  get at(): number {
    return Math.round(this.settled);
  }

  get lag(): number | undefined {
    return this.notes.lag;
  }

  isRoot(place: number): boolean {
    const places = this.rootPlaces;
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return places[low] === place;
  }

  /** Writes from outside, without those of the journal. */
  get roots(): readonly BatchRoot[] {
    this.#roots ??= this.rootPlaces.flatMap(place => {
      const published = this.changeNodes[place]?.published;
      return published === undefined || isJournal(published.collection)
        ? []
        : [rootOf(published, this.notes.writers?.get(place))];
    });
    return this.#roots;
  }

  /** Runs by collection and outcome. Cached, because views scan thousands of batches. */
  get runs(): readonly BatchRunTotals[] {
    this.#totals ??= countRuns(this.runNodes);
    return this.#totals;
  }

  /** Inputs whose rows a program reported without a run. */
  get observed(): number {
    this.#observed ??= this.runNodes.filter(node => node !== undefined && isObserved(node.run)).length;
    return this.#observed;
  }
}

function rootOf({collection, key, event}: Published, writer: WireWriter | undefined): BatchRoot {
  return writer === undefined ? {collection, key, event} : {collection, key, event, manager: writer.manager};
}

function countRuns(runs: readonly (RunNode | undefined)[]): BatchRunTotals[] {
  const found = new Map<
    string,
    {collection: string; outcomes: Partial<Record<Outcome, number>>; milliseconds: number}
  >();
  for (const node of runs) {
    // A reported row without a run did not run now.
    if (node === undefined || isObserved(node.run)) continue;
    const {collection, outcome, duration} = node.run;
    let entry = found.get(collection);
    if (entry === undefined) {
      entry = {collection, outcomes: {}, milliseconds: 0};
      found.set(collection, entry);
    }
    entry.outcomes[outcome] = (entry.outcomes[outcome] ?? 0) + 1;
    entry.milliseconds += duration;
  }
  return [...found.values()];
}
