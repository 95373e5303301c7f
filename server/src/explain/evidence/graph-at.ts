// The graph at a batch. A formula may have got another input since, or may be deleted, so its earlier runs need the
// graph of their time.
import type {CollectionFacts, EdgeFacts, Records} from '../records.ts';

interface GraphAtBatch {
  readonly sequence: number;
  readonly newest: number;
  readonly oldest: number;
  readonly facts: ReadonlyMap<string, CollectionFacts>;
  edges: readonly EdgeFacts[] | undefined;
}

/** One answer asks many times for the same batch. */
const lastGraph = new WeakMap<Records, GraphAtBatch>();

function graphAt(records: Records, sequence: number): GraphAtBatch | undefined {
  const [newest, oldest] = [records.newest(), records.oldest()];
  // Before the recording only the current graph is known.
  if (sequence >= newest || sequence < oldest) return undefined;
  const known = lastGraph.get(records);
  if (known?.sequence === sequence && known.newest === newest && known.oldest === oldest) return known;
  const facts = new Map(records.collections(sequence).map(fact => [fact.name, fact]));
  const made: GraphAtBatch = {sequence, newest, oldest, facts, edges: undefined};
  lastGraph.set(records, made);
  return made;
}

/** A collection after this batch. */
export function factsAt(records: Records, name: string, sequence: number): CollectionFacts | undefined {
  const known = graphAt(records, sequence);
  return known === undefined ? records.collection(name) : known.facts.get(name);
}

/** Its primary input, or its first member, at that time. */
export function parentAt(records: Records, name: string, sequence: number): string | undefined {
  return factsAt(records, name, sequence)?.parents[0];
}

export function edgesAt(records: Records, sequence: number): readonly EdgeFacts[] {
  const known = graphAt(records, sequence);
  if (known === undefined) return records.edges();
  known.edges ??= records.edges(sequence);
  return known.edges;
}
