// Is the cause that a run gives true? Judged by the oracle's own account of what each input had read before.
import type {BatchTrace, Cause, Published, Run} from '../index.ts';
import type {History, ModelFetch} from './model-oracle.ts';
import type {Session} from './model-session.ts';
import {hasFormula, type Item, type NodeSpec} from './model-spec.ts';

export class Causes {
  readonly #session: Session;
  readonly #trace: BatchTrace;
  readonly #nodes = new Map<number, number>();
  readonly #published = new Map<string, Published>();

  constructor(session: Session, trace: BatchTrace) {
    this.#session = session;
    this.#trace = trace;
    session.graph.nodes.forEach((node, i) => {
      this.#nodes.set(node.items.uid, i);
    });
    for (const change of trace.published) this.#published.set(`${change.uid} ${change.key}`, change);
  }

  problems(run: Run): string[] {
    const problems: string[] = [];
    if (/ (merge|nested|join|map|source|static)$/.test(run.collection))
      problems.push('has no formula to run');
    if (run.causes.length === 0) problems.push('has no cause');
    for (const cause of run.causes) {
      const problem = this.#judge(run, cause);
      if (problem !== undefined) problems.push(`cause ${JSON.stringify(cause)}: ${problem}`);
    }
    const outcome = this.#outcome(run);
    if (outcome !== undefined && outcome !== run.outcome)
      problems.push(`is ${run.outcome}, must be ${outcome}`);
    return problems;
  }

  /** Inputs that had to run, because something changed that they had fetched, and did not. */
  idle(): string[] {
    const ran = new Set(this.#trace.runs.map(run => `${run.uid} ${run.input}`));
    const idle: string[] = [];
    this.#session.graph.nodes.forEach((node, i) => {
      if (i === this.#session.stopped) return;
      for (const [input, before] of this.#session.before[i] ?? []) {
        if (ran.has(`${node.items.uid} ${input}`) || !this.#session.oracle.histories[i]!.has(input)) continue;
        const missed = before.dependencies.flatMap(fetch => this.#missed(fetch));
        if (missed.length > 0) idle.push(`${node.items.name}{${input}} did not run for ${missed[0]}`);
      }
    });
    return idle;
  }

  #missed(fetch: ModelFetch): string[] {
    if (fetch.target < 0)
      return this.#session.triggeredNow.has(-1 - fetch.target) ? [`trigger ${-1 - fetch.target}`] : [];
    // An unsynced collection hands nothing on: its changes are not yet anybody's business.
    if (!this.#session.syncedBefore.has(fetch.target)) return [];
    const {uid} = this.#session.graph.nodes[fetch.target]!.items;
    return this.#trace.published
      .filter(change => change.uid === uid && touches(fetch, change.old as Item, change.new as Item))
      .map(change => `${change.event} ${change.collection} ${change.key}`);
  }

  #judge(run: Run, cause: Cause): string | undefined {
    const node = this.#nodes.get(run.uid);
    switch (cause.kind) {
      case 'input': {
        if (this.#change(cause) === undefined) return 'no such change was published';
        if (cause.key !== run.input) return 'is about another key';
        const spec = node === undefined ? undefined : this.#session.oracle.spec.nodes[node];
        if (spec === undefined || !('input' in spec) || spec.kind === 'group') return undefined;
        return this.#nodes.get(cause.uid!) === spec.input ? undefined : 'is not about the input';
      }
      case 'fetch':
        return node === undefined ? 'this collection fetches nothing' : this.#fetch(node, run, cause);
      case 'trigger':
        return node === undefined ? 'this collection has no trigger' : this.#triggered(node, run, cause);
      case 'synced': {
        if (!this.#trace.synced.includes(cause.collection ?? '')) return 'it did not sync in this batch';
        return undefined;
      }
      case 'formula':
        return this.#newFormula(run) ? undefined : 'the formula is neither new nor replaced';
    }
  }

  #fetch(node: number, run: Run, cause: Cause): string | undefined {
    const change = this.#change(cause);
    if (change === undefined) return 'no such change was published';
    const before = this.#before(node, run);
    if (before === undefined) return 'the input had not run before';
    const at = cause.fetch ?? -1;
    // What a discarded run shares with the last accepted one is listed once, so places after its own may move up.
    const last = before.dependencies.length - before.acceptedFetches.length;
    const moved = before.outcome === 'discarded' && at >= last;
    const candidates = moved ? before.acceptedFetches : before.dependencies.slice(at, at + 1);
    const verdicts = candidates.map(fetch => this.#matched(fetch, cause, change));
    return verdicts.includes(undefined) ? undefined : (verdicts[0] ?? `there is no fetch ${cause.fetch}`);
  }

  /** Why this fetch is not the one that the cause speaks of; undefined if it is. */
  #matched(fetch: ModelFetch, cause: Cause, change: Published): string | undefined {
    if (this.#nodes.get(cause.uid!) !== fetch.target) return `fetch ${cause.fetch} reads ${fetch.target}`;
    const [old, next] = [change.old as Item | undefined, change.new as Item | undefined];
    const byOld = old !== undefined && fetch.matches(old);
    const byNew = next !== undefined && fetch.matches(next);
    if (!byOld && !byNew) return 'neither version matches';
    const matched = byOld && byNew ? 'both' : byOld ? 'old' : 'new';
    if (matched !== cause.matched) return `matched by ${matched}`;
    if (matched === 'both' && fetch.same(old!, next!)) return 'what it takes from the item did not change';
    return undefined;
  }

  #triggered(node: number, run: Run, cause: Cause): string | undefined {
    const trigger = this.#session.graph.triggers.findIndex(t => `${t.name}` === cause.collection);
    if (!this.#session.triggeredNow.has(trigger)) return 'it was not triggered';
    const marked = this.#before(node, run)?.dependencies.some(d => d.target === -1 - trigger);
    return marked ? undefined : 'the last run did not mark it';
  }

  #newFormula(run: Run): boolean {
    const node = this.#session.graph.nodes.findIndex(n => run.collection.startsWith(n.items.name));
    return this.#session.createdNow.has(node) || this.#session.replacedNow.has(node);
  }

  #change(cause: Cause): Published | undefined {
    const change = this.#published.get(`${cause.uid} ${cause.key}`);
    return change?.event === cause.event ? change : undefined;
  }

  #before(node: number, run: Run): History | undefined {
    return this.#session.before[node]?.get(run.input);
  }

