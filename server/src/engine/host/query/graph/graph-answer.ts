// The graph answer: every collection with its numbers, every edge with the texts of its fetches.
import type {CollectionNode, Graph, GraphEdge} from '@krtscope/shared/graph.ts';
import {freshnessOf, type ReadFreshness} from '../../../../explain/evidence/freshness.ts';
import type {CollectionFacts, EdgeFacts, Records, ViewChanges} from '../../../../explain/records.ts';
import {momentOf} from '../items/item.ts';
import {
  type CollectionRunCounts,
  currentRunCounts,
  PastCollectionRunCounts,
} from './collection-run-counts.ts';
import type {ColumnFieldFinder} from './column-fields.ts';
import type {EdgeFilterReader} from './edge-filters.ts';
import {RunRates} from './run-rates.ts';

const outcomeByEvent = {add: 'added', update: 'changed', delete: 'deleted'} as const;

/** The newest change or run in each collection, as far as batches have reported. */
export class LastActivity {
  readonly #last = new Map<string, NonNullable<CollectionNode['last']>>();

  update(records: Records, changes: ViewChanges): void {
    for (const [collection, {lastKey, lastInput}] of changes) {
      const changed = lastKey !== undefined;
      const key = lastKey ?? lastInput;
      if (key === undefined) continue;
      const change = changed ? records.lastChange(collection, key) : undefined;
      const facts = changed ? undefined : records.row(collection, key);
      this.#last.set(collection, {
        sequence: change?.sequence ?? facts?.sequence ?? records.newest(),
        at: Math.round(change?.at ?? facts?.at ?? records.now()),
        outcome: change?.observed
          ? 'observed'
          : change
            ? outcomeByEvent[change.event]
            : (facts?.outcome ?? 'deleted'),
        key,
      });
    }
  }

  of(collection: string): CollectionNode['last'] {
    return this.#last.get(collection);
  }
}

export interface GraphParts {
  readonly records: Records;
  readonly meter: RunRates;
  readonly fields: ColumnFieldFinder;
  readonly edges: EdgeFilterReader;
  readonly last: LastActivity;
}

function nodeOf(
  parts: GraphParts,
  {facts, runs, failed}: CollectionRunCounts,
  meter: RunRates,
  end: number,
  fresh: ReadFreshness | undefined,
  at?: number,
): CollectionNode {
  const {records} = parts;
  const rate = meter.rate(facts.name, end);
  const last = at === undefined ? parts.last.of(facts.name) : undefined;
  return {
    name: facts.name,
    uid: facts.uid,
    kind: facts.kind,
    size: records.size(facts.name, at),
    synced: facts.synced,
    waitingFor: facts.waitingFor,
    state: facts.state,
    ...(facts.formula === undefined ? {} : formulaOf(records, facts, failed, at)),
    reason: facts.reason,
    hint: facts.hint,
    listed: facts.listed,
    total: facts.total,
    ...(facts.progress !== undefined && at === undefined ? {progress: facts.progress} : {}),
    ...fresh,
    runs,
    failed,
    ...(facts.resource ? {resource: facts.resource} : {}),
    rate: rate.runs,
    equal: rate.equal,
    spark: meter.spark(facts.name, end, 5),
    ...(last ? {last} : {}),
    fields: parts.fields.of(facts.name).best,
  };
}

/** A formula that fails for some inputs shows it like one that cannot run at all. */
function formulaOf(
  records: Records,
  {name, error, state, module, lane, cost}: CollectionFacts,
  failed: number,
  at: number | undefined,
): Pick<CollectionNode, 'formula' | 'module' | 'state' | 'error' | 'lane' | 'cost'> {
  const own = {formula: true as const, module, ...(at === undefined ? {lane, cost} : {})};
  if (state !== undefined && error !== undefined) return {...own, error};
  if (failed === 0) return own;
  const input = at === undefined ? records.failedInputs(name)[0] : undefined;
  const said = input === undefined ? undefined : records.lastRun(name, input)?.error;
  if (input === undefined || said === undefined) return {...own, state: 'failing'};
  const line = /\(line (\d+)\)$/.exec(said)?.[1];
  return {
    ...own,
    state: 'failing',
    error: {message: said, ...(line === undefined ? {} : {line: Number(line)}), input},
  };
}

function edgeOf(parts: GraphParts, edge: EdgeFacts, at?: number): GraphEdge {
  if (edge.kind !== 'fetch') return {...edge, filters: []};
  const texts = parts.edges.texts(edge.from, edge.to, at);
  return {
    ...edge,
    filters: texts.filters,
    ...(texts.inferred.length > 0 ? {inferred: texts.inferred} : {}),
    ...(texts.via ? {via: texts.via} : {}),
  };
}

export function graphAnswer(parts: GraphParts, moment: number | undefined): Graph {
  const {records} = parts;
  const at = momentOf(records, moment);
  const end = at === undefined ? records.now() : records.timeOf(at);
  let meter = parts.meter;
  if (at !== undefined) meter = new RunRates();
  meter.catchUp(records, at ?? records.newest());
  const pastCounts = at === undefined ? undefined : new PastCollectionRunCounts(records, at);
  const fresh = freshnessOf(records, at);
  return {
    sequence: at ?? records.newest(),
    collections: records.collections(at).map(facts => {
      const counts = pastCounts?.of(facts) ?? currentRunCounts(records, facts);
      return nodeOf(parts, counts, meter, end, fresh.get(facts.name), at);
    }),
    edges: records.edges(at).map(edge => edgeOf(parts, edge, at)),
  };
}
