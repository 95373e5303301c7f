// Says who reads a field of an object, through every hop, before anyone edits it.
import type {Impact, ImpactReader} from '@krtscope/shared/what-if/what-if.ts';
import {isPathRead, type RerunReader} from '../evidence/field-reads.ts';
import {ReadTracker} from '../evidence/read-tracker.ts';
import type {Rerun} from '../evidence/rerun.ts';
import {type Records, Unanswerable} from '../records.ts';
import {type ImpactSteps, type RowReader, RowReaders} from './row-readers.ts';

/** Keys listed of one collection. `count` has the number of all. */
const MAX_KEYS = 200;
const MAX_FIELDS = 200;
/** Rows that one search visits. */
const MAX_ROWS = 100_000;

export interface ImpactQuestion {
  readonly collection: string;
  readonly key: string;
  readonly path?: string | undefined;
  readonly at?: number | undefined;
}

/** A reader, and the paths of the object that it reads. Undefined: it may read all of them. */
interface FieldReader extends RowReader {
  readonly paths: readonly string[] | undefined;
}

export function* impactSteps(
  records: Records,
  reader: RerunReader,
  {collection, key, path, at}: ImpactQuestion,
): ImpactSteps<Impact> {
  refuseUnknown(records, collection, key, at);
  const rows = new RowReaders(records, at);
  const value = records.value(collection, key, at);
  const direct: FieldReader[] = [];
  for (const one of yield* rows.of(collection, key)) {
    yield;
    direct.push({...one, paths: pathsOf(reader, one, {collection, key}, value)});
  }
  const paths = path === undefined ? readPaths(direct) : [path];
  const fields: Impact['fields'] = [];
  for (const field of paths) {
    const readers = yield* readersOf(records, rows, field, direct, at);
    fields.push({path: field, readers});
  }
  return {sequence: at ?? records.newest(), fields};
}

function refuseUnknown(records: Records, collection: string, key: string, at: number | undefined): void {
  if (records.collection(collection, at) === undefined)
    throw new Unanswerable(
      'unknown-collection',
      `there is no collection "${collection}"`,
      'GET /api/v1/graph lists them',
    );
  if (!records.has(collection, key, at))
    throw new Unanswerable(
      'unknown-key',
      `${collection} has no ${key}`,
      'GET /api/v1/search finds objects by name',
    );
}

function pathsOf(
  reader: RerunReader,
  {run, how}: RowReader,
  object: {collection: string; key: string},
  value: unknown,
): readonly string[] | undefined {
  if (run === undefined) return undefined;
  const rerun = reader.rerun(run);
  if (rerun.faith.repeat !== 'same' || run.outcome === 'failed') return undefined;
  if (how === 'couldMatch') return filterPaths(rerun, object, value);
  return rerun.allReads
    .filter(read => read.collection === object.collection && read.key === object.key)
    .flatMap(({paths, listed = []}) => [...paths, ...listed]);
}

/** The fields that the filters of a run test, including those that the object does not have. */
function filterPaths(
  rerun: Rerun,
  {collection, key}: {collection: string; key: string},
  value: unknown,
): string[] {
  const tracker = new ReadTracker();
  for (const asked of rerun.fetches)
    if (asked.collection === collection) asked.test(tracker.watch(collection, key, value), key);
  return tracker.reads().flatMap(({paths, listed = []}) => [...paths, ...listed]);
}

/** Every field that a direct reader read. */
function readPaths(direct: readonly FieldReader[]): string[] {
  return [...new Set(direct.flatMap(({paths = []}) => paths))].sort().slice(0, MAX_FIELDS);
}

/** The readers of one field, and the readers of their rows, until nothing new is found. */
function* readersOf(
  records: Records,
  rows: RowReaders,
  path: string,
  direct: readonly FieldReader[],
  at: number | undefined,
): ImpactSteps<ImpactReader[]> {
  const found = new Map<string, RowReader>();
  const queue: RowReader[] = [];
  const add = (one: RowReader): void => {
    const id = `${one.collection}\n${one.input}`;
    const earlier = found.get(id);
    if (earlier !== undefined && (earlier.how === 'read' || one.how === 'couldMatch')) return;
    found.set(id, one);
    queue.push(one);
  };
  for (const one of direct) if (one.paths === undefined || isPathRead(path, one.paths)) add(one);
  for (let one = queue.shift(); one !== undefined && found.size < MAX_ROWS; one = queue.shift()) {
    const {collection, input, run, how} = one;
    const outputs = run === undefined ? [input] : records.outputsOf(collection, input, at);
    // A row that does not exist yet may come into being under its input's key.
    for (const key of outputs.length === 0 ? [input] : outputs) {
      yield;
      for (const next of yield* rows.of(collection, key)) add(how === 'couldMatch' ? {...next, how} : next);
    }
  }
  return groupsOf(records, [...found.values()], at);
}

function groupsOf(records: Records, readers: readonly RowReader[], at: number | undefined): ImpactReader[] {
  const groups = new Map<string, {reader: ImpactReader; keys: Set<string>}>();
  for (const {collection, input, run, how} of readers) {
    const id = `${how}\n${collection}`;
    let group = groups.get(id);
    if (group === undefined) {
      group = {reader: {collection, how, keys: [], count: 0}, keys: new Set()};
      groups.set(id, group);
    }
    const outputs = run === undefined ? [input] : records.outputsOf(collection, input, at);
    for (const key of outputs.length === 0 ? [input] : outputs) group.keys.add(key);
  }
  return [...groups.values()].map(({reader, keys}) => ({
    ...reader,
    keys: [...keys].sort().slice(0, MAX_KEYS),
    count: keys.size,
  }));
}
