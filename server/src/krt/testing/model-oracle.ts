// The oracle: what a random graph must show after each batch, by plain functions over its sources.
// It knows nothing of propagation; all it carries from batch to batch is each input's last accepted result.
import {
  bucketOf,
  bucketWanted,
  type CaseSpec,
  type FetchSpec,
  type FilterKind,
  groupRow,
  hasFormula,
  type Item,
  keysWanted,
  mapItem,
  mergeItems,
  type NodeSpec,
  noItem,
  type Reader,
  runFormula,
  TRIGGERS,
} from './model-spec.ts';

/** A read that a run made: enough to say later whether a change matches it. */
export interface ModelFetch {
  /** A node, or `-1 - trigger`. */
  readonly target: number;
  /** Whether an update from one match to another is no news to it: partial fetches and tests for existence. */
  same(old: Item, next: Item): boolean;
  matches(item: Item): boolean;
}

export interface History {
  accepted: boolean;
  rows: readonly Item[];
  status: {readonly obj: Item; readonly status: {readonly found: number}} | undefined;
  outcome: 'ok' | 'failed' | 'suspended' | 'discarded';
  /** What the input depends on: its last run's fetches, after a discarded run followed by those accepted before. */
  dependencies: readonly ModelFetch[];
  acceptedFetches: readonly ModelFetch[];
  waitingFor: number | undefined;
}

export interface NodeState {
  rows: Map<string, Item>;
  status: Map<string, {obj: Item; status: {found: number}}> | undefined;
  synced: boolean;
  /** False when the design leaves open what the collection holds just now (unsynced joins and views). */
  known: boolean;
}

class Suspended extends Error {
  readonly on: number;

  constructor(on: number) {
    super('suspended');
    this.on = on;
  }
}

export class Oracle {
  readonly spec: CaseSpec;
  readonly states: NodeState[] = [];
  readonly items: Map<string, Item>[];
  readonly latched: boolean[];
  readonly attached: Set<number>[];
  readonly salts: number[];
  readonly outside: number[] = Array.from({length: TRIGGERS}, () => 0);
  readonly histories: Map<string, History>[];
  created: number;
  /** Inputs that were suspended when the node's parent synced: until they run, the node is not synced. */
  readonly #first: (Set<string> | undefined)[];

  constructor(spec: CaseSpec, created: number) {
    this.spec = spec;
    this.created = created;
    this.items = spec.nodes.map((_, i) => new Map((spec.initial[i] ?? []).map(item => [item.key, item])));
    this.latched = spec.nodes.map(node => !('late' in node && node.late));
    this.attached = spec.nodes.map(node => new Set(node.kind === 'nested' ? node.attached : []));
    this.salts = spec.nodes.map(() => 0);
    this.histories = spec.nodes.map(() => new Map());
    this.#first = spec.nodes.map(() => undefined);
  }

  /** Computes every state anew. `ask` answers for a node whose sync the design leaves open. */
  settle(ask: (node: number) => boolean): void {
    for (let i = 0; i < this.created; i++) this.states[i] = this.#state(i, this.spec.nodes[i]!, ask);
  }

  #state(i: number, spec: NodeSpec, ask: (node: number) => boolean): NodeState {
    const was = this.states[i]?.synced ?? false;
    if (spec.kind === 'source' || spec.kind === 'static') {
      return {rows: new Map(this.items[i]), status: undefined, synced: this.latched[i]!, known: true};
    }
    if (hasFormula(spec)) return this.#derived(i, was, ask);
    if (spec.kind === 'map') {
      const {rows, synced, known} = this.#of(spec.input);
      return view(mapped(rows, mapItem), synced, known && synced);
    }
    if (spec.kind === 'group') {
      const {rows, synced} = this.#of(spec.input);
      const grouped = new Map<string, Item>();
      for (const [bucket, objects] of buckets(synced ? rows : new Map(), spec.by)) {
        grouped.set(bucket, groupRow(bucket, objects));
      }
      return view(grouped, synced, true);
    }
    if (spec.kind === 'nested') return this.#nested(i, spec.inputs, was, ask);
    const members = spec.inputs.map(input => this.#of(input));
    const synced = members.every(m => m.synced);
    const all = members.map(m => m.rows);
    if (spec.kind === 'merge') return view(merged(all), synced, synced);
    if (spec.kind === 'unchecked') {
      const rows = new Map<string, Item>();
      all.forEach((member, p) => {
        for (const item of member.values())
          rows.set(`p${p}/${item.key}`, {...item, key: `p${p}/${item.key}`});
      });
      return view(rows, synced, synced);
    }
    return view(new Map(all.toReversed().flatMap(member => [...member])), synced, synced);
  }

  #nested(i: number, inputs: readonly number[], was: boolean, ask: (node: number) => boolean): NodeState {
    const members = inputs.filter(m => this.attached[i]!.has(m)).map(m => this.#of(m));
    const ready = members.filter(m => m.synced);
    const synced = was || ready.length === members.length || ask(i);
    return view(merged(ready.map(m => m.rows)), synced, synced);
  }

