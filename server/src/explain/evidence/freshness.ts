// How current the rows of a collection are. A source reports it, a computed collection has the worst of all it reads.
import type {Records} from '../records.ts';

export interface ReadFreshness {
  /** Milliseconds since 1970. */
  readonly asOf: number;
  readonly current: boolean;
  /** The source that is behind, by name; absent while all are current. */
  readonly behind?: string;
}

/** By name; without collections whose sources report nothing (a program's, or those of an old file). */
export function freshnessOf(records: Records, at?: number): Map<string, ReadFreshness> {
  const found = new Map<string, ReadFreshness>();
  const readBy = new Map<string, string[]>();
  const note = (from: string, to: string): void => {
    const known = readBy.get(to);
    if (known === undefined) readBy.set(to, [from]);
    else known.push(from);
  };
  for (const {from, to} of records.edges(at)) note(from, to);
  const collections = records.collections(at);
  // For a past moment only the sources that were behind have an exact time.
  const then = at === undefined ? undefined : records.timeOf(at);
  for (const {name, parents} of collections) for (const parent of parents) note(parent, name);
  for (const {name, current, asOf = current === undefined ? undefined : then} of collections)
    if (asOf !== undefined)
      found.set(name, {asOf, current: current === true, ...(current ? {} : {behind: name})});
  // In topological order, a collection comes before its readers.
  for (const {name} of collections) {
    let worst = found.get(name);
    for (const from of readBy.get(name) ?? []) worst = worseOf(worst, found.get(from));
    if (worst !== undefined) found.set(name, worst);
  }
  return found;
}

function worseOf(a: ReadFreshness | undefined, b: ReadFreshness | undefined): ReadFreshness | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const behind = a.behind ?? b.behind;
  return {
    asOf: Math.min(a.asOf, b.asOf),
    current: a.current && b.current,
    ...(behind === undefined ? {} : {behind}),
  };
}
