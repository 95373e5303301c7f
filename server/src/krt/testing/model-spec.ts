// Random graphs and scripts as plain data. model-graph.ts builds them on both engines.

export type Labels = Readonly<Record<string, string>>;

/** The only item type of random graphs, so that any collection can be made from any other. */
export interface Item {
  readonly key: string;
  readonly ns: string;
  readonly labels: Labels;
  readonly selector?: Labels;
  readonly n: number;
  readonly ref: string;
  readonly tag: string;
}

export type FilterKind =
  | 'key'
  | 'keys'
  | 'namespace'
  | 'label'
  | 'selects'
  | 'selectsNonEmpty'
  | 'index'
  | 'generic';

export interface FetchSpec {
  readonly target: number;
  readonly filters: readonly FilterKind[];
  readonly how: 'fetch' | 'one' | 'partial' | 'exists';
  /** A formula may change its fetches from run to run. */
  readonly when: 'always' | 'odd' | 'found';
}

export type Condition = 'never' | 'n is 3' | 'n is 2' | 'found none' | 'found some';

export interface FormulaSpec {
  readonly fetches: readonly FetchSpec[];
  readonly fail: Condition;
  readonly discard: Condition;
  /** How output keys follow from the input's key. With `collide`, several inputs claim one key. */
  readonly keys: 'same' | 'rename' | 'collide';
  /** Coarse rows are often equal, and an equal row must stop the propagation. */
  readonly coarse: boolean;
  readonly drop: boolean;
  readonly trigger: number | undefined;
}

export type NodeSpec =
  | {readonly kind: 'source'; readonly late: boolean}
  | {readonly kind: 'static'; readonly late: boolean}
  | {readonly kind: 'one' | 'many'; readonly input: number; readonly formula: FormulaSpec}
  | {readonly kind: 'singleton' | 'nothing'; readonly formula: FormulaSpec}
  | {readonly kind: 'status' | 'statusMany'; readonly input: number; readonly formula: FormulaSpec}
  | {readonly kind: 'map'; readonly input: number}
  | {readonly kind: 'join' | 'unchecked' | 'merge'; readonly inputs: readonly number[]}
  | {readonly kind: 'nested'; readonly inputs: readonly number[]; readonly attached: readonly number[]}
  | {readonly kind: 'group'; readonly input: number; readonly by: 'ns' | 'n'};

export type Operation =
  | {readonly do: 'set' | 'setIf'; readonly node: number; readonly item: Item}
  | {
      readonly do: 'touch' | 'relabel' | 'move' | 'delete' | 'recreate';
      readonly node: number;
      readonly item: Item;
    }
  | {readonly do: 'deleteSome'; readonly node: number; readonly ns: string}
  | {readonly do: 'reset'; readonly node: number; readonly items: readonly Item[]}
  | {readonly do: 'sync'; readonly node: number}
  | {readonly do: 'attach' | 'detach'; readonly node: number; readonly member: number}
  | {readonly do: 'trigger'; readonly trigger: number; readonly value: number}
  | {readonly do: 'replace'; readonly node: number; readonly salt: number}
  | {readonly do: 'create'}
  | {readonly do: 'stop'}
  | {readonly do: 'throw'};

