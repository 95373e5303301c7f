// Plays a random script on the engine and on the oracle side by side. model-check.ts compares the two.
import {type BatchTrace, type Change, type Collection, proceed} from '../index.ts';
import {EngineGraph} from './model-engine.ts';
import {type History, Oracle} from './model-oracle.ts';
import {type CaseSpec, hasFormula, type Item, type Operation} from './model-spec.ts';

/** What a handler on a collection was told, folded into rows. */
export interface Follower {
  readonly name: string;
  readonly collection: Collection<unknown>;
  readonly rows: Map<string, unknown>;
  /** Sources, views and plain joins may announce an update to an equal row. */
  readonly mayRepeat: boolean;
}

export class Session {
  readonly oracle: Oracle;
  readonly graph: EngineGraph;
  readonly followers: Follower[] = [];
  readonly problems: string[] = [];
  readonly traces: BatchTrace[] = [];
  /** Each input's history as it was before the batch under way. */
  before: Map<string, History>[] = [];
  syncedBefore: ReadonlySet<number> = new Set();
  /** Of the batch under way. */
  readonly createdNow = new Set<number>();
  readonly replacedNow = new Set<number>();
  readonly triggeredNow = new Set<number>();
  stopped: number | undefined;
  #followed = 0;

  constructor(spec: CaseSpec) {
    this.oracle = new Oracle(spec, 0);
    this.graph = newGraph(this.oracle);
    if (!spec.quiet) this.graph.engine.onTrace(trace => this.traces.push(trace));
    while (this.oracle.created < spec.created) this.#create();
    this.settle();
  }

  play(batch: readonly Operation[]): void {
    this.createdNow.clear();
    this.replacedNow.clear();
    this.triggeredNow.clear();
    if (batch.some(op => op.do === 'stop')) this.#stop();
    this.traces.length = 0;
    this.before = this.oracle.histories.map(h => new Map(h));
    this.syncedBefore = new Set(this.oracle.states.flatMap((state, i) => (state.synced ? [i] : [])));
    const throws = batch.length > 1 && batch.some(op => op.do === 'throw');
    try {
      // A single write is a batch by itself, and has a way of its own through the engine.
      const [first, ...more] = batch;
      const several = more.length > 0 || first?.do === 'recreate' || first?.do === 'create';
      if (!several && first !== undefined) this.#apply(first);
      else {
        this.graph.engine.batch(() => {
          for (const op of batch) this.#apply(op);
          if (throws) throw new Error('the batch throws');
        });
      }
      if (throws) this.problem('the error of a batch was swallowed');
    } catch (error) {
      if (!throws) throw error;
    }
    this.settle();
  }

  settle(): void {
    // Each slice is a batch of its own, which the oracle knows nothing of.
    while (proceed(this.graph.engine));
    this.oracle.settle(i => this.graph.nodes[i]!.items.hasSynced());
    this.#follow();
  }

  problem(text: string): void {
    if (this.problems.length < 4) this.problems.push(text);
  }

  /** Takes every object away again: what is left afterwards is a leak. */
  empty(): void {
    this.graph.engine.batch(() => {
      this.oracle.spec.nodes.forEach((spec, node) => {
        if (spec.kind === 'source' || spec.kind === 'static') this.#apply({do: 'reset', node, items: []});
      });
    });
    this.settle();
  }

  stopAll(): void {
    for (const node of this.graph.nodes.toReversed()) for (const part of node.parts) part.stop();
    for (const trigger of this.graph.triggers) trigger.stop();
  }

