// The formulas of a graph for explain/ to repeat: of the running one, or for an opened file of the program's own where
// the file says that it was made by the same.
import {createHash} from 'node:crypto';
import type {Formulas} from '../../explain/records.ts';
import {
  collectionByName,
  collectionsOf,
  type Engine,
  formulaText,
  groupsOf,
  repeat,
  repeatView,
} from '../../krt/index.ts';

/** By collection, a short name for the text of its formula. */
export type Hashes = Readonly<Record<string, string>>;

export function hashesOf(engine: Engine): Hashes {
  const hashes: Record<string, string> = {};
  for (const collection of collectionsOf(engine)) {
    const text = formulaText(collection);
    if (text !== undefined)
      hashes[collection.name] = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }
  return hashes;
}

type Run = NonNullable<Parameters<typeof repeat>[3]>['formula'];
type View = Parameters<typeof repeatView>[2];

export interface Repeatable {
  /** Only collections whose formula has this hash are repeated; absent: all. */
  known?: Hashes;
  /**
   * Calls `work` with what ran at a moment: undefined where that is what runs now. Does not call it where there is
   * nothing to run.
   */
  runAs?<R>(name: string, at: number, work: (run: Run) => R): R | undefined;
  /** The same for a map or a merge. */
  viewAs?<R>(name: string, at: number, work: (view: View) => R): R | undefined;
}

export function formulasOf(engine: Engine, {known, runAs = now, viewAs = now}: Repeatable = {}): Formulas {
  const own = known && hashesOf(engine);
  const find = (name: string) =>
    known && known[name] !== own?.[name] ? undefined : collectionByName(engine, name);
  return {
    repeat: (name, {key, item}, answer, at) => {
      const collection = find(name);
      return collection && runAs(name, at, formula => repeat(collection, item, answer, {formula, key}));
    },
    view: (name, items, at) => {
      const collection = find(name);
      return collection && viewAs(name, at, view => repeatView(collection, items, view));
    },
    groups: (name, item) => {
      const collection = find(name);
      return collection && groupsOf(collection, item);
    },
  };
}

function now<R>(_name: string, _at: number, work: (then: undefined) => R): R {
  return work(undefined);
}
