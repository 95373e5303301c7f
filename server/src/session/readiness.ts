// Which collections may still settle, or are not current: what `/readyz` waits for.
import type {Graph, Progress} from '@krtscope/shared/graph.ts';

/** Collections that may still settle: not synced, and not held back by a kind that is denied for good. */
export function describeUnreadyCollections(graph: Graph): string[] {
  const byName = new Map(graph.collections.map(collection => [collection.name, collection]));
  const excused = (name: string, seen: Set<string>): boolean => {
    const collection = byName.get(name);
    if (collection === undefined || seen.has(name)) return false;
    if (collection.synced || collection.state === 'forbidden' || collection.state === 'not installed')
      return collection.current !== false;
    seen.add(name);
    return collection.waitingFor !== undefined && excused(collection.waitingFor, seen);
  };
  // What somebody typed may be wrong, or wait for ever: the rest is ready all the same.
  return graph.collections
    .filter(({name, formula}) => formula !== true && !excused(name, new Set()))
    .map(({name, state, waitingFor, reason, current, asOf = 0, behind, progress}) => {
      if (current === false) {
        const since = `as of ${new Date(asOf).toISOString()}`;
        if (behind !== undefined && behind !== name) return `${name} is ${since}: ${behind} is not current`;
        return `${name} is ${since}, and has not been heard since${reason ? ` (${state}: ${reason})` : ''}`;
      }
      if (progress !== undefined)
        return `${name} has done ${progress.done} of ${progress.total}${remainingTime(progress)}`;
      if (waitingFor !== undefined) return `${name} waits for ${waitingFor}`;
      return `${name} is ${state ?? 'not synced'}${reason ? `: ${reason}` : ''}`;
    });
}

function remainingTime({seconds}: Progress): string {
  return seconds === undefined ? '' : `, about ${seconds} s to go`;
}
