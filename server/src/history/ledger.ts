// What is remembered of one collection: the newest change of each item, the newest run of each input, and which
// outputs an input has. The chains behind them lead into the past; recording.ts decides how far.
import type {Run} from '../krt/index.ts';
import type {ChangeNode, RunNode} from './batch.ts';

/** A living input. */
export interface InputEntry {
  last: RunNode;
  /** Runs it had in all, kept or not. */
  count: number;
  /** Output keys of its last accepted run. */
  outputs: readonly string[];
}

const NONE: readonly string[] = Object.freeze([]) as readonly string[];

export class Ledger {
  readonly name: string;
  /** Newest change by key; of items that are gone, as long as the recording has that change. */
  readonly changes = new Map<string, ChangeNode>();
  readonly inputs = new Map<string, InputEntry>();
  /** Newest kept run of inputs that are gone. */
  readonly gone = new Map<string, RunNode>();
  readonly failed = new Set<string>();
  /** Fetch edges into this collection: how many dependencies hold them now, and the batch that first showed them. */
  readonly reads = new Map<string, {count: number; first: number}>();
  /** Inputs that yield an output key: one, or several that claim it. */
  readonly #claims = new Map<string, string | string[]>();
  size = 0;
  runs = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Puts a change on top of its item's chain and returns the one below. */
  change(node: ChangeNode): ChangeNode | undefined {
    const {key} = node.published;
    const prior = this.changes.get(key);
    const was = prior !== undefined && !prior.gone;
    this.changes.set(key, node);
    this.size += (node.gone ? 0 : 1) - (was ? 1 : 0);
    if (prior !== undefined) {
      node.prior = prior;
      prior.next = node;
    }
    return prior;
  }

  /** Puts a run on top of its input's chain and returns the one below, if the input was living. */
  run(node: RunNode): RunNode | undefined {
    const {run} = node;
    const entry = this.inputs.get(run.input);
    this.runs += 1;
    if (run.outcome === 'failed') this.failed.add(run.input);
    else if (this.failed.size > 0) this.failed.delete(run.input);
    this.#read(run, entry?.last.run, node.sequence);
    if (entry === undefined) {
      const before = this.gone.get(run.input);
      if (before !== undefined) {
        this.gone.delete(run.input);
        link(before, node);
      }
      const outputs = outputsOf(run, NONE);
      this.inputs.set(run.input, {last: node, count: 1, outputs});
      for (const key of outputs) this.#claim(key, run.input);
      return undefined;
    }
    const prior = entry.last;
    link(prior, node);
    entry.last = node;
    entry.count += 1;
    if (run.counts.added > 0 || run.counts.deleted > 0) this.#replaceOutputs(entry, run);
    return prior;
  }

  /** The input is gone; returns its last run, which from now on is history. */
  remove(input: string): RunNode | undefined {
    const entry = this.inputs.get(input);
    if (entry === undefined) return undefined;
    this.inputs.delete(input);
    this.failed.delete(input);
    for (const key of entry.outputs) this.#unclaim(key, input);
    for (const fetch of entry.last.run.fetches) this.#count(fetch.collection, -1, 0);
    this.gone.set(input, entry.last);
    return entry.last;
  }

  /** Claimants of an output key, in no order. */
  claimants(key: string): readonly string[] {
    const claim = this.#claims.get(key);
    if (claim === undefined) return NONE;
    return typeof claim === 'string' ? [claim] : claim;
  }

  #replaceOutputs(entry: InputEntry, run: Run): void {
    const outputs = outputsOf(run, entry.outputs);
    for (const key of entry.outputs) if (!outputs.includes(key)) this.#unclaim(key, run.input);
    for (const key of outputs) this.#claim(key, run.input);
    entry.outputs = outputs;
  }

  #read(run: Run, before: Run | undefined, sequence: number): void {
    if (before === undefined) {
      for (const fetch of run.fetches) this.#count(fetch.collection, 1, sequence);
      return;
    }
    if (run.gained.length === 0 && run.lost.length === 0 && run.fetches.length === before.fetches.length)
      return;
    for (const fetch of run.fetches) this.#count(fetch.collection, 1, sequence);
    for (const fetch of before.fetches) this.#count(fetch.collection, -1, sequence);
  }

  #count(collection: string, by: number, sequence: number): void {
    const held = this.reads.get(collection);
    if (held === undefined) this.reads.set(collection, {count: by, first: sequence});
    else held.count += by;
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

export function outputsOf(run: Run, before: readonly string[]): readonly string[] {
  if (!isAccepted(run)) return before;
  if (run.outputs.length === 0) return NONE;
  const outputs: string[] = [];
  for (const {key, change} of run.outputs) if (change !== 'deleted') outputs.push(key);
  return outputs;
}

function link(prior: RunNode, node: RunNode): void {
  node.prior = prior;
  prior.next = node;
}
