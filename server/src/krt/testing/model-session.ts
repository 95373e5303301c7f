// Plays a random script on the engine and on the plain engine, side by side. model-check.ts compares them.
import {type BatchTrace, type Change, type Collection, proceed} from '../index.ts';
import {Graph, plainKrt, realKrt} from './model-graph.ts';
import {Script, text} from './model-script.ts';
import {type CaseSpec, hasKey, type Item, type Operation, trap} from './model-spec.ts';
import {PlainDerived, type PlainInput} from './plain-derived.ts';
import type {PlainCollection, PlainEngine} from './plain-engine.ts';

/** The calls that the handlers of one collection received, in either engine. */
export interface Follower {
  readonly name: string;
  readonly real: Collection<unknown>;
  readonly plain: Collection<unknown>;
  /** The announcements of the real engine, applied to rows. */
  readonly rows: Map<string, unknown>;
  /** The last event of each row. */
  readonly last: Map<string, 'added' | 'changed'>;
  readonly told: {real: string[]; plain: string[]};
}

export class Session {
  readonly script: Script;
  readonly real: Graph;
  readonly plain: Graph;
  readonly followers: Follower[] = [];
  readonly problems: string[] = [];
  readonly traces: BatchTrace[] = [];
  /** Each input in the plain engine before the current batch. */
  before: ReadonlyMap<string, PlainInput>[] = [];
  syncedBefore: ReadonlySet<number> = new Set();
  /** For the current batch. */
  readonly createdNow = new Set<number>();
  readonly replacedNow = new Set<number>();
  readonly triggeredNow = new Set<number>();
  stopped: number | undefined;
  #followed = 0;

  constructor(spec: CaseSpec) {
    this.script = new Script(spec);
    this.real = new Graph(realKrt, this.script);
    this.plain = new Graph(plainKrt, this.script);
    if (!spec.quiet) {
      if (spec.faults.includes('listener')) {
        this.real.engine.onTrace(trace => {
          if (trace.sequence % 2 === 0) throw new Error('listener throws');
        });
      }
      this.real.engine.onTrace(trace => this.traces.push(trace));
    }
    while (this.script.created < spec.created) this.#create();
    this.#proceed();
    this.#follow();
  }

  /** The derived collection of a node in the plain engine. */
  derived(node: number): PlainDerived | undefined {
    const items = this.plain.nodes[node]?.items as unknown;
    return items instanceof PlainDerived ? items : undefined;
  }

  plainItems(node: number): PlainCollection {
    return this.plain.nodes[node]!.items as unknown as PlainCollection;
  }

  /** The runs of the plain engine in this batch. The real engine must not run anything else. */
  get mayRun(): ReadonlySet<string> {
    return (this.plain.engine as unknown as PlainEngine).ran;
  }

  play(batch: readonly Operation[]): void {
    this.createdNow.clear();
    this.replacedNow.clear();
    this.triggeredNow.clear();
    if (batch.some(op => op.do === 'stop')) this.#stop();
    this.traces.length = 0;
    for (const {told} of this.followers) {
      told.real.length = 0;
      told.plain.length = 0;
    }
    const nodes = Array.from({length: this.script.created}, (_, i) => i);
    this.before = nodes.map(i => new Map(this.derived(i)?.inputs));
    this.syncedBefore = new Set(nodes.filter(i => this.plainItems(i).synced));
    const throws = batch.length > 1 && batch.some(op => op.do === 'throw');
    // A single write is a batch by itself.
    const alone = batch.length === 1 && batch[0]!.do !== 'recreate' && batch[0]!.do !== 'create';
    const all = () => {
      for (const op of batch) this.#apply(op);
      if (throws) throw new Error('the batch throws');
    };
    try {
      if (alone) all();
      else this.plain.engine.batch(() => this.real.engine.batch(all));
      if (throws) this.problem('the error of a batch was swallowed');
    } catch (error) {
      if (!throws) throw error;
    }
    this.#proceed();
    this.#follow();
  }

