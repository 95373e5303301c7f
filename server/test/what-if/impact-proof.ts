// Compares impact with fresh engines: each row that differs for some value of a field must have been named before the
// edit, and most rows that are named as read must differ for some value.
import type {Impact} from '@krtscope/shared/what-if/what-if.ts';
import {TruthCluster} from '../truth/cluster.ts';
import {type Objects, type Rows, rowsOf, textOf} from '../truth/expected-rows.ts';
import {type RandomField, randomField, withField} from './random-field.ts';

export interface ImpactProof {
  readonly fields: number;
  /** Edits: values of fields. */
  readonly edits: number;
  /** Rows that differed, and those of them that were not named. */
  readonly differing: number;
  readonly unnamed: string[];
  /** Rows named as read, and those of them that differed for some value. */
  readonly read: number;
  readonly readAndDiffer: number;
  /** The fields with the most rows that were named and never differed. */
  readonly worst: string[];
}

/** Fields between two batches of other changes. */
const FIELDS_IN_A_STATE = 10;

export async function proveImpact(fields: number, seed: number): Promise<ImpactProof> {
  const cluster = await TruthCluster.start(seed);
  const {chance} = cluster;
  const proof = {fields, edits: 0, differing: 0, unnamed: [] as string[], read: 0, readAndDiffer: 0};
  const idle = new Map<string, number>();
  let before = settledRows(cluster);
  for (let n = 0; n < fields; n++) {
    if (n > 0 && n % FIELDS_IN_A_STATE === 0) {
      cluster.change(2);
      before = settledRows(cluster);
    }
    const field = randomField(cluster.objects, chance);
    const {collection, key, text: path, values} = field;
    const named = namedRows(cluster.rig.ask<Impact>({ask: 'impact', collection, key, path}));
    const differing = new Set<string>();
    for (const value of values) {
      const rows = differingRows(before, rowsOf(edited(cluster.objects, field, value)));
      proof.edits += 1;
      for (const row of rows) {
        proof.differing += 1;
        differing.add(row.id);
        if (!isNamed(row, named))
          proof.unnamed.push(`${row.id}: ${collection} ${key} ${path} = ${JSON.stringify(value)}`);
      }
    }
    for (const [id, how] of named) {
      if (how !== 'read') continue;
      proof.read += 1;
      if (differing.has(id)) proof.readAndDiffer += 1;
      else {
        const where = `${collection} ${path.replaceAll(/\[\d+\]/g, '[]')}: ${id.split(' ')[0]}`;
        idle.set(where, (idle.get(where) ?? 0) + 1);
      }
    }
  }
  const worst = [...idle].sort(([, a], [, b]) => b - a).map(([where, count]) => `${count} ${where}`);
  return {...proof, worst: worst.slice(0, 20)};
}

/** The rows of a fresh engine. The recorded graph makes first runs in slices: all of them run here first. */
function settledRows({rig: {live, records}, objects}: TruthCluster): Rows {
  while (live.runFirstSlice());
  const rows = rowsOf(objects);
  for (const [name, items] of rows) {
    const own = new Set(records.keys(name));
    const other = [...items.keys()].find(key => !own.delete(key)) ?? [...own][0];
    if (other !== undefined)
      throw new Error(`only one of the recorded graph and a fresh one has ${name} ${other}`);
  }
  return rows;
}

function edited(objects: Objects, {collection, key, path}: RandomField, value: unknown): Objects {
  const items = new Map(objects.get(collection));
  items.set(key, withField(items.get(key) as object, path, value));
  return new Map(objects).set(collection, items);
}

interface DifferingRow {
  readonly id: string;
  readonly collection: string;
  readonly key: string;
  readonly isNew: boolean;
}

function* differingRows(before: Rows, after: Rows): Generator<DifferingRow> {
  for (const [collection, now] of after) {
    const old = before.get(collection) ?? new Map<string, unknown>();
    for (const key of new Set([...old.keys(), ...now.keys()]))
      if (!old.has(key) || !now.has(key) || textOf(old.get(key)) !== textOf(now.get(key)))
        yield {id: `${collection} ${key}`, collection, key, isNew: !old.has(key)};
  }
}

function namedRows({fields}: Impact): Map<string, string> {
  const named = new Map<string, string>();
  for (const {readers} of fields)
    for (const {collection, how, keys, count} of readers) {
      if (count > keys.length) throw new Error('the answer does not list all keys: use a smaller cluster');
      for (const key of keys)
        if (named.get(`${collection} ${key}`) !== 'read') named.set(`${collection} ${key}`, how);
    }
  return named;
}

/** A row that does not exist yet has no key to name. Its collection must be named. */
function isNamed({id, collection, isNew}: DifferingRow, named: ReadonlyMap<string, string>): boolean {
  return named.has(id) || (isNew && [...named.keys()].some(one => one.startsWith(`${collection} `)));
}
