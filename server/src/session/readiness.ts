// The reasons of `/readyz`: collections that are not synced or not current.
import type {Graph, Progress} from '@krtscope/shared/graph.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import {ENGINE_TIMEOUT_MS, withEngineTimeout} from './engine-timeout.ts';

/** Why the engine's collections are not ready; empty if they are. An engine that does not answer is a reason. */
export async function unreadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]> {
  try {
    const graph = await withEngineTimeout(ENGINE_TIMEOUT_MS, engine.ask({ask: 'graph'}));
    return describeUnreadyCollections(graph as Graph, brief);
  } catch (error) {
    return [(error as Error).message];
  }
}

/**
 * Collections that may still settle: not synced, and not blocked by a forbidden kind. `brief` leaves out the words of
 * the server, which may name addresses.
 */
function describeUnreadyCollections(graph: Graph, brief: boolean): string[] {
  const byName = new Map(graph.collections.map(collection => [collection.name, collection]));
  const isReady = (name: string, seen: Set<string>): boolean => {
    const collection = byName.get(name);
    if (collection === undefined || seen.has(name)) return false;
    if (collection.synced || collection.state === 'forbidden' || collection.state === 'not installed')
      return collection.current !== false;
    seen.add(name);
    return collection.waitingFor !== undefined && isReady(collection.waitingFor, seen);
  };
  // Ignore formulas: a wrong or waiting formula must not make the rest unready.
  return graph.collections
    .filter(({name, formula}) => formula !== true && !isReady(name, new Set()))
    .map(({name, state, waitingFor, reason: words, current, asOf = 0, behind, progress}) => {
      const reason = brief ? undefined : words;
      if (current === false) {
        const since = `as of ${new Date(asOf).toISOString()}`;
        if (behind !== undefined && behind !== name) return `${name} is ${since}: ${behind} is not current`;
        return `${name} is ${since}, and was not updated since${reason ? ` (${state}: ${reason})` : ''}`;
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
