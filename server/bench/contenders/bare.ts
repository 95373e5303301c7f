// `bare`: the least that an engine does which settles a batch before it tells anybody. Rows hang on rows, wait in levels, run the
// user's function with fetches that are remembered by place, and are compared; then the listener gets all changes. It has no
// errors, traces, checks, owners, indexes, syncs or stops, one output an input, and one kind of fetch: a bound, not an engine.

import {
  deeper,
  type Labels,
  type Pod,
  type Service,
  selects,
  type WorkloadObjects,
  type WorkloadRow,
  workloadRow,
} from '../support/workload-objects.ts';
import {callUser} from './call-user.ts';
import type {Contender, Workloads} from './contender.ts';
import {deepEqual} from './deep-equal.ts';

interface Filter {
  readonly kind: 'namespace' | 'selects';
  readonly value: string | Labels;
}
const filterNamespace = (namespace: string): Filter => ({kind: 'namespace', value: namespace});
const filterSelects = (labels: Labels): Filter => ({kind: 'selects', value: labels});

/** One distinct question: what it found, frozen and shared, and who asks it. */
class Query {
  result: readonly Service[] = [];
  readonly users: Row[] = [];
  readonly namespace: string;
  readonly labels: Labels;
  readonly #pairs: readonly string[];

  constructor(namespace: string, labels: Labels) {
    this.namespace = namespace;
    this.labels = {...labels};
    this.#pairs = Object.entries(labels).flat();
  }

  is(filters: readonly Filter[]): boolean {
    for (const {kind, value} of filters) {
      if (kind === 'namespace' ? value !== this.namespace : !this.#sameLabels(value as Labels)) return false;
    }
    return true;
  }

  #sameLabels(labels: Labels): boolean {
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i += 2) if (labels[pairs[i]!] !== pairs[i + 1]) return false;
    let count = 0;
    for (const _ in labels) count += 2;
    return count === pairs.length;
  }
}

type Formula = (ctx: Row, value: never) => WorkloadRow;

/** An item at its place, and in a derived column the input that it is computed of. */
class Row {
  value: unknown = undefined;
  before: unknown = undefined;
  waits = false;
  child: Row | null = null;
  query: Query | null = null;
  readonly input: Row | null;
  readonly formula: Formula | null;
  readonly level: number;

  constructor(input: Row | null, formula: Formula | null, level: number) {
    this.input = input;
    this.formula = formula;
    this.level = level;
  }
}

interface Change {
  readonly event: 'add' | 'update';
  readonly key: string;
  readonly old: unknown;
  readonly new: unknown;
}