  #derived(i: number, was: boolean, ask: (node: number) => boolean): NodeState {
    const spec = this.spec.nodes[i]!;
    if (!hasFormula(spec)) throw new Error('not a derived node');
    const parent = 'input' in spec ? this.#of(spec.input) : undefined;
    const ready = parent?.synced ?? true;
    const inputs = !ready ? new Map<string, Item>() : (parent?.rows ?? new Map([['', noItem]]));
    const histories = this.histories[i]!;
    for (const key of [...histories.keys()]) {
      if (inputs.has(key)) continue;
      histories.delete(key);
      this.#first[i]?.delete(key);
    }
    for (const [key, item] of inputs) histories.set(key, this.#run(i, item, histories.get(key)));
    const waiting = [...histories].filter(([, h]) => h.outcome === 'suspended').map(([key]) => key);
    // Whoever has run since holds the sync no longer, also if it waits again.
    if (ready) this.#first[i] = new Set(waiting).intersection(this.#first[i] ?? new Set(waiting));
    const early = waiting.some(key => this.#first[i]?.has(key));
    const synced = was || (ready && (waiting.length === 0 || (!early && ask(i))));
    const rows = new Map<string, Item>();
    const status = spec.kind.startsWith('status') ? new Map() : undefined;
    for (const key of [...histories.keys()].sort()) {
      const history = histories.get(key)!;
      if (history.status !== undefined) status?.set(key, history.status);
      // The last of one result counts; among inputs the smallest key owns the row.
      const own = new Map(history.rows.map(row => [row.key, row]));
      for (const [rowKey, row] of own) if (!rows.has(rowKey)) rows.set(rowKey, row);
    }
    return {rows, status, synced, known: true};
  }

  #run(i: number, item: Item, before: History | undefined): History {
    const spec = this.spec.nodes[i]!;
    if (!hasFormula(spec)) throw new Error('not a derived node');
    const fetches: ModelFetch[] = [];
    let discarded = false;
    const reader = this.#reader(fetches, () => {
      discarded = true;
    });
    const kept = {
      accepted: before?.accepted ?? false,
      rows: before?.rows ?? [],
      status: before?.status,
      dependencies: fetches,
      acceptedFetches: before?.acceptedFetches ?? [],
      waitingFor: undefined,
    };
    const many = spec.kind === 'many' || spec.kind === 'nothing' || spec.kind === 'statusMany';
    try {
      const result = runFormula(spec.formula, this.salts[i]!, many, item, reader);
      const status = result.status && {obj: item, status: result.status};
      if (discarded && (kept.accepted || result.rows.length === 0)) {
        const dependencies = [...fetches, ...kept.acceptedFetches];
        return {...kept, status, dependencies, outcome: 'discarded'};
      }
      return {...kept, accepted: true, rows: result.rows, status, acceptedFetches: fetches, outcome: 'ok'};
    } catch (error) {
      if (error instanceof Suspended) return {...kept, outcome: 'suspended', waitingFor: error.on};
      return {...kept, outcome: 'failed'};
    }
  }

  #reader(fetches: ModelFetch[], discard: () => void): Reader {
    const select = (fetch: FetchSpec, item: Item, filters: readonly FilterKind[]): Item[] => {
      const matches = (other: Item) => filters.every(filter => matchesFilter(filter, item, other));
      const same = (a: Item, b: Item) =>
        fetch.how === 'exists' || (fetch.how === 'partial' && a.n % 2 === b.n % 2);
      fetches.push({target: fetch.target, same, matches});
      const state = this.#of(fetch.target);
      if (!state.synced) throw new Suspended(fetch.target);
      return [...state.rows.values()].filter(matches);
    };
    return {
      fetch: (fetch, item) => select(fetch, item, fetch.how === 'one' ? ['key'] : fetch.filters),
      partial: (fetch, item) => select(fetch, item, fetch.filters).map(other => other.n % 2),
      exists: (fetch, item) => select(fetch, item, ['key']).length > 0,
      trigger: t => {
        fetches.push({target: -1 - t, same: () => false, matches: () => true});
        return this.outside[t]!;
      },
      discard,
    };
  }

  #of(i: number): NodeState {
    return this.states[i]!;
  }
}

function view(rows: Map<string, Item>, synced: boolean, known: boolean): NodeState {
  return {rows, status: undefined, synced, known};
}

function mapped(rows: ReadonlyMap<string, Item>, f: (item: Item) => Item): Map<string, Item> {
  return new Map([...rows].map(([key, item]) => [key, f(item)]));
}

function merged(members: readonly ReadonlyMap<string, Item>[]): Map<string, Item> {
  const rows = new Map<string, Item>();
  for (const key of new Set(members.flatMap(m => [...m.keys()]))) {
    const row = mergeItems(members.flatMap(m => m.get(key) ?? []));
    if (row !== undefined) rows.set(key, row);
  }
  return rows;
}

export function buckets(rows: ReadonlyMap<string, Item>, by: 'ns' | 'n'): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of rows.values()) {
    for (const bucket of bucketOf(item, by)) {
      const list = found.get(bucket);
      if (list === undefined) found.set(bucket, [item]);
      else list.push(item);
    }
  }
  return found;
}

const within = (part: Item['labels'], whole: Item['labels']) =>
  Object.entries(part).every(([k, v]) => whole[k] === v);

function matchesFilter(filter: FilterKind, item: Item, other: Item): boolean {
  switch (filter) {
    case 'key':
      return other.key === item.ref;
    case 'keys':
      return keysWanted(item).includes(other.key);
    case 'namespace':
      return other.ns === item.ns;
    case 'label':
      return within(item.labels, other.labels);
    case 'selects':
      return within(other.selector ?? {}, item.labels);
    case 'selectsNonEmpty':
      return Object.keys(other.selector ?? {}).length > 0 && within(other.selector!, item.labels);
    case 'index':
      return bucketOf(other, 'n').includes(bucketWanted(item));
    case 'generic':
      return other.n > item.n;
  }
}
