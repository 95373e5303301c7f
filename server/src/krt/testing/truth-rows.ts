// Common parts of the recorded graphs: rows, sources, and how a collection is watched.
import {type Collection, type Engine, newStaticCollection, type StaticCollection} from '../index.ts';
import type {TruthObject} from './truth-cases.ts';

/** A row of these graphs: its key and the recorded part. */
export interface TruthRow {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Watched {
  readonly collection: Collection<unknown>;
  /** The part of an item that the recording shows. */
  row(item: unknown): unknown;
  /** The collection whose runs make these rows; undefined for views and joins. */
  readonly runs?: string;
  /** May announce an update whose recorded part is equal: maps, joins, and status rows for their `obj`. */
  readonly mayRepeat: boolean;
}

export interface TruthGraph {
  readonly watched: Readonly<Record<string, Watched>>;
  attach?(source: string): void;
  detach?(source: string): void;
  setValue?(value: string): void;
  trigger?(): void;
}

export type Sources = Readonly<Record<string, StaticCollection<TruthObject>>>;
export type Build = (engine: Engine, sources: Sources) => TruthGraph;

export function keyOf(object: TruthObject): string {
  return `${object.namespace}/${object.name}`;
}

export function newSource(
  engine: Engine,
  name: string,
  initial: readonly TruthObject[],
): StaticCollection<TruthObject> {
  return newStaticCollection(engine, initial, {
    name,
    key: keyOf,
    namespace: o => o.namespace,
    labels: o => o.labels,
    selector: o => o.selector,
  });
}

export const row = (object: TruthObject, value: TruthRow['value']): TruthRow => ({key: keyOf(object), value});
export const named = (name: string) => ({name, key: (r: TruthRow) => r.key});
export const sorted = (list: Iterable<string>): string[] => [...list].sort();
export const keysOf = (objects: readonly TruthObject[]): string[] => sorted(objects.map(keyOf));

export function derived(collection: Collection<TruthRow>): Watched {
  return {collection, row: item => (item as TruthRow).value, runs: collection.name, mayRepeat: false};
}

export function view(collection: Collection<TruthRow>, mayRepeat: boolean): Watched {
  return {collection, row: item => (item as TruthRow).value, mayRepeat};
}

export function isEmpty(labels: Readonly<Record<string, string>> | undefined): boolean {
  return labels === undefined || Object.keys(labels).length === 0;
}
