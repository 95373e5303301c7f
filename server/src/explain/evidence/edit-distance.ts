// The number of single edits between two texts, for near misses of filters and mistyped names.

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  if (a === b) return 0;
  // Compare only the first 200 letters: a larger distance has no use.
  const from = a.slice(0, 200);
  const to = b.slice(0, 200);
  let before: number[] = [];
  let previous = Array.from({length: to.length + 1}, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[to.length]! + Math.abs(a.length - from.length - (b.length - to.length));
}

/** The nearest of some names, if it is near enough to be a typo. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 2)) + 1;
  const lower = name.toLowerCase();
  for (const candidate of names) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const apart = editDistance(lower, candidate.toLowerCase());
    if (apart < least) {
      least = apart;
      best = candidate;
    }
  }
  return best;
}
