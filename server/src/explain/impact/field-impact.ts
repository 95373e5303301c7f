// Says who reads a field of an object, through every hop, before anyone edits it.
import type {Impact, ImpactReader} from '@krtscope/shared/what-if/what-if.ts';
import {isPathRead, type RerunReader} from '../evidence/field-reads.ts';
import {type Records, Unanswerable} from '../records.ts';
import {type DirectReader, directReaders} from './direct-readers.ts';
import {FieldTrial} from './field-trial.ts';
import {objectsWithOtherValues} from './other-values.ts';
import {ReaderClosure} from './reader-closure.ts';
import {type ImpactSteps, type RowReader, RowReaders} from './row-readers.ts';

/** Keys listed of one collection. `count` has the number of all. */
const MAX_KEYS = 200;
const MAX_FIELDS = 200;
/** Other values of one field that are tried, and runs that one question repeats for it. */
const MAX_VALUES = 8;
const MAX_RERUNS = 500;

export interface ImpactQuestion {
  readonly collection: string;
  readonly key: string;
  readonly path?: string | undefined;
  readonly at?: number | undefined;
}

export function* impactSteps(
  records: Records,
  reader: RerunReader,
  {collection, key, path, at}: ImpactQuestion,
): ImpactSteps<Impact> {
  refuseUnknown(records, collection, key, at);
  const rows = new RowReaders(records, at);
  const {readers: direct, unrepeated} = yield* directReaders(records, reader, rows, {collection, key, at});
  const paths = path === undefined ? readPaths(direct) : [path];
  const fields: Impact['fields'] = [];
  const trial = new FieldTrial(records, reader, at);
  const closure = new ReaderClosure(records, rows, at);
  for (const field of paths) {
    const readers = yield* closure.of(
      direct.filter(one => one.paths === undefined || isPathRead(field, one.paths)),
    );
    // The fields below it have no values to try.
    const isWhole = direct.some(({paths: read = []}) => read.some(one => isBelow(one, field)));
    const tried = isWhole
      ? undefined
      : yield* triedRows(records, trial, {collection, key, path: field, at}, readers);
    fields.push({path: field, readers: yield* groupsOf(records, readers, tried, at)});
  }
  const notes = unrepeated === 0 ? {} : {notes: [unrepeatedNote(unrepeated)]};
  return {sequence: at ?? records.newest(), fields, ...notes};
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

function unrepeatedNote(count: number): string {
  return `${count} ${count === 1 ? 'row reads' : 'rows read'} so many objects that krtscope did not repeat ${count === 1 ? 'its run' : 'their runs'}. ${count === 1 ? 'It is' : 'They are'} named as "could match" for every field.`;
}

/** Every field that a direct reader read. */
function readPaths(direct: readonly DirectReader[]): string[] {
  return [...new Set(direct.flatMap(({paths = []}) => paths))].sort().slice(0, MAX_FIELDS);
}

function isBelow(path: string, field: string): boolean {
  return path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

/** The rows that differ for some other value of the field; undefined if that cannot be known. */
function* triedRows(
  records: Records,
  trial: FieldTrial,
  field: {collection: string; key: string; path: string; at: number | undefined},
  readers: readonly RowReader[],
): ImpactSteps<Map<string, Set<string>> | undefined> {
  const runs = readers.filter(({run}) => run !== undefined);
  const count = Math.min(MAX_VALUES, Math.floor((MAX_RERUNS - trial.runs) / Math.max(1, runs.length)));
  const found = new Map<string, Set<string>>();
  const objects = objectsWithOtherValues(records, field, count);
  if (objects.length === 0) return undefined;
  for (const value of objects) {
    const rows = yield* trial.rows({collection: field.collection, key: field.key, value}, runs);
    if (rows === undefined) return undefined;
    for (const [name, items] of rows) {
      const keys = found.get(name) ?? new Set();
      for (const key of items.keys()) keys.add(key);
      found.set(name, keys);
    }
  }
  return found;
}

/**
 * Rows by collection. A row that reads the field and does not differ for any value that was tried "could match" only: it
 * may differ for a value that was not tried.
 */
function* groupsOf(
  records: Records,
  readers: readonly RowReader[],
  tried: ReadonlyMap<string, ReadonlySet<string>> | undefined,
  at: number | undefined,
): ImpactSteps<ImpactReader[]> {
  const named = new Map<string, Map<string, ImpactReader['how']>>();
  const add = (collection: string, key: string, how: ImpactReader['how']) => {
    const keys = named.get(collection) ?? new Map<string, ImpactReader['how']>();
    if (keys.get(key) !== 'read') keys.set(key, how);
    named.set(collection, keys);
  };
  const isIdle = (collection: string, key: string) => tried !== undefined && !tried.get(collection)?.has(key);
  for (const {collection, input, run, how} of readers) {
    yield;
    const outputs = run === undefined ? [input] : records.outputsOf(collection, input, at);
    for (const key of outputs.length === 0 ? [input] : outputs)
      add(collection, key, isIdle(collection, key) ? 'couldMatch' : how);
  }
  // A row that moves to another key can change rows that read that key.
  for (const [collection, keys] of tried ?? [])
    for (const key of keys) if (records.has(collection, key, at)) add(collection, key, 'couldMatch');
  const groups: ImpactReader[] = [];
  for (const [collection, keys] of named)
    for (const how of ['read', 'couldMatch'] as const) {
      yield;
      const own = [...keys].filter(([, one]) => one === how).map(([key]) => key);
      if (own.length > 0)
        groups.push({collection, how, keys: own.sort().slice(0, MAX_KEYS), count: own.length});
    }
  return groups;
}
