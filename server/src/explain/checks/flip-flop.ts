// Items that go back and forth between two values, and inputs whose last run was discarded: found by reading every
// batch once, as it comes.
import {chainBelowChange, chainBelowRun} from '../chain.ts';
import {changedPaths, same} from '../diff.ts';
import {Reader} from '../reads.ts';
import type {RecordedBatch, RecordedChange, Records} from '../records.ts';
import {nameOf, ranked, valueWords} from '../sentence.ts';
import type {Finding, Scene, Steps} from './finding.ts';

/** Turns within this time count as one back and forth. */
const WINDOW = 300_000;
const TURNS = 4;
const HELD = 20_000;
const AT_ONCE = 20_000;

interface Swing {
  last: RecordedChange;
  before: RecordedChange | undefined;
  turns: number;
  since: number;
}

export class Watcher {
  readonly #swings = new Map<string, Swing>();
  readonly #discarded = new Map<string, Set<string>>();
  #seen = 0;

  *catchUp(records: Records): Steps<void> {
    const newest = records.newest();
    if (newest < this.#seen) {
      this.#swings.clear();
      this.#discarded.clear();
      this.#seen = 0;
    }
    const derived = new Set(
      records
        .collections()
        // A row of an index only repeats what its items do.
        .filter(c => c.kind !== 'index' && (c.parents.length > 0 || c.kind === 'singleton'))
        .map(c => c.name),
    );
    let sequence = Math.max(this.#seen + 1, records.oldest());
    let read = 0;
    // A long way behind (the first call on a full recording) it catches up in several calls: others wait meanwhile.
    for (; sequence <= newest && read < AT_ONCE; sequence++) {
      const batch = records.batch(sequence);
      if (!batch) continue;
      this.#seen = sequence;
      yield* this.#read(batch, derived);
      read += batch.changeCount;
    }
  }

  *#read(batch: RecordedBatch, derived: ReadonlySet<string>): Steps<void> {
    for (let place = 0; place < batch.changeCount; place++) {
      yield;
      const change = batch.change(place);
      if (change.event === 'update' && derived.has(change.collection)) this.#swing(change);
    }
    const noted = batch.runs.some(r => r.outcomes.discarded) || this.#discarded.size > 0;
    if (!noted) return;
    for (let i = 0; i < batch.runCount; i++) {
      yield;
      const {collection, input, outcome} = batch.brief?.(i) ?? batch.run(i);
      const inputs = this.#discarded.get(collection);
      if (outcome === 'discarded') this.#discarded.set(collection, (inputs ?? new Set()).add(input));
      else inputs?.delete(input);
    }
  }

  #swing(change: RecordedChange): void {
    const id = `${change.collection}\n${change.key}`;
    const held = this.#swings.get(id);
    this.#swings.delete(id);
    const back =
      held &&
      change.at - held.last.at < WINDOW &&
      change.new !== undefined &&
      same(held.last.old, change.new);
    this.#swings.set(id, {
      last: change,
      before: held?.last,
      turns: back ? held.turns + 1 : 0,
      since: back ? held.since : change.at,
    });
    // The one longest unchanged goes first: it swings no more.
    const oldest = this.#swings.keys().next();
    if (this.#swings.size > HELD && !oldest.done) this.#swings.delete(oldest.value);
  }

  /** Inputs of a collection whose last run asked to discard its result. */
  discarded(records: Records, collection: string): string[] {
    return [...(this.#discarded.get(collection) ?? [])].filter(input => records.hasInput(collection, input));
  }

  collectionsWithDiscards(): string[] {
    return [...this.#discarded].filter(([, inputs]) => inputs.size > 0).map(([name]) => name);
  }

  /** What goes back and forth for one and the same reason is one finding, however many items follow. */
  flipFlops({records, now, at}: Scene): Finding[] {
    if (at !== undefined) return [];
    const reader = new Reader(records);
    const groups = new Map<string, {swings: Swing[]; causes: string[]}>();
    for (const swing of this.#swings.values()) {
      const {last, turns} = swing;
      if (turns < TURNS || now - last.at > WINDOW || !records.has(last.collection, last.key)) continue;
      const causes = causesOf(reader, swing);
      const id = `${last.collection}\n${causes.length > 0 ? causes.join('\n') : last.key}`;
      const group = groups.get(id);
      if (group) group.swings.push(swing);
      else groups.set(id, {swings: [swing], causes});
    }
    return [...groups.values()]
      .map(({swings, causes}) => flipFlop(swings, causes))
      .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
      .slice(0, 10);
  }
}

function flipFlop(swings: Swing[], causes: readonly string[]): Finding {
  const [{last, turns, since}] = swings.sort((a, b) => b.turns - a.turns) as [Swing, ...Swing[]];
  const [path] = ranked(changedPaths(last.old, last.new));
  const values = path
    ? `${path.path} ${valueWords(path.old)} and ${path.path} ${valueWords(path.new)}`
    : 'two values';
  const minutes = Math.max(1, Math.round((last.at - since) / 60_000));
  const others = swings.length > 1 ? `, and so do ${swings.length - 1} more` : '';
  const why =
    causes.length === 0 ? '' : `; ${causes.length === 1 ? 'cause' : 'causes'} ${causes.join(' and ')}`;
  return {
    code: 'flip-flop',
    severity: 'warning',
    collection: last.collection,
    keys: swings.slice(0, 100).map(swing => swing.last.key),
    title: `Flip-flop, 2 values alternating ${turns + 1}×`,
    message: `${nameOf(last)} alternates between ${values}, ${turns + 1} times in ${minutes} min${others}${why}`,
    count: turns + 1,
    sequence: last.sequence,
    at: last.at,
    evidence: {item: {collection: last.collection, key: last.key}},
    hint:
      causes.length === 1
        ? `${causes[0]} goes back and forth itself: its Why says who writes it`
        : 'two writers disagree, or a formula feeds back on what it changes; compare its last two runs',
  };
}

/** What made its last two turns: the writes they go back to. */
function causesOf(reader: Reader, {last, before}: Swing): string[] {
  const {records} = reader;
  const names = [before, last].flatMap(change => {
    const run = change?.run === undefined ? undefined : records.runById(change.run);
    const hops = run
      ? chainBelowRun(reader, run, {kind: 'row', key: last.key})
      : change
        ? chainBelowChange(reader, change)
        : [];
    const origin = hops.findLast(hop => hop.key !== '');
    return origin ? [nameOf(origin)] : [];
  });
  return [...new Set(names)].sort();
}
