// The formulas of a graph for explain/ to repeat: of the running one, or for an opened file of the program's own where
// the file says that it was made by the same.
import {createHash} from 'node:crypto';
import type {RerunFormulas} from '../../../explain/records.ts';
import {
  type Collection,
  collectionByName,
  collectionsOf,
  type Engine,
  formulaText,
  groupsOf,
  repeat,
  repeatView,
} from '../../../krt/index.ts';

/** By collection, a short name for the text of its formula. */
export type FormulaHashes = Readonly<Record<string, string>>;

export function formulaHashesOf(engine: Engine): FormulaHashes {
  const hashes: Record<string, string> = {};
  for (const collection of collectionsOf(engine)) {
    const text = formulaText(collection);
    if (text !== undefined)
      hashes[collection.name] = createHash('sha256').update(text).digest('hex').slice(0, 16);
  }
  return hashes;
}

type RerunFunction = NonNullable<Parameters<typeof repeat>[3]>['formula'];
type RerunView = Parameters<typeof repeatView>[2];

export interface RerunOptions {
  /** Only collections whose formula has this hash are repeated; absent: all. */
  known?: FormulaHashes;
  /**
   * Calls `work` with what ran at a moment: undefined where that is what runs now. Does not call it where there is
   * nothing to run.
   */
  runAs?<R>(name: string, at: number, work: (run: RerunFunction) => R): R | undefined;
  /** The same for a map or a merge. */
  viewAs?<R>(name: string, at: number, work: (view: RerunView) => R): R | undefined;
  /** After each: what comes then is not the formula's. */
  over?(): void;
}

export function createRerunFormulas(
  engine: Engine,
  {known, runAs = callWithCurrent, viewAs = callWithCurrent, over = () => {}}: RerunOptions = {},
): RerunFormulas {
  const own = known && formulaHashesOf(engine);
  const find = (name: string) =>
    known && known[name] !== own?.[name] ? undefined : collectionByName(engine, name);
  const alone = <R>(name: string, work: (collection: Collection<unknown>) => R): R | undefined => {
    const collection = find(name);
    try {
      return collection && work(collection);
    } finally {
      over();
    }
  };
  return {
    repeat: (name, {key, item}, answer, at) =>
      alone(name, of => runAs(name, at, formula => repeat(of, item, answer, {formula, key}))),
    view: (name, items, at) => alone(name, of => viewAs(name, at, view => repeatView(of, items, view))),
    groups: (name, item) => alone(name, of => groupsOf(of, item)),
  };
}

function callWithCurrent<R>(_name: string, _at: number, work: (then: undefined) => R): R {
  return work(undefined);
}