/** The functions of a random graph that may throw. */
export const FAULTS = [
  'formula',
  'key',
  'labels',
  'namespace',
  'selector',
  'equals',
  'index',
  'merge',
  'map',
  'generic',
  'project',
  'handler',
  'listener',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface CaseSpec {
  /** These functions throw for some items, always for the same ones, because a formula must be deterministic. */
  readonly faults: readonly Fault[];
  /** Without trace listeners the engine may take shorter paths. */
  readonly quiet: boolean;
  /** The number of first runs in a batch. The rest runs before anything is compared. */
  readonly firstRuns?: number;
  readonly nodes: readonly NodeSpec[];
  readonly initial: readonly (readonly Item[])[];
  /** The number of nodes at the start. `create` adds the next one. */
  readonly created: number;
  readonly batches: readonly (readonly Operation[])[];
}

/** Throws if this function must throw for this item. */
export function trap(
  {faults}: CaseSpec,
  fault: Fault,
  item: {readonly n: number; readonly ref: string},
): void {
  if (!faults.includes(fault)) return;
  if ((item.n + item.ref.length + FAULTS.indexOf(fault)) % 3 === 0 && item.ref !== 'k1') {
    throw new Error(`${fault} throws`);
  }
}

/** False for an item without a usable key. */
export function hasKey(spec: CaseSpec, item: Item): boolean {
  try {
    trap(spec, 'key', item);
    return true;
  } catch {
    return false;
  }
}

export const TRIGGERS = 2;
export const noItem: Item = {key: 'only', ns: 'a', labels: {app: 'x'}, n: 1, ref: 'k1', tag: ''};

export function hasFormula(spec: NodeSpec): spec is Extract<NodeSpec, {formula: FormulaSpec}> {
  return 'formula' in spec;
}

/** The parts of the graph that a run of a formula can read. */
export interface Reader {
  fetch(fetch: FetchSpec, item: Item): readonly Item[];
  partial(fetch: FetchSpec, item: Item): readonly number[];
  exists(fetch: FetchSpec, item: Item): boolean;
  trigger(trigger: number): number;
  discard(): void;
}

export interface FormulaResult {
  readonly rows: Item[];
  readonly status: {readonly found: number} | undefined;
}

/** The user's function of a random graph. It depends only on its item and on the reader's answers. */
export function runFormula(
  formula: FormulaSpec,
  salt: number,
  many: boolean,
  item: Item,
  reader: Reader,
): FormulaResult {
  const found: string[] = [];
  let total = salt;
  for (const fetch of formula.fetches) {
    if (fetch.when === 'odd' && item.n % 2 === 0) continue;
    if (fetch.when === 'found' && found.length === 0) continue;
    if (fetch.how === 'partial') {
      for (const n of reader.partial(fetch, item)) {
        found.push(`~${n}`);
        total += n;
      }
    } else if (fetch.how === 'exists') {
      if (reader.exists(fetch, item)) found.push('exists');
    } else {
      for (const other of reader.fetch(fetch, item)) {
        found.push(other.key);
        total += other.n;
      }
    }
    if (holds(formula.fail, item, found)) throw new Error('the formula fails');
  }
  if (formula.fetches.length === 0 && holds(formula.fail, item, found)) throw new Error('the formula fails');
  if (formula.trigger !== undefined && item.n !== 1) total += reader.trigger(formula.trigger);
  if (holds(formula.discard, item, found)) reader.discard();
  const status = item.n === 1 ? undefined : {found: found.length};
  return {rows: outputs(formula, many, item, found.sort(), total), status};
}

function holds(condition: Condition, item: Item, found: readonly string[]): boolean {
  if (condition === 'n is 3') return item.n === 3;
  if (condition === 'n is 2') return item.n === 2;
  if (condition === 'found none') return found.length === 0;
  return condition === 'found some' && found.length > 0;
}

function outputs(
  formula: FormulaSpec,
  many: boolean,
  item: Item,
  found: readonly string[],
  total: number,
): Item[] {
  if (formula.drop && item.n === 0) return [];
  const n = formula.coarse ? (total > 3 ? 1 : 0) : (item.n + total) % 5;
  const tag = formula.coarse ? String(found.length > 0) : found.join(',');
  const labels = total % 2 === 0 ? item.labels : {...item.labels, app: 'y'};
  const make = (key: string): Item => ({
    key,
    ns: item.ns,
    labels,
    selector: item.selector ?? {},
    n,
    ref: item.ref,
    tag,
  });
  if (!many) return [make(outputKey(formula, item, 0))];
  const rows: Item[] = [];
  for (let i = 0; i < (item.n + 1) % 4; i++) rows.push(make(outputKey(formula, item, i)));
  // If a result has the same key twice, the last one counts.
  if (item.n === 4 && rows.length > 0) rows.push({...rows[0]!, tag: 'again'});
  return rows;
}

function outputKey(formula: FormulaSpec, item: Item, i: number): string {
  if (formula.keys === 'collide') return `g${i + (item.n % 2)}`;
  if (formula.keys === 'rename') return `${item.key}.${item.n % 2}.${i}`;
  return i === 0 ? item.key : `${item.key}.${i}`;
}

/** Independent of order, as nested joins require. Nothing when all weights are 0. */
export function mergeItems(items: readonly Item[]): Item | undefined {
  const sorted = [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const n = items.reduce((sum, i) => sum + i.n, 0) % 5;
  if (n === 0) return undefined;
  return {...sorted[0]!, n, tag: sorted.map(i => i.tag).join('|')};
}

export function mapItem(item: Item): Item {
  return {...item, n: (item.n + 1) % 5, tag: `m${item.tag}`};
}

export function groupRow(bucket: string, objects: readonly Item[]): Item {
  const tag = objects
    .map(o => o.key)
    .sort()
    .join(',');
  return {key: bucket, ns: 'a', labels: {app: 'x'}, n: objects.length % 5, ref: 'k1', tag};
}

/** The buckets of the index that filters of kind `index` and groups by `n` use. */
export function bucketOf(item: Item, by: 'ns' | 'n'): string[] {
  if (by === 'ns') return [item.ns];
  return item.n === 0 ? [] : [`n${item.n}`, `parity${item.n % 2}`];
}

export function keysWanted(item: Item): string[] {
  return ['k1', item.ref];
}

export function bucketWanted(item: Item): string {
  return `parity${item.n % 2}`;
}
