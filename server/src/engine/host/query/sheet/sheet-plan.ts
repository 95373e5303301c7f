// Decides which collections stand beside a root in the sheet, and how a cell of one leads to the cells of the next.
import type {SheetColumn} from '@krtscope/shared/sheet.ts';
import {factsOf} from '../../../../explain/evidence/question-subject.ts';
import type {CollectionFacts, Records} from '../../../../explain/records.ts';
import type {ColumnFieldFinder} from '../graph/column-fields.ts';

export interface PlannedColumn extends SheetColumn {
  /** The column whose cells lead here; -1 for the root itself. */
  readonly parent: number;
  /** `down`: its items come from the parent's. `up`: the parent's items come from its items. */
  readonly way: 'root' | 'down' | 'up';
  readonly kind: CollectionFacts['kind'];
  readonly children: number[];
  /** Some parent cell may lead to more than one line here or further down. */
  spills: boolean;
}

export interface SheetPlan {
  readonly root: string;
  readonly columns: readonly PlannedColumn[];
  /** The requested columns in order, as positions in `columns`. */
  readonly shown: readonly number[];
}

const multiRowKinds = new Set<string>(['many', 'status']);

/** For each wanted collection, the next collection on the path to the root. */
function pathsFromRoot(
  records: Records,
  root: CollectionFacts,
  at?: number,
): Map<string, {to: string; way: 'down' | 'up'}> {
  const found = new Map<string, {to: string; way: 'down' | 'up'}>();
  const all = records.collections(at);
  const down = [root.name];
  for (const parent of down) {
    for (const child of all) {
      if (!child.parents.includes(parent) || child.name === root.name || found.has(child.name)) continue;
      found.set(child.name, {to: parent, way: 'down'});
      down.push(child.name);
    }
  }
  let below = root;
  while (below.parents.length > 0) {
    const name = below.parents[0]!;
    const next = records.collection(name, at);
    if (!next || found.has(name) || name === root.name) break;
    found.set(name, {to: below.name, way: 'up'});
    below = next;
  }
  return found;
}

/**
 * By default: the root and everything derived from it, in the graph's order. Leaves out indexes, whose rows belong to
 * several roots, and unrelated columns.
 */
export function planSheet(
  records: Records,
  finder: ColumnFieldFinder,
  params: {
    root: string;
    columns?: {collection: string; fields?: string[] | undefined}[] | undefined;
    at?: number | undefined;
  },
): SheetPlan {
  const root = factsOf(records, params.root, params.at);
  const reach = pathsFromRoot(records, root, params.at);
  for (const column of params.columns ?? []) factsOf(records, column.collection, params.at);
  const related = params.columns?.filter(c => c.collection === root.name || reach.has(c.collection));
  const order = records.collections(params.at).map(c => c.name);
  const wished: {collection: string; fields?: string[] | undefined}[] = related ?? [
    {collection: root.name},
    ...order
      .filter(
        name => reach.get(name)?.way === 'down' && records.collection(name, params.at)?.kind !== 'index',
      )
      .map(collection => ({collection})),
  ];
  const columns: PlannedColumn[] = [];
  const add = (name: string): number => {
    const existing = columns.findIndex(c => c.collection === name);
    if (existing >= 0) return existing;
    const step = reach.get(name);
    // A column needs its neighbour to get from cell to cell, even if the neighbour was not requested.
    const parent = step ? add(step.to) : -1;
    const found = finder.of(name);
    const kind = records.collection(name, params.at)?.kind ?? 'derived';
    const wider =
      step?.way === 'up' ? records.collection(step.to, params.at)?.kind === 'index' : multiRowKinds.has(kind);
    columns.push({
      collection: name,
      fields: wished.find(w => w.collection === name)?.fields ?? found.best,
      available: found.available,
      parent,
      way: step?.way ?? 'root',
      kind,
      children: [],
      spills: step !== undefined && wider,
    });
    if (parent >= 0) columns[parent]!.children.push(columns.length - 1);
    return columns.length - 1;
  };
  add(root.name);
  const shown = wished.map(w => add(w.collection));
  for (let i = columns.length - 1; i > 0; i--)
    if (columns[i]!.spills) markSpillingColumns(columns, columns[i]!.parent);
  return {root: root.name, columns, shown: [...new Set(shown)]};
}

function markSpillingColumns(columns: PlannedColumn[], from: number): void {
  for (let at = from; at >= 0 && !columns[at]!.spills; at = columns[at]!.parent) columns[at]!.spills = true;
}

/** The index rows that hold an object. Built once for each state, because an index only maps the other way. */
class IndexBuckets {
  #sequence = -1;
  readonly #buckets = new Map<string, Map<unknown, string[]>>();

  of(records: Records, index: string, object: unknown, at?: number): readonly string[] {
    const sequence = at ?? records.newest();
    if (sequence !== this.#sequence) this.#buckets.clear();
    this.#sequence = sequence;
    let buckets = this.#buckets.get(index);
    if (!buckets) {
      buckets = new Map();
      for (const key of records.keys(index, at)) {
        const row = records.value(index, key, at) as {objects?: readonly unknown[]} | undefined;
        for (const inside of row?.objects ?? []) buckets.set(inside, [...(buckets.get(inside) ?? []), key]);
      }
      this.#buckets.set(index, buckets);
    }
    return buckets.get(object) ?? [];
  }
}

const indexBuckets = new WeakMap<Records, IndexBuckets>();

/** The keys in a column that a key of its parent column leads to. */
export function stepKeys(
  records: Records,
  plan: SheetPlan,
  column: PlannedColumn,
  key: string,
  at?: number,
): readonly string[] {
  const parent = plan.columns[column.parent]!.collection;
  if (column.way === 'up') return records.inputsOf(parent, key, at);
  switch (column.kind) {
    case 'join':
    case 'map':
      return records.has(column.collection, key, at) ? [key] : [];
    case 'index': {
      const buckets = indexBuckets.get(records) ?? new IndexBuckets();
      indexBuckets.set(records, buckets);
      return buckets.of(records, column.collection, records.value(parent, key, at), at);
    }
    default:
      return records.outputsOf(column.collection, key, at);
  }
}

/** The root keys whose rows hold this key of a column. */
export function rootKeysOf(records: Records, plan: SheetPlan, place: number, key: string): readonly string[] {
  const column = plan.columns[place]!;
  if (column.parent < 0) return [key];
  // An index row changes with any of its objects. The sheet's row changes only with its own object.
  if (column.kind === 'index' && column.way === 'down') return [];
  const parents =
    column.way === 'up'
      ? records.outputsOf(plan.columns[column.parent]!.collection, key)
      : records.inputsOf(column.collection, key);
  return parents.flatMap(parent => rootKeysOf(records, plan, column.parent, parent));
}