class Bare implements Workloads {
  readonly #formulas: Formula[];
  readonly #levels: {rows: Row[]; count: number}[];
  readonly #pods = new Map<string, Map<string, Row>>();
  readonly #services = new Map<string, Map<string, Service>>();
  readonly #queries = new Map<string, Map<string, Query>>();
  readonly #last: Row[] = [];
  #open = 0;
  #news: Change[] = [];
  #changes = 0;
  readonly #listener = (changes: readonly Change[]): void => {
    this.#changes += changes.length;
  };

  constructor(world: WorkloadObjects, stages: number) {
    this.#formulas = [
      (ctx, pod: Pod) => {
        const {namespace, labels} = pod.metadata;
        return workloadRow(pod, this.#fetch(ctx, filterNamespace(namespace), filterSelects(labels)));
      },
    ];
    for (let depth = 2; depth <= stages; depth++) {
      this.#formulas.push((_, row: WorkloadRow) => deeper(row, depth));
    }
    this.#levels = Array.from({length: stages + 1}, () => ({rows: [], count: 0}));
    this.batch(() => {
      for (const service of world.services) this.setService(service);
      for (const pod of world.pods) this.setPod(pod);
    });
  }

  batch(f: () => void): void {
    this.#open++;
    try {
      f();
    } finally {
      if (--this.#open === 0) this.#settle();
    }
  }

  setPod(pod: Pod): void {
    this.batch(() => {
      const {namespace, name} = pod.metadata;
      const row = this.#pods.get(namespace)?.get(name) ?? this.#newRow(namespace, name);
      if (!row.waits) row.before = row.value;
      row.value = pod;
      this.#wait(row);
    });
  }

  #newRow(namespace: string, name: string): Row {
    const row = new Row(null, null, 0);
    let above = row;
    this.#formulas.forEach((formula, i) => {
      above.child = new Row(above, formula, i + 1);
      above = above.child;
    });
    this.#last.push(above);
    at(this.#pods, namespace).set(name, row);
    return row;
  }

  #wait(row: Row): void {
    if (row.waits) return;
    row.waits = true;
    const level = this.#levels[row.level]!;
    level.rows[level.count++] = row;
  }

  #settle(): void {
    const levels = this.#levels;
    for (let l = 0; l < levels.length; l++) {
      const level = levels[l]!;
      for (let i = 0; i < level.count; i++) {
        const row = level.rows[i]!;
        row.waits = false;
        if (row.formula !== null) this.#run(row, row.formula);
        else if (row.value !== row.before && row.child !== null) this.#wait(row.child);
      }
      level.count = 0;
    }
    if (this.#news.length === 0) return;
    const news = this.#news;
    this.#news = [];
    this.#listener(news);
  }

  #run(row: Row, formula: Formula): void {
    const now = callUser(formula as (ctx: Row, value: unknown) => WorkloadRow, row, row.input!.value);
    const old = row.value;
    if (deepEqual(now, old)) return;
    row.value = now;
    if (row.child !== null) this.#wait(row.child);
    else this.#news.push({event: old === undefined ? 'add' : 'update', key: now.key, old, new: now});
  }

  #fetch(ctx: Row, ...filters: Filter[]): readonly Service[] {
    const held = ctx.query;
    if (held?.is(filters)) return held.result;
    const query = this.#query(filters[0]!.value as string, filters[1]!.value as Labels);
    if (held !== null) held.users.splice(held.users.indexOf(ctx), 1);
    query.users.push(ctx);
    ctx.query = query;
    return query.result;
  }

  #query(namespace: string, labels: Labels): Query {
    const queries = at(this.#queries, namespace);
    const text = JSON.stringify(labels);
    let query = queries.get(text);
    if (query === undefined) {
      query = new Query(namespace, labels);
      queries.set(text, query);
      this.#answer(query);
    }
    return query;
  }

  #answer(query: Query): void {
    const all = [...at(this.#services, query.namespace).values()];
    query.result = Object.freeze(all.filter(one => selects(one.spec.selector, query.labels)));
  }

  // Every question of the namespace is asked anew: no workload that this one runs changes a service often.
  setService(service: Service): void {
    this.batch(() => {
      const {namespace, name} = service.metadata;
      const old = at(this.#services, namespace).get(name);
      at(this.#services, namespace).set(name, service);
      for (const query of at(this.#queries, namespace).values()) {
        const was = old !== undefined && selects(old.spec.selector, query.labels);
        if (!was && !selects(service.spec.selector, query.labels)) continue;
        this.#answer(query);
        for (const user of query.users) this.#wait(user);
      }
    });
  }

  deletePod(): void {
    throw new Error('bare takes part where no pod goes');
  }

  rows(): Iterable<WorkloadRow> {
    return this.#last.map(row => row.value as WorkloadRow);
  }

  changes(): number {
    return this.#changes;
  }
}

function at<K, V>(maps: Map<string, Map<K, V>>, name: string): Map<K, V> {
  let map = maps.get(name);
  if (map === undefined) {
    map = new Map();
    maps.set(name, map);
  }
  return map;
}

export const bare: Contender = {name: 'bare', create: (world, stages) => new Bare(world, stages)};
