// Checks the cause that a run names against the plain engine, which knows what each input had read before.
import type {BatchTrace, Cause, Published, Run} from '../index.ts';
import type {Session} from './model-session.ts';
import {hasFormula, type NodeSpec} from './model-spec.ts';
import type {PlainFetch, PlainInput} from './plain-derived.ts';

export class Causes {
  readonly #session: Session;
  readonly #trace: BatchTrace;
  readonly #nodes = new Map<number, number>();
  readonly #published = new Map<string, Published>();

  constructor(session: Session, trace: BatchTrace) {
    this.#session = session;
    this.#trace = trace;
    session.real.nodes.forEach((node, i) => {
      this.#nodes.set(node.items.uid, i);
    });
    for (const change of trace.published) this.#published.set(`${change.uid} ${change.key}`, change);
  }

  problems(run: Run): string[] {
    const problems: string[] = [];
    if (/ (merge|nested|join|map|source|static)$/.test(run.collection)) {
      if (run.outcome !== 'failed') problems.push('has no formula to run');
    } else if (!this.#session.mayRun.has(`${run.collection} ${run.input}`)) {
      problems.push('nothing touched it');
    }
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

  /** Inputs that had to run, because something they had fetched changed, and that did not run. */
  idle(): string[] {
    const ran = new Set(this.#trace.runs.map(run => `${run.uid} ${run.input}`));
    const idle: string[] = [];
    this.#session.real.nodes.forEach((node, i) => {
      if (i === this.#session.stopped) return;
      for (const [input, before] of this.#session.before[i] ?? []) {
        if (ran.has(`${node.items.uid} ${input}`) || !this.#session.derived(i)?.inputs.has(input)) continue;
        const missed = before.dependencies.flatMap(fetch => this.#missed(fetch));
        if (missed.length > 0) idle.push(`${node.items.name}{${input}} did not run for ${missed[0]}`);
      }
    });
    return idle;
  }

  #missed(fetch: PlainFetch): string[] {
    const target = this.#nodeOf(fetch);
    if (target < 0) return [...fetch.target.changes.keys()].map(() => fetch.target.name);
    // An unsynced collection publishes nothing, so its changes do not count yet.
    if (!this.#session.syncedBefore.has(target)) return [];
    const {uid} = this.#session.real.nodes[target]!.items;
    return this.#trace.published
      .filter(change => change.uid === uid && touches(fetch, change))
      .map(change => `${change.event} ${change.collection} ${change.key}`);
  }

  /** The node that a fetch reads; -1 for a trigger. */
  #nodeOf({target}: PlainFetch): number {
    return this.#session.plain.nodes.findIndex(({items}) => (items as unknown) === target);
  }

  #judge(run: Run, cause: Cause): string | undefined {
    const node = this.#nodes.get(run.uid);
    switch (cause.kind) {
      case 'input': {
        if (this.#change(cause) === undefined) return 'no such change was published';
        // A member of a nested join was added or removed, with all its rows.
        if (cause.collection === `${run.collection} members`) return undefined;
        if (cause.key !== run.input) return 'is about another key';
        const spec = node === undefined ? undefined : this.#session.script.spec.nodes[node];
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
    // A dependency that a discarded run shares with the last accepted run is listed once, so later positions may move
    // up.
    const last = before.dependencies.length - before.acceptedFetches.length;
    const moved = before.outcome === 'discarded' && at >= last;
    const candidates = moved ? before.acceptedFetches : before.dependencies.slice(at, at + 1);
    const verdicts = candidates.map(fetch => this.#matched(fetch, cause, change));
    return verdicts.includes(undefined) ? undefined : (verdicts[0] ?? `there is no fetch ${cause.fetch}`);
  }

  /** Why the cause cannot mean this fetch; undefined if it can. */
  #matched(fetch: PlainFetch, cause: Cause, change: Published): string | undefined {
    const target = this.#nodeOf(fetch);
    if (this.#nodes.get(cause.uid!) !== target) return `fetch ${cause.fetch} reads ${target}`;
    const matched = matchOf(fetch, change);
    if (matched === undefined) return 'neither version matches';
    // A filter that throws counts as a match. It cannot tell which version matched or whether the match is new.
    if (this.#session.script.spec.faults.includes('generic')) return undefined;
    if (matched !== cause.matched) return `matched by ${matched}`;
    if (matched === 'both' && fetch.same(change.old, change.new))
      return 'what it takes from the item did not change';
    return undefined;
  }

  #triggered(node: number, run: Run, cause: Cause): string | undefined {
    const trigger = this.#session.real.triggers.findIndex(t => t.name === cause.collection);
    if (!this.#session.triggeredNow.has(trigger)) return 'it was not triggered';
    const marked = this.#before(node, run)?.dependencies.some(d => d.target.name === cause.collection);
    return marked ? undefined : 'the last run did not mark it';
  }

  #newFormula(run: Run): boolean {
    const node = this.#session.real.nodes.findIndex(n => run.collection.startsWith(n.items.name));
    return this.#session.createdNow.has(node) || this.#session.replacedNow.has(node);
  }

  #change(cause: Cause): Published | undefined {
    const change = this.#published.get(`${cause.uid} ${cause.key}`);
    return change?.event === cause.event ? change : undefined;
  }

  #before(node: number, run: Run): PlainInput | undefined {
    return this.#session.before[node]?.get(run.input);
  }

  /** The expected outcome of the run; undefined where two inputs may claim one row. */
  #outcome(run: Run): Run['outcome'] | undefined {
    const node = this.#nodes.get(run.uid);
    const spec: NodeSpec | undefined = node === undefined ? undefined : this.#session.script.spec.nodes[node];
    if (node === undefined || spec === undefined || !hasFormula(spec) || node === this.#session.stopped)
      return undefined;
    const inputs = this.#session.derived(node)?.inputs;
    const now = inputs?.get(run.input);
    if (inputs === undefined || now === undefined) return undefined;
    if (now.outcome !== 'ok') return now.outcome;
    const before = this.#before(node, run)?.rows ?? new Map();
    const own = new Set([...before.keys(), ...now.rows.keys()]);
    const others = [this.#session.before[node] ?? new Map<string, PlainInput>(), inputs];
    const shared = others.some(all =>
      [...all].some(([k, input]) => k !== run.input && [...input.rows.keys()].some(key => own.has(key))),
    );
    return shared ? undefined : outcomeOf(before, now.rows);
  }
}

/**
 * The version of a change that a fetch matches. A filter that throws counts as a match, because the run repeats it and
 * fails.
 */
function matchOf(fetch: PlainFetch, {key, old, new: now}: Published): 'old' | 'new' | 'both' | undefined {
  const matches = (item: unknown) => {
    if (item === undefined) return false;
    try {
      return fetch.matches(key, item);
    } catch {
      return true;
    }
  };
  const [byOld, byNew] = [matches(old), matches(now)];
  if (byOld && byNew) return 'both';
  return byOld ? 'old' : byNew ? 'new' : undefined;
}

function touches(fetch: PlainFetch, change: Published): boolean {
  const matched = matchOf(fetch, change);
  return matched === 'both' ? !fetch.same(change.old, change.new) : matched !== undefined;
}

type Rows = ReadonlyMap<string, unknown>;

function outcomeOf(before: Rows, after: Rows): Run['outcome'] {
  const ways = new Set<Run['outcome']>();
  for (const [key, row] of after)
    ways.add(!before.has(key) ? 'added' : before.get(key) === row ? 'equal' : 'changed');
  for (const key of before.keys()) if (!after.has(key)) ways.add('deleted');
  if (ways.size === 0) return 'empty';
  return ways.size === 1 ? [...ways][0]! : 'changed';
}
