// What is remembered of one collection: the newest change of each item, the newest run of each input, and which
// outputs an input has. The chains behind them lead into the past; recording.ts decides how far.
import type {Run} from '../krt/index.ts';
import type {ChangeNode, RunNode} from './batch.ts';

/** Comings and goings of one edge that are kept. */
const MAX_TURNS = 400;

const NONE: readonly string[] = Object.freeze([]) as readonly string[];

export class LatestByKey {
  readonly name: string;
  /** Newest change by key; of items that are gone, as long as the recording has that change. */
  readonly changes = new Map<string, ChangeNode>();
  /** Newest run of every living input. */
  readonly inputs = new Map<string, RunNode>();
  /** Newest kept run of inputs that are gone. */
  readonly gone = new Map<string, RunNode>();
  readonly failed = new Set<string>();
  /** Fetch edges into this collection: how many dependencies hold them now, and the batches since when they do and do not. */
  readonly reads = new Map<string, {count: number; turns: number[]}>();
  /** Inputs that yield an output key, where it is not the key of the input itself. */
  readonly #claims = new Map<string, string | string[]>();
  size = 0;
  runs = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Puts a change on top of its item's chain and returns the one below. */
  change(node: ChangeNode): ChangeNode | undefined {
    const {key, event} = node.published;
    // An add of something unknown is the first sync's only case: it needs no second lookup.
    const prior = this.changes.get(key);
    this.changes.set(key, node);
    if (event !== 'delete') this.size += 1;
    if (prior === undefined) return undefined;
    if (!prior.gone) this.size -= 1;
    node.prior = prior;
    prior.next = node;
    return prior;
  }

  /** Puts a run on top of its input's chain and returns the one below, if the input was living. */
  run(node: RunNode): RunNode | undefined {
    const {run} = node;
    const prior = this.inputs.get(run.input);
    this.runs += 1;
    if (run.outcome === 'failed') this.failed.add(run.input);
    else if (this.failed.size > 0) this.failed.delete(run.input);
    this.#read(run, prior?.run, node.sequence);
    const {added, deleted} = run.counts;
    // Of a recording that is read back the run that added an output may be gone, and a later one says that it was equal.
    if (added > 0 || deleted > 0 || prior === undefined) this.#claimAll(run, prior === undefined);
    this.inputs.set(run.input, node);
    if (prior !== undefined) {
      node.count = prior.count + 1;
      if (!isAccepted(run)) node.stayed = outputsOf(prior);
      link(prior, node);
      return prior;
    }
    const before = this.gone.size > 0 ? this.gone.get(run.input) : undefined;
    if (before !== undefined) {
      this.gone.delete(run.input);
      link(before, node);
    }
    return undefined;
  }

  /** The input is gone; returns its last run, which from now on is history. */
  remove(input: string, sequence: number): RunNode | undefined {
    const last = this.inputs.get(input);
    if (last === undefined) return undefined;
    for (const key of outputsOf(last)) this.#unclaim(key, input);
    this.inputs.delete(input);
    this.failed.delete(input);
    for (const fetch of last.run.fetches) this.#count(fetch.collection, -1, sequence);
    this.gone.set(input, last);
    return last;
  }

  /** Claimants of an output key, in no order. */
  claimants(key: string): readonly string[] {
    const claim = this.#claims.get(key);
    const namesake = this.inputs.get(key);
    const own = namesake !== undefined && outputsOf(namesake).includes(key);
    if (claim === undefined) return own ? [key] : NONE;
    const others = typeof claim === 'string' ? [claim] : claim;
    return own ? [key, ...others] : others;
  }

  /** What stays of an input whose last run was not accepted, where the run before that is not there to say it. */
  stay(node: RunNode, keys: readonly string[]): void {
    // All the runs since then that were not accepted left the same.
    for (let at: RunNode | undefined = node; at !== undefined && !isAccepted(at.run); at = at.prior)
      at.stayed = keys;
    for (const key of keys) if (key !== node.run.input) this.#claim(key, node.run.input);
  }

  #claimAll({input, outputs}: Run, isFirst: boolean): void {
    for (const {key, change} of outputs) {
      if (key === input) continue;
      if (change === 'deleted') this.#unclaim(key, input);
      else if (change === 'added' || isFirst) this.#claim(key, input);
    }
  }

  #read(run: Run, before: Run | undefined, sequence: number): void {
    if (before === undefined) {
      for (const fetch of run.fetches) this.#count(fetch.collection, 1, sequence);
      return;
    }
    if (run.gained.length === 0 && run.lost.length === 0 && run.fetches.length === before.fetches.length) {
      return;
    }
    for (const fetch of run.fetches) this.#count(fetch.collection, 1, sequence);
    for (const fetch of before.fetches) this.#count(fetch.collection, -1, sequence);
  }

  #count(collection: string, by: number, sequence: number): void {
    let held = this.reads.get(collection);
    if (held === undefined) {
      held = {count: 0, turns: []};
      this.reads.set(collection, held);
    }
    held.count += by;
    const {turns} = held;
    if (held.count > 0 === (turns.length % 2 === 1)) return;
    // Off and on again within one batch is nothing.
    if (turns.at(-1) === sequence) turns.pop();
    else turns.push(sequence);
    if (turns.length > MAX_TURNS) turns.splice(0, 2);
  }

  /** Whether some input read that collection once a batch had settled. */
  wasReadAt(collection: string, sequence: number): boolean {
    const turns = this.reads.get(collection)?.turns ?? [];
    return turns.filter(turn => turn <= sequence).length % 2 === 1;
  }

  #claim(key: string, input: string): void {
    const held = this.#claims.get(key);
    if (held === undefined) this.#claims.set(key, input);
    else if (typeof held === 'string') {
      if (held !== input) this.#claims.set(key, [held, input]);
    } else if (!held.includes(input)) held.push(input);
  }

  #unclaim(key: string, input: string): void {
    const held = this.#claims.get(key);
    if (held === input) this.#claims.delete(key);
    else if (Array.isArray(held)) {
      const rest = held.filter(other => other !== input);
      this.#claims.set(key, rest.length === 1 ? (rest[0] as string) : rest);
    }
  }
}

/** Whether a run's own outputs became the input's: failed, suspended and discarded ones leave what was there. */
export function isAccepted(run: Run): boolean {
  const {outcome} = run;
  return (outcome !== 'failed' && outcome !== 'suspended' && outcome !== 'discarded') || run.counts.added > 0;
}

/** Output keys of an input after a run: its own, or those that it left as they were. */
export function outputsOf({run, stayed}: RunNode): readonly string[] {
  if (stayed !== undefined) return stayed;
  if (run.outputs.length === 0 || !isAccepted(run)) return NONE;
  const outputs: string[] = [];
  for (const {key, change} of run.outputs) if (change !== 'deleted') outputs.push(key);
  return outputs;
}

function link(prior: RunNode, node: RunNode): void {
  node.prior = prior;
  prior.next = node;
}
