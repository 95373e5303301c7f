// Finds the paths that a run read, by repeating the run over the state of its own batch. Caches the last repeats,
// because one answer asks for the same run several times.
import type {FieldsAnswer} from '@krtscope/shared/why.ts';
import type {ClauseOutcome} from '../records.ts';
import {
  type RecordedChange,
  type RecordedFetch,
  type RecordedRun,
  type Records,
  Unanswerable,
} from '../records.ts';
import {type ItemQuestion, subjectOf} from './question-subject.ts';
import {Rerun} from './rerun.ts';

/** Reads of lists have no position: a formula that looks for one element goes through all of them. */
const withoutListPlaces = (path: string): string => path.replace(/\[\d+\]/g, '');

/** A changed path counts as read if the formula read it, a part of it, or an object around it. */
export function isPathRead(path: string, read: readonly string[]): boolean {
  const within = (inner: string, outer: string): boolean =>
    inner.startsWith(outer) &&
    (inner.length === outer.length || inner[outer.length] === '.' || inner[outer.length] === '[');
  const own = withoutListPlaces(path);
  return read.some(r => within(own, withoutListPlaces(r)) || within(withoutListPlaces(r), own));
}

/** Repeats in the cache. */
const MAX_RERUNS = 64;

export class RerunReader {
  readonly records: Records;
  readonly #repeats = new Map<string, Rerun>();

  constructor(records: Records) {
    this.records = records;
  }

  /** For another recording with the same run ids. */
  reset(): void {
    this.#repeats.clear();
  }

  rerun(run: RecordedRun): Rerun {
    const held = this.#repeats.get(run.id);
    // A repeat whose batch has rolled off since must be made again, to say so.
    if (held && run.sequence >= this.records.oldest()) return held;
    const repeat = new Rerun(this.records, run);
    this.#repeats.delete(run.id);
    this.#repeats.set(run.id, repeat);
    const oldest = this.#repeats.keys().next();
    if (this.#repeats.size > MAX_RERUNS && !oldest.done) this.#repeats.delete(oldest.value);
    return repeat;
  }

  /** The paths of an object that the formula and the filters of a run read; undefined if unknown. */
  pathsRead(run: RecordedRun | undefined, change: RecordedChange): readonly string[] | undefined {
    if (!run) return undefined;
    const repeat = this.rerun(run);
    // A run that failed would have read more.
    if (repeat.faith.repeat !== 'same' || run.outcome === 'failed') return undefined;
    const own = repeat.reads.filter(r => r.collection === change.collection && r.key === change.key);
    return [...own.flatMap(r => r.paths), ...repeat.filterReads(change)];
  }

  /** The engine's result for one version of an object, clause by clause. */
  testFilter(
    run: RecordedRun | undefined,
    fetch: RecordedFetch,
    key: string,
    value: unknown,
  ): readonly ClauseOutcome[] | undefined {
    if (!run) return undefined;
    const asked = this.rerun(run).fetches.find(
      one => one.collection === fetch.collection && one.filter === fetch.filter,
    );
    return asked?.test(value, key);
  }
}

/** The paths that the last run of an item read, by object. */
export function fieldsRead(
  records: Records,
  reader: RerunReader,
  {collection, key, input, at}: ItemQuestion,
): FieldsAnswer {
  const subject = subjectOf(records, {collection, key, input, at});
  const run =
    subject.input === undefined || subject.state === 'view'
      ? undefined
      : records.lastRun(collection, subject.input, at);
  if (!run) {
    throw new Unanswerable(
      'not-found',
      `${collection}/${key} is not computed by a formula, so no run reads any field for it`,
      'ask about an item of a derived collection',
    );
  }
  const repeat = reader.rerun(run);
  if (repeat.faith.repeat === 'none') {
    throw new Unanswerable(
      'not-found',
      `the run of ${collection}/${run.input} cannot be repeated: ${repeat.faith.note}`,
      'fields are found by repeating a run over the state of its own batch',
    );
  }
  return {
    sequence: at ?? records.newest(),
    reads: repeat.allReads.map(r => ({collection: r.collection, key: r.key, paths: [...r.paths]})),
    fetches: run.fetches.map(({collection: from, filter, matched}, i) => {
      const line = repeat.lines[i];
      return {collection: from, filter, matched, ...(line !== undefined ? {line} : {})};
    }),
  };
}