  /** Each slice of first runs is a batch of its own. The plain engine has no such batches. */
  #proceed(): void {
    while (proceed(this.real.engine));
  }

  problem(words: string): void {
    if (this.problems.length < 4) this.problems.push(words);
  }

  /** Removes every object. Anything left afterwards is a leak. */
  empty(): void {
    this.plain.engine.batch(() =>
      this.real.engine.batch(() => {
        this.script.spec.nodes.forEach((spec, node) => {
          if (spec.kind === 'source' || spec.kind === 'static') this.#apply({do: 'reset', node, items: []});
        });
      }),
    );
    this.#proceed();
  }

  stopAll(): void {
    for (const node of this.real.nodes.toReversed()) for (const part of node.parts) part.stop();
    for (const trigger of this.real.triggers) trigger.stop();
  }

  #both(f: (graph: Graph) => void): void {
    f(this.real);
    f(this.plain);
  }

  #create(): void {
    const node = this.script.created;
    if (this.script.spec.nodes[node] === undefined || this.stopped !== undefined) return;
    this.createdNow.add(node);
    this.script.created++;
    this.#both(graph => graph.create());
  }

  /** Stops the last collection, which has no readers. */
  #stop(): void {
    const last = this.script.created - 1;
    if (this.stopped !== undefined || last < 3) return;
    this.stopped = last;
    this.#both(graph => {
      for (const part of graph.nodes[last]!.parts) part.stop();
    });
  }

  #apply(op: Operation): void {
    const {script} = this;
    switch (op.do) {
      case 'create':
        return this.#create();
      case 'trigger':
        script.outside[op.trigger] = op.value;
        this.triggeredNow.add(op.trigger);
        return this.#both(graph => graph.triggers[op.trigger]!.triggerRecomputation());
      case 'replace':
        if (op.node >= script.created || op.node === this.stopped) return;
        script.salts[op.node] = op.salt;
        this.replacedNow.add(op.node);
        return this.#both(graph => graph.nodes[op.node]!.replace!());
      case 'sync':
        script.latched[op.node] = true;
        return this.#both(graph => graph.nodes[op.node]?.sync?.());
      case 'attach':
        script.attached[op.node]!.add(op.member);
        return this.#both(graph =>
          graph.nodes[op.node]?.container?.updateObject(graph.nodes[op.member]!.items),
        );
      case 'detach':
        script.attached[op.node]!.delete(op.member);
        return this.#both(graph =>
          graph.nodes[op.node]?.container?.deleteObject(String(graph.nodes[op.member]!.items.uid)),
        );
      case 'stop':
      case 'throw':
        return;
      default:
        return this.#write(op);
    }
  }

  #write(op: Extract<Operation, {node: number}>): void {
    const {items} = this.script;
    const held = items[op.node]!;
    if (this.script.spec.nodes[op.node]!.kind === 'static') {
      const value = singleValue(op, held);
      if (value === null) return;
      if (this.#written(graph => graph.nodes[op.node]?.single?.set(value), value)) {
        items[op.node] = new Map(value === undefined ? [] : [[value.key, value]]);
      }
      return;
    }
    const put = (item: Item, f: 'updateObject' | 'conditionalUpdateObject' = 'updateObject') => {
      if (this.#written(graph => graph.nodes[op.node]?.list?.[f](item), item)) held.set(item.key, item);
    };
    const remove = (key: string) => {
      if (this.#written(graph => graph.nodes[op.node]?.list?.deleteObject(key))) held.delete(key);
    };
    const old = 'item' in op ? held.get(op.item.key) : undefined;
    if (op.do === 'set') put(op.item);
    else if (op.do === 'setIf') put(op.item, 'conditionalUpdateObject');
    else if (op.do === 'touch' && old) put({...old, labels: {...old.labels}});
    else if (op.do === 'relabel' && old) put(relabelled(old, op.item));
    else if (op.do === 'move' && old) put({...old, ns: op.item.ns});
    else if (op.do === 'delete') remove(op.item.key);
    else if (op.do === 'recreate') {
      remove(op.item.key);
      put(op.item);
    } else if (op.do === 'deleteSome') {
      const gone = (item: Item) => item.ns === op.ns;
      if (!this.#written(graph => graph.nodes[op.node]?.list?.deleteObjects(gone))) return;
      for (const item of [...held.values()]) if (gone(item)) held.delete(item.key);
    } else if (op.do === 'reset') {
      if (!this.#written(graph => graph.nodes[op.node]?.list?.reset(op.items), ...op.items)) return;
      held.clear();
      for (const item of op.items) held.set(item.key, item);
    }
  }

  /** A write throws the error of a key or an equality. Then neither engine has applied it. */
  #written(write: (graph: Graph) => void, ...written: (Item | undefined)[]): boolean {
    const refused: boolean[] = [];
    this.#both(graph => {
      try {
        write(graph);
        refused.push(false);
      } catch {
        refused.push(true);
      }
    });
    if (refused[0] !== refused[1]) this.problem(`a write was ${refused[0] ? 'refused' : 'taken'}`);
    // A collection that is stopped or does not exist yet refuses nothing.
    const keyed = written.every(item => item === undefined || hasKey(this.script.spec, item));
    return refused[0] === false && keyed;
  }

  /** Handlers are added after the batch that creates their collection, so that each starts with a replay. */
  #follow(): void {
    for (; this.#followed < this.script.created; this.#followed++) {
      const at = this.#followed;
      const name = `${at} ${this.script.spec.nodes[at]!.kind}`;
      const [real, plain] = [this.real.nodes[at]!, this.plain.nodes[at]!];
      this.#followOne(name, real.items, plain.items);
      if (real.status) this.#followOne(`${name} status`, real.status, plain.status!);
      if (real.index) this.#followOne(`${name} index`, real.index, plain.index!);
    }
  }

  #followOne(name: string, real: Collection<unknown>, plain: Collection<unknown>): void {
    const follower: Follower = {
      name,
      real,
      plain,
      rows: new Map(),
      last: new Map(),
      told: {real: [], plain: []},
    };
    this.followers.push(follower);
    real.registerBatch(changes => {
      this.#fold(follower, changes);
      for (const change of changes) follower.told.real.push(text(change));
      for (const {new: item} of changes) if (isItem(item)) trap(this.script.spec, 'handler', item);
    }, true);
    plain.registerBatch(changes => {
      for (const change of changes) follower.told.plain.push(text(change));
    }, true);
  }

  #fold({name, rows, last}: Follower, changes: readonly Change<unknown>[]): void {
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
      if (next === undefined) rows.delete(key);
      else rows.set(key, next);
      last.set(key, event === 'add' ? 'added' : 'changed');
    }
  }
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'ref' in value;
}

function relabelled(held: Item, {labels, selector}: Item): Item {
  const {selector: _, ...rest} = held;
  return selector === undefined ? {...rest, labels} : {...rest, labels, selector};
}

/** The new value of a static singleton after an operation; null if nothing changes. */
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