  #create(): void {
    const node = this.oracle.created;
    const spec = this.oracle.spec.nodes[node];
    if (spec === undefined || this.stopped !== undefined) return;
    this.createdNow.add(node);
    this.oracle.created++;
    this.graph.create();
  }

  /** Ends the last collection, on which nothing is built. */
  #stop(): void {
    const last = this.oracle.created - 1;
    if (this.stopped !== undefined || last < 3) return;
    this.stopped = last;
    for (const part of this.graph.nodes[last]!.parts) part.stop();
  }

  #apply(op: Operation): void {
    switch (op.do) {
      case 'create':
        return this.#create();
      case 'trigger':
        this.oracle.outside[op.trigger] = op.value;
        this.triggeredNow.add(op.trigger);
        return this.graph.triggers[op.trigger]!.triggerRecomputation();
      case 'replace':
        if (op.node >= this.oracle.created || op.node === this.stopped) return;
        this.oracle.salts[op.node] = op.salt;
        this.replacedNow.add(op.node);
        return this.graph.nodes[op.node]!.replace!();
      case 'sync':
        this.oracle.latched[op.node] = true;
        return this.graph.nodes[op.node]?.sync?.();
      case 'attach':
        this.oracle.attached[op.node]!.add(op.member);
        return this.graph.nodes[op.node]?.container?.updateObject(this.graph.nodes[op.member]!.items);
      case 'detach':
        this.oracle.attached[op.node]!.delete(op.member);
        return this.graph.nodes[op.node]?.container?.deleteObject(
          String(this.graph.nodes[op.member]!.items.uid),
        );
      case 'stop':
      case 'throw':
        return;
      default:
        return this.#write(op);
    }
  }

  #write(op: Extract<Operation, {node: number}>): void {
    const node = this.graph.nodes[op.node];
    if (this.oracle.spec.nodes[op.node]!.kind === 'static') {
      const value = singleValue(op, this.oracle.items[op.node]!);
      if (value === null) return;
      this.oracle.items[op.node] = new Map(value === undefined ? [] : [[value.key, value]]);
      node?.single?.set(value);
      return;
    }
    const items = this.oracle.items[op.node]!;
    const put = (item: Item) => {
      items.set(item.key, item);
      node?.list?.updateObject(item);
    };
    const remove = (key: string) => {
      items.delete(key);
      node?.list?.deleteObject(key);
    };
    const held = 'item' in op ? items.get(op.item.key) : undefined;
    if (op.do === 'set') put(op.item);
    else if (op.do === 'setIf') {
      items.set(op.item.key, op.item);
      node?.list?.conditionalUpdateObject(op.item);
    } else if (op.do === 'touch' && held) put({...held, labels: {...held.labels}});
    else if (op.do === 'relabel' && held) put(relabelled(held, op.item));
    else if (op.do === 'move' && held) put({...held, ns: op.item.ns});
    else if (op.do === 'delete') remove(op.item.key);
    else if (op.do === 'recreate') {
      remove(op.item.key);
      put(op.item);
    } else if (op.do === 'deleteSome') {
      for (const item of [...items.values()]) if (item.ns === op.ns) items.delete(item.key);
      node?.list?.deleteObjects(item => item.ns === op.ns);
    } else if (op.do === 'reset') {
      items.clear();
      for (const item of op.items) items.set(item.key, item);
      node?.list?.reset(op.items);
    }
  }

  /** Handlers come after the batch that creates their collection, so that each starts with a replay. */
  #follow(): void {
    for (; this.#followed < this.oracle.created; this.#followed++) {
      const spec = this.oracle.spec.nodes[this.#followed]!;
      const node = this.graph.nodes[this.#followed]!;
      const name = `${this.#followed} ${spec.kind}`;
      const mayRepeat =
        process.env.KNOWN5 !== undefined ||
        (!hasFormula(spec) && spec.kind !== 'merge' && spec.kind !== 'group');
      this.#followOne(name, node.items, mayRepeat);
      if (node.status) this.#followOne(`${name} status`, node.status, false);
      if (node.index) this.#followOne(`${name} index`, node.index, true);
    }
  }

  #followOne(name: string, collection: Collection<unknown>, mayRepeat: boolean): void {
    const follower: Follower = {name, collection, rows: new Map(), mayRepeat};
    this.followers.push(follower);
    collection.registerBatch(changes => this.#fold(follower, changes), true);
  }

  #fold({name, rows, mayRepeat}: Follower, changes: readonly Change<unknown>[]): void {
    const seen = new Set<string>();
    for (const {event, key, old, new: next} of changes) {
      if (seen.has(key)) this.problem(`${name} ${key}: announced twice in one batch`);
      seen.add(key);
      const held = rows.get(key);
      if ((event === 'add') !== (held === undefined))
        this.problem(`${name} ${key}: ${event}, but it held ${text(held)}`);
      if (text(old) !== text(held))
        this.problem(`${name} ${key}: old is ${text(old)}, but it held ${text(held)}`);
      if ((event === 'delete') !== (next === undefined))
        this.problem(`${name} ${key}: ${event} to ${text(next)}`);
      if (!mayRepeat && event === 'update' && text(old) === text(next))
        this.problem(`${name} ${key}: an equal update`);
      if (next === undefined) rows.delete(key);
      else rows.set(key, next);
    }
  }
}

export function newGraph(oracle: Oracle): EngineGraph {
  return new EngineGraph({
    spec: oracle.spec,
    items: i => oracle.items[i]!.values(),
    latched: i => oracle.latched[i]!,
    attached: i => oracle.attached[i]!,
    salt: i => oracle.salts[i]!,
    outside: t => oracle.outside[t]!,
  });
}

/** Stable text of a row: a property that is undefined equals a missing one. */
export function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(',')}]`;
  if (typeof value !== 'object' || value === null) return String(JSON.stringify(value));
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}:${text(v)}`)
    .join(',')}}`;
}

function relabelled(held: Item, {labels, selector}: Item): Item {
  const {selector: _, ...rest} = held;
  return selector === undefined ? {...rest, labels} : {...rest, labels, selector};
}

/** What an operation makes of a static singleton's value; null when it does nothing. */
function singleValue(
  op: Extract<Operation, {node: number}>,
  items: ReadonlyMap<string, Item>,
): Item | undefined | null {
  const [held] = items.values();
  if (op.do === 'reset') return op.items[0];
  if (op.do === 'deleteSome') return held?.ns === op.ns ? undefined : null;
  if (op.do === 'delete') return undefined;
  if (op.do === 'set' || op.do === 'setIf' || op.do === 'recreate') return op.item;
  if (held === undefined) return null;
  if (op.do === 'touch') return {...held};
  if (op.do === 'relabel') return relabelled(held, op.item);
  return op.do === 'move' ? {...held, ns: op.item.ns} : null;
}
