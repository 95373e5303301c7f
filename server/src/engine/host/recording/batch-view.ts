// A recorded batch as explain/ reads it, piece by piece. Finds the links between its runs and changes once.
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {RecordedBatch, RecordedChange, RecordedRun} from '../../../explain/records.ts';
import type {Batch} from '../../../history/batch.ts';
import {isJournal} from '../../../history/journal.ts';
import {placeholderRun, toRecordedChange, toRecordedRun} from './recorded-run.ts';

const NONE: readonly number[] = Object.freeze([]) as readonly number[];

export class BatchView implements RecordedBatch {
  readonly #batch: Batch;
  #causedBy: Map<number, number[]> | undefined;
  #ledTo: Map<number, number[]> | undefined;
  #announced: Map<number, number[]> | undefined;
  #keys: Map<string, string[]> | undefined;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  get sequence(): number {
    return this.#batch.sequence;
  }
  get at(): number {
    return this.#batch.at;
  }
  get lag(): number | undefined {
    return this.#batch.lag;
  }
  get duration(): number {
    return this.#batch.duration;
  }
  get roots(): RecordedBatch['roots'] {
    return this.#batch.roots;
  }
  get runs(): RecordedBatch['runs'] {
    return this.#batch.runs;
  }
  get observed(): number {
    return this.#batch.observed;
  }
  get synced(): readonly string[] {
    return this.#batch.synced;
  }
  get runCount(): number {
    return this.#batch.runCount;
  }
  get changeCount(): number {
    return this.#batch.changeNodes.length;
  }
  get rootPlaces(): readonly number[] {
    const {rootPlaces, changeNodes} = this.#batch;
    return rootPlaces.filter(place => !isJournal(changeNodes[place]?.published.collection ?? ''));
  }

  run(position: number): RecordedRun {
    const node = this.#batch.runNodes[position];
    return node === undefined ? placeholderRun(this.#batch, position) : toRecordedRun(node);
  }

  brief(position: number): {collection: string; input: string; outcome: RunOutcome} {
    const run = this.#batch.runNodes[position]?.run;
    if (run === undefined) return {collection: '', input: '', outcome: 'changed'};
    return {collection: run.collection, input: run.input, outcome: run.outcome};
  }

  change(place: number): RecordedChange {
    const node = this.#batch.changeNodes[place];
    if (node === undefined) throw new RangeError(`batch ${this.sequence} has no change ${place}`);
    return toRecordedChange(node);
  }

  causedBy(place: number): readonly number[] {
    if (this.#causedBy === undefined) {
      this.#causedBy = new Map();
      for (const node of this.#batch.runNodes) {
        for (const {published} of node?.run.causes ?? []) {
          if (published !== undefined) add(this.#causedBy, published, node?.position as number);
        }
      }
    }
    return this.#causedBy.get(place) ?? NONE;
  }

  ledTo(place: number): readonly number[] {
    if (this.#ledTo === undefined) {
      this.#ledTo = new Map();
      for (const node of this.#batch.changeNodes) {
        for (const from of node?.published.from ?? NONE) add(this.#ledTo, from, node?.place as number);
      }
    }
    return this.#ledTo.get(place) ?? NONE;
  }

  changedKeys(collection: string): Iterable<string> {
    if (this.#keys === undefined) {
      this.#keys = new Map();
      for (const node of this.#batch.changeNodes) {
        if (node === undefined) continue;
        const keys = this.#keys.get(node.published.collection);
        if (keys === undefined) this.#keys.set(node.published.collection, [node.published.key]);
        else keys.push(node.published.key);
      }
    }
    return this.#keys.get(collection) ?? [];
  }

  announced(position: number): readonly number[] {
    if (this.#announced === undefined) {
      this.#announced = new Map();
      for (const node of this.#batch.changeNodes) {
        const run = node?.published.run ?? null;
        if (run !== null) add(this.#announced, run, node?.place as number);
      }
    }
    return this.#announced.get(position) ?? NONE;
  }
}

function add(map: Map<number, number[]>, at: number, value: number): void {
  const list = map.get(at);
  if (list === undefined) map.set(at, [value]);
  else if (list[list.length - 1] !== value) list.push(value);
}