  /** What the run must be called; undefined where two inputs may claim one row. */
  #outcome(run: Run): Run['outcome'] | undefined {
    const node = this.#nodes.get(run.uid);
    const spec: NodeSpec | undefined = node === undefined ? undefined : this.#session.oracle.spec.nodes[node];
    if (node === undefined || spec === undefined || !hasFormula(spec) || node === this.#session.stopped)
      return undefined;
    const now = this.#session.oracle.histories[node]!.get(run.input);
    if (now === undefined) return undefined;
    if (now.outcome !== 'ok') return now.outcome;
    const before = this.#before(node, run)?.rows ?? [];
    const own = new Set([...before, ...now.rows].map(row => row.key));
    const others = [this.#session.before[node]!, this.#session.oracle.histories[node]!];
    const shared = others.some(all =>
      [...all].some(([k, h]) => k !== run.input && h.rows.some(r => own.has(r.key))),
    );
    return shared ? undefined : outcomeOf(before, now.rows);
  }
}

function touches(fetch: ModelFetch, old: Item | undefined, next: Item | undefined): boolean {
  const byOld = old !== undefined && fetch.matches(old);
  const byNew = next !== undefined && fetch.matches(next);
  return byOld && byNew ? !fetch.same(old, next) : byOld || byNew;
}

function outcomeOf(before: readonly Item[], after: readonly Item[]): Run['outcome'] {
  const old = new Map(before.map(row => [row.key, JSON.stringify(row)]));
  const now = new Map(after.map(row => [row.key, JSON.stringify(row)]));
  const ways = new Set<Run['outcome']>();
  for (const [key, row] of now)
    ways.add(!old.has(key) ? 'added' : old.get(key) === row ? 'equal' : 'changed');
  for (const key of old.keys()) if (!now.has(key)) ways.add('deleted');
  if (ways.size === 0) return 'empty';
  return ways.size === 1 ? [...ways][0]! : 'changed';
}
