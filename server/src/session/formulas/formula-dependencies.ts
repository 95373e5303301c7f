// The dependencies between formulas: the order of their creation, and cycles.

export interface FormulaReads {
  readonly name: string;
  readonly reads: readonly string[];
}

/** The names from `name` back to itself, if it is in a cycle. */
export function findCycle(name: string, all: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const walk = (at: string, path: readonly string[]): string[] | undefined => {
    for (const next of all.get(at) ?? []) {
      if (next === name) return [...path, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return walk(name, [name]);
}

export const describeCycle = (cycle: readonly string[]) => `the formulas form a cycle: ${cycle.join(' → ')}`;

/** Sorts formulas so that each follows those it reads. */
export function sortByReads<T extends FormulaReads>(readers: readonly T[]): T[] {
  const byName = new Map(readers.map(one => [one.name, one]));
  const sorted = new Set<T>();
  const visit = (one: T, above: ReadonlySet<string>): void => {
    if (sorted.has(one) || above.has(one.name)) return;
    for (const name of one.reads) {
      const read = byName.get(name);
      if (read !== undefined) visit(read, new Set([...above, one.name]));
    }
    sorted.add(one);
  };
  for (const one of readers) visit(one, new Set());
  return [...sorted];
}
