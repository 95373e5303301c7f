// The formulas that explain/ can repeat: those of the running graph, or of the shipped graph for an opened file. For
// a file, only formulas with the hashes in the file count.
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

/** A short hash of each formula's text, by collection. */
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
  /** Only collections whose formula has this hash are repeated. Undefined repeats all. */
  known?: FormulaHashes;
  /**
   * Calls `work` with the run function of a moment, or with undefined if that is the current one. Does not call
   * `work` if nothing can run.
   */
  runAs?<R>(name: string, at: number, work: (run: RerunFunction) => R): R | undefined;
  /** The same for a map or a merge. */
  viewAs?<R>(name: string, at: number, work: (view: RerunView) => R): R | undefined;
  /** Called after each repeated run: later work is not the formula's. */
  over?(): void;
}

export function createRerunFormulas(
  engine: Engine,
  {
    known: hashes,
    runAs = callWithCurrent,
    viewAs = callWithCurrent,
    over: afterRun = () => {},
  }: RerunOptions = {},
): RerunFormulas {
  const own = hashes && formulaHashesOf(engine);
  const find = (name: string) =>
    hashes && hashes[name] !== own?.[name] ? undefined : collectionByName(engine, name);
  const alone = <R>(name: string, work: (collection: Collection<unknown>) => R): R | undefined => {
    const collection = find(name);
    try {
      return collection && work(collection);
    } finally {
      afterRun();
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
