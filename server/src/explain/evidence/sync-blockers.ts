// Finds what a collection waits for: the chain down to the source that has not synced.
import type {Evidence} from '@krtscope/shared/why.ts';
import type {Records} from '../records.ts';

/** From the waiting collection down to the source; empty if it does not wait. */
export function syncBlockersOf(records: Records, collection: string, at?: number): Evidence['holders'] {
  const chain: Evidence['holders'] = [];
  const seen = new Set<string>();
  let name: string | undefined = collection;
  while (name !== undefined && !seen.has(name)) {
    seen.add(name);
    const facts = records.collection(name, at);
    // A collection that has synced may still have inputs that wait.
    if (!facts || (facts.synced && facts.waitingFor === undefined)) break;
    const next: string | undefined =
      facts.waitingFor ?? facts.parents.find(p => records.collection(p, at)?.synced === false);
    chain.push({
      collection: name,
      state: facts.state ?? (next ? `waiting for ${next}` : 'not synced'),
      ...(facts.reason !== undefined ? {reason: facts.reason} : {}),
    });
    name = next;
  }
  return chain;
}
