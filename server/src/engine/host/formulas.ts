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

/** `known`: only collections whose formula has this hash are repeated; absent: all. */
export function formulasOf(engine: Engine, known?: Hashes): Formulas {
  const own = known && hashesOf(engine);
  const find = (name: string) =>
    known && known[name] !== own?.[name] ? undefined : collectionByName(engine, name);
  return {
    repeat: (name, item, answer) => {
      const collection = find(name);
      return collection && repeat(collection, item, answer);
    },
    view: (name, items) => {
      const collection = find(name);
      return collection && repeatView(collection, items);
    },
    groups: (name, item) => {
      const collection = find(name);
      return collection && groupsOf(collection, item);
    },
  };
}
