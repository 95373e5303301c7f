// The collections, their state and their connections, now and at any retained moment.
import {type CollectionFacts, type EdgeFacts, RolledOff} from '../../../explain/records.ts';
import {type JournalName, journals} from '../../../history/journal.ts';
import type {SourceFacts} from '../live-graph/collection-facts.ts';
import {parentEdgesOf, type ReadableGraph} from '../live-graph/graph-interface.ts';
import type {HostHistory} from './host-history.ts';

export class CollectionRecords {
  readonly #history: HostHistory;
  readonly #graph: ReadableGraph;

  constructor(history: HostHistory, graph: ReadableGraph) {
    this.#history = history;
    this.#graph = graph;
  }

  collections(at?: number): readonly CollectionFacts[] {
    const facts = this.#graph.collections();
    const moment = this.moment(at);
    if (moment === undefined) return facts;
    const past = this.#history.collections.at(moment, facts).map(fact => this.#stateAt(fact, moment));
    const unsynced = new Set(past.filter(({synced}) => !synced).map(({name}) => name));
    return unsynced.size === 0 ? past.map(asSettled) : past.map(fact => this.#waitingAt(fact, unsynced));
  }

  /** The collection that it waited for at that time: one of its inputs, or one that it reads. */
  #waitingAt(fact: CollectionFacts, unsynced: ReadonlySet<string>): CollectionFacts {
    const {name, parents} = fact;
    if (fact.synced || fact.kind === 'source') return asSettled(fact);
    const reads = [...this.#history.recording.latest(name).reads.keys()];
    const waitingFor = [...parents, ...reads].find(one => unsynced.has(one));
    return waitingFor === undefined ? asSettled(fact) : {...fact, waitingFor};
  }

  /** The state that a source reported at that time. */
  #stateAt(fact: CollectionFacts, moment: number): CollectionFacts {
    if (fact.kind !== 'source') return fact;
    const {state: _s, reason: _r, hint: _h, listed: _l, total: _t, asOf: _a, current: _c, ...rest} = fact;
    return {...rest, ...this.#journal<SourceFacts>('sources', fact.name, moment)};
  }

  #journal<T>(name: JournalName, key: string, moment: number | undefined): T | undefined {
    const row = this.#history.past.value(journals[name], key, moment) as {value: T} | undefined;
    return row?.value;
  }

  journals<T>(name: JournalName, at: number | undefined): T[] {
    const moment = this.moment(at);
    const keys = [...this.#history.past.keys(journals[name], moment)];
    return keys.flatMap(key => this.#journal<T>(name, key, moment) ?? []);
  }

  collection(name: string, at?: number): CollectionFacts | undefined {
    if (this.moment(at) === undefined) return this.#graph.fact(name);
    return this.collections(at).find(fact => fact.name === name);
  }

  edges(at?: number): readonly EdgeFacts[] {
    const moment = this.moment(at);
    const facts = this.collections(moment);
    const edgeNames = new Set(facts.map(({name}) => name));
    const edges = parentEdgesOf(facts);
    for (const ledger of this.#history.recording.allLatest()) {
      for (const [from, {count}] of ledger.reads) {
        const isHeld = moment === undefined ? count > 0 : ledger.wasReadAt(from, moment);
        if (isHeld && edgeNames.has(from) && edgeNames.has(ledger.name))
          edges.push({from, to: ledger.name, kind: 'fetch'});
      }
    }
    // Declared reads that no run has made yet.
    for (const {name, fetches = []} of facts)
      for (const from of fetches)
        if (
          edgeNames.has(from) &&
          !edges.some(one => one.to === name && one.from === from && one.kind === 'fetch')
        )
          edges.push({from, to: name, kind: 'fetch'});
    return edges;
  }

  /** Undefined stands for now. */
  moment(at: number | undefined): number | undefined {
    const {newest, oldest} = this.#history.recording;
    if (at === undefined || at >= newest) return undefined;
    if (at < oldest) throw new RolledOff(at, oldest);
    return at;
  }

  /** A removed collection keeps its last facts, because its history can still be read. */
  fact(name: string, moment?: number): CollectionFacts | undefined {
    const now = moment === undefined ? this.#graph.fact(name) : undefined;
    return now ?? this.#history.collections.fact(name, moment);
  }

  isView(collection: string, moment: number | undefined): boolean {
    const kind = this.fact(collection, moment)?.kind;
    return kind === 'join' || kind === 'index' || kind === 'map' || kind === 'status';
  }
}

function asSettled(fact: CollectionFacts): CollectionFacts {
  if (fact.waitingFor === undefined) return fact;
  const {waitingFor: _, ...rest} = fact;
  return rest;
}
