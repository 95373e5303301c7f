// The graph as it was in a batch: a formula may have got another input since, or be gone, and its runs of then are not told
// by what it is now.
import type {CollectionFacts, EdgeFacts, Records} from '../records.ts';

interface GraphAtBatch {
  readonly sequence: number;
  readonly newest: number;
  readonly oldest: number;
  readonly facts: ReadonlyMap<string, CollectionFacts>;
  edges: readonly EdgeFacts[] | undefined;
}

/** One answer asks about one batch again and again, and the whole graph of then is looked up for it. */
const lastGraph = new WeakMap<Records, GraphAtBatch>();

function graphAt(records: Records, sequence: number): GraphAtBatch | undefined {
  const [newest, oldest] = [records.newest(), records.oldest()];
  // What is older than the recording is told by what is there now.
  if (sequence >= newest || sequence < oldest) return undefined;
  const known = lastGraph.get(records);
  if (known?.sequence === sequence && known.newest === newest && known.oldest === oldest) return known;
  const facts = new Map(records.collections(sequence).map(fact => [fact.name, fact]));
  const made: GraphAtBatch = {sequence, newest, oldest, facts, edges: undefined};
  lastGraph.set(records, made);
  return made;
}

/** How a collection was made when this batch had settled. */
export function factsAt(records: Records, name: string, sequence: number): CollectionFacts | undefined {
  const known = graphAt(records, sequence);
  return known === undefined ? records.collection(name) : known.facts.get(name);
}

/** The primary input, or the first member, that it had then. */
export function parentAt(records: Records, name: string, sequence: number): string | undefined {
  return factsAt(records, name, sequence)?.parents[0];
}

export function edgesAt(records: Records, sequence: number): readonly EdgeFacts[] {
  const known = graphAt(records, sequence);
  if (known === undefined) return records.edges();
  known.edges ??= records.edges(sequence);
  return known.edges;
}
