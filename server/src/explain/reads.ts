// Which paths a formula reads, by tracked re-runs. A probe is kept for a moment: a chain asks for the same one twice.
import {parsePath, writePath} from '@krtscope/shared/path.ts';
import type {Ref} from '@krtscope/shared/run.ts';
import type {Fields} from '@krtscope/shared/why.ts';
import {type Probe, type Records, Unanswerable} from './records.ts';
import {type Asked, subjectOf} from './subject.ts';

/** Which place of a list was read is not noted: a formula that looks for one element goes through all of them. */
const placeless = (path: string): string => path.replace(/\[\d+\]/g, '');

/** A changed path is read if the formula read it, something it holds, or the whole it is in. */
export function isRead(path: string, read: readonly string[]): boolean {
  const within = (inner: string, outer: string): boolean =>
    inner.startsWith(outer) &&
    (inner.length === outer.length || inner[outer.length] === '.' || inner[outer.length] === '[');
  const own = placeless(path);
  return read.some(r => within(own, placeless(r)) || within(placeless(r), own));
}

/** What a formula reads of one object. Not `whole` where a function that nobody watched reads of it, too. */
export interface ReadPaths {
  readonly paths: readonly string[];
  readonly whole: boolean;
}

/** Undefined where it cannot be told. */
export function reads({paths, whole}: ReadPaths, path: string): boolean | undefined {
  return isRead(path, paths) || (whole ? false : undefined);
}

/** Whoever notes paths may quote names in brackets; everything here compares them as they are written elsewhere. */
function normal(probe: Probe | undefined): Probe | undefined {
  if (!probe) return undefined;
  const write = (paths: readonly string[]): string[] => paths.map(p => writePath(parsePath(p)));
  const reads = probe.reads.map(r => ({...r, paths: write(r.paths)}));
  const {filterReads} = probe;
  if (!filterReads) return {...probe, reads};
  return {...probe, reads, filterReads: (...object) => write(filterReads(...object))};
}

/** Filters read labels and selectors on the formula's behalf: what they look at counts as read. */
function filteredPaths(probe: Probe, collection: string): string[] {
  const paths: string[] = [];
  for (const fetch of probe.fetches) {
    if (fetch.collection !== collection) continue;
    for (const clause of fetch.clauses) {
      if (clause.kind === 'labels')
        for (const label of Object.keys(clause.labels))
          paths.push(writePath(['metadata', 'labels', label]), writePath(['labels', label]));
      if (clause.kind === 'selects') paths.push('spec.selector', 'selector');
    }
  }
  return paths;
}

/** Whether a function nobody can look into decides on objects of this collection. */
function isOpaque(probe: Probe, collection: string): boolean {
  return probe.fetches.some(
    fetch =>
      fetch.collection === collection &&
      fetch.clauses.some(clause => clause.kind === 'generic' || clause.kind === 'index'),
  );
}

/** An object, with its versions where a change of it is looked at. */
export interface Looked extends Ref {
  readonly before?: unknown;
  readonly after?: unknown;
}

export class Reader {
  readonly #records: Records;
  readonly #held = new Map<string, Probe | undefined>();
  #sequence = -1;

  constructor(records: Records) {
    this.#records = records;
  }

  probe(collection: string, input: string): Probe | undefined {
    if (!this.#records.probe) return undefined;
    const newest = this.#records.newest();
    if (newest !== this.#sequence || this.#held.size > 200) {
      this.#held.clear();
      this.#sequence = newest;
    }
    const id = `${collection}\n${input}`;
    if (!this.#held.has(id)) this.#held.set(id, normal(this.#records.probe(collection, input)));
    return this.#held.get(id);
  }

  /** Paths that a formula reads of one object; undefined if nobody could look. */
  paths(collection: string, input: string, of: Looked): ReadPaths | undefined {
    const probe = this.probe(collection, input);
    if (!probe) return undefined;
    const own = probe.reads.filter(r => r.collection === of.collection && r.key === of.key);
    const paths = [...own.flatMap(r => r.paths), ...filteredPaths(probe, of.collection)];
    // A run that was cut short would have read more.
    const whole = probe.outcome !== 'suspended' && probe.outcome !== 'failed';
    if (!isOpaque(probe, of.collection)) return {paths, whole};
    const {filterReads} = probe;
    if (!filterReads) return {paths, whole: false};
    for (const version of [of.before, of.after])
      if (version !== undefined) paths.push(...filterReads(of.collection, of.key, version));
    return {paths, whole};
  }
}

/** The fields answer: which paths of which objects the newest run of an item reads. */
export function fieldsRead(records: Records, reader: Reader, {collection, key, input, at}: Asked): Fields {
  const subject = subjectOf(records, {collection, key, input, at});
  if (subject.input === undefined || subject.state === 'view') {
    throw new Unanswerable(
      'not-found',
      `${collection}/${key} is not computed by a formula, so no run reads any field for it`,
      'ask about an item of a derived collection',
    );
  }
  const probe = reader.probe(collection, subject.input);
  if (!probe) {
    throw new Unanswerable(
      'not-found',
      `the formula of ${collection} cannot be run again here`,
      'fields are found by running a formula once more; an opened recording has no formulas',
    );
  }
  // The re-run reads the present: it speaks of an earlier moment only where no run has come since.
  const same = subject.run?.id === records.lastRun(collection, subject.input)?.id;
  return {
    sequence: same && at !== undefined ? at : records.newest(),
    reads: probe.reads.map(r => ({collection: r.collection, key: r.key, paths: [...r.paths]})),
    fetches: probe.fetches.map(({collection: from, filter, matched}, i) => {
      const line = probe.lines?.[i];
      return {collection: from, filter, matched, ...(line !== undefined ? {line} : {})};
    }),
  };
}
