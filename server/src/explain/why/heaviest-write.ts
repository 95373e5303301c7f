// Finds the write of a batch without which the asked value would differ most. It repeats the runs in between as if the
// write did not exist.
import type {Repeated} from '../../krt/index.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {CounterfactualObject} from '../evidence/rerun.ts';
import {rootWritesOf, upstreamPlaces} from '../evidence/root-writes.ts';
import type {RecordedBatch, RecordedChange, RecordedRun, Records} from '../records.ts';
import {type ExplainTarget, targetValue, type WritePlace} from './explain-target.ts';
import {viewRowWith} from './view-row.ts';

/** Limits of what is repeated; larger batches follow the first decisive cause. */
const MAX_WRITES = 8;
const MAX_CHANGES = 200;
/** A row that exists only with a write, or only without it, outweighs any number of its fields. */
export const WHOLE_ROW = 1000;

/** The write that the hops above follow, if it is one of this batch. */
export function followedWrite(target: ExplainTarget, sequence: number): WritePlace | undefined {
  const write = target.kind === 'row' || target.kind === 'field' ? target.write : undefined;
  return write?.sequence === sequence ? write : undefined;
}

/** Whether a change followed from this write. */
export function isBroughtBy(
  records: Records,
  change: RecordedChange,
  write: WritePlace | undefined,
): boolean {
  const batch = write?.sequence === change.sequence ? records.batch(change.sequence) : undefined;
  return write !== undefined && batch !== undefined && rootWritesOf(records, batch, change).has(write.place);
}

/** How much two values differ: rows, then fields, then paths. */
export function differenceBetween(one: unknown, other: unknown): number {
  if ((one === undefined) !== (other === undefined)) return WHOLE_ROW;
  const paths = changedPaths(one, other).map(({path}) => path);
  const fields = new Set(paths.map(path => path.split(/[.[]/, 1)[0]));
  return fields.size + paths.length / WHOLE_ROW;
}

/** Undefined where there is one write only, where there are too many, or where none alone makes a difference. */
export function heaviestWrite(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
  changes: readonly RecordedChange[],
): WritePlace | undefined {
  const {records} = reader;
  const batch = records.batch(run.sequence);
  if (!batch || batch.rootPlaces.length < 2 || changes.length > MAX_CHANGES) return undefined;
  const roots = [...new Set(changes.flatMap(change => [...rootWritesOf(records, batch, change)]))];
  const upstream = new Set(
    changes.flatMap(({place}) => (place === undefined ? [] : [...upstreamPlaces(records, batch, place)])),
  );
  if (roots.length < 2 || roots.length > MAX_WRITES || upstream.size > MAX_CHANGES) return undefined;
  const repeat = reader.rerun(run);
  const {base} = repeat;
  if (base === undefined) return undefined;
  let heaviest: {readonly place: number; readonly weight: number} | undefined;
  for (const place of roots) {
    const undone = new BatchWithoutWrite(reader, batch, place);
    const without = repeat.runWith(undone.causesOf(run));
    const weight = differenceInTarget(records, repeat.run, base, without, target);
    if (weight > (heaviest?.weight ?? 0)) heaviest = {place, weight};
  }
  return heaviest && {sequence: run.sequence, place: heaviest.place};
}

function differenceInTarget(
  records: Records,
  run: RecordedRun,
  base: Repeated,
  without: Repeated,
  target: ExplainTarget,
): number {
  const [now, other] = [base, without].map(one => targetValue(records, run, one, target));
  if (target.kind !== 'row') return differenceBetween(now, other);
  return differenceBetween(
    (now as {item: unknown} | undefined)?.item,
    (other as {item: unknown} | undefined)?.item,
  );
}

/** A batch as if one of its writes had not been. */
class BatchWithoutWrite {
  readonly #reader: RerunReader;
  readonly #batch: RecordedBatch;
  readonly #write: number;
  readonly #values = new Map<number, unknown>();

  constructor(reader: RerunReader, batch: RecordedBatch, write: number) {
    this.#reader = reader;
    this.#batch = batch;
    this.#write = write;
  }

  /** The changes that a run reacted to, where they would be otherwise. */
  causesOf({causes}: RecordedRun): CounterfactualObject[] {
    const places = new Set(causes.flatMap(({published}) => (published === undefined ? [] : [published])));
    return [...places].flatMap(place => {
      const change = this.#batch.change(place);
      const value = this.#valueOf(change);
      return value === change.new ? [] : [{collection: change.collection, key: change.key, value}];
    });
  }

  #valueOf(change: RecordedChange): unknown {
    const {place} = change;
    if (place === undefined) return change.new;
    if (!this.#values.has(place)) this.#values.set(place, this.#compute(change, place));
    return this.#values.get(place);
  }

  #compute(change: RecordedChange, place: number): unknown {
    if (change.root) return place === this.#write ? change.old : change.new;
    if (change.run === undefined) return this.#partsOf(change);
    const {records} = this.#reader;
    const run = records.runById(change.run);
    if (!run) return change.new;
    const instead = this.causesOf(run);
    if (instead.length === 0) return change.new;
    const repeat = this.#reader.rerun(run);
    if (repeat.faith.repeat !== 'same') return change.old;
    const without = repeat.runWith(instead);
    const row = targetValue(records, repeat.run, without, {kind: 'row', key: change.key});
    return (row as {item: unknown} | undefined)?.item;
  }

  /** A row of a join, a map or an index, with each part that would be otherwise. */
  #partsOf(change: RecordedChange): unknown {
    let row = change;
    for (const place of new Set(change.from ?? [])) {
      const part = this.#batch.change(place);
      const value = this.#valueOf(part);
      if (value === part.new) continue;
      const made = viewRowWith(this.#reader, row, part, value);
      if (made === undefined) return change.old;
      row = {...row, new: made.value};
    }
    return row.new;
  }
}
