// Puts the changed rows of a document and the runs of the log together to one batch for the engine process. Each
// run refers to the change that caused it.
import type {ProgramRun} from '@krtscope/shared/programs/program.ts';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import {UNSEEN_ROW_TEXT} from '@krtscope/shared/vocabulary.ts';
import {clausesOfFilter, textOfFilter} from '../log/filter-text.ts';
import type {CauseInference} from './cause-inference.ts';
import type {DocumentChange} from './document-change.ts';
import {isInformerName} from './document-lookup.ts';
import type {InferredCause, InferredRun} from './inferred-run.ts';
import type {KrtzStructure, RowRef} from './krtz-structure.ts';

/** One change for the engine. Without `run` it was only observed. With `run: null` and no `from` it is an outside write. */
export interface ComposedChange extends DocumentChange {
  new?: unknown;
  run?: number | null;
  from?: number[];
}

export interface ComposedBatch {
  changes: ComposedChange[];
  runs: ProgramRun[];
}

/** The value of a row that the log names and no document has shown yet. */
const UNSEEN_ROW = {krtscope: UNSEEN_ROW_TEXT};

export interface IntervalInput {
  before: KrtzStructure | undefined;
  /** Absent while the document fails. */
  after: KrtzStructure | undefined;
  changes: readonly DocumentChange[];
  runs: readonly InferredRun[];
  inference: CauseInference;
  /** Whether a log tells why rows change. Without one no cause is named as a fact. */
  hasLog: boolean;
  /** Whether the engine has the row. */
  isKnown(ref: RowRef): boolean;
  /** The rows of an input before the batch. */
  outputsOf(collection: string, input: string): readonly string[];
}

export function composeBatch(input: IntervalInput): ComposedBatch {
  return new IntervalComposer(input).compose();
}

const outcomeEvents = {added: 'add', changed: 'update', deleted: 'delete'} as const;

class IntervalComposer {
  readonly #input: IntervalInput;
  readonly #document: KrtzStructure | undefined;
  readonly #changes: ComposedChange[] = [];
  readonly #places = new Map<string, number>();
  readonly #differences: ReadonlyMap<string, DocumentChange>;
  /** The last run, or removal, that changed a row. */
  readonly #makers = new Map<string, {run: InferredRun; change: 'added' | 'changed' | 'deleted'}>();
  /** Positions of the runs. Removals of inputs are not runs. */
  readonly #positions = new Map<InferredRun, number>();
  readonly #pending = new Set<string>();
  /** The rows of inputs after their last run in this batch. */
  readonly #outputs = new Map<string, string[]>();

  constructor(input: IntervalInput) {
    this.#input = input;
    this.#document = input.after ?? input.before;
    this.#differences = new Map(input.changes.map(change => [idOf(change), change]));
    let position = 0;
    for (const run of input.runs) {
      if (!run.isRemoval) this.#positions.set(run, position++);
      for (const {key, change} of run.outputs)
        this.#makers.set(idOf({collection: run.collection, key}), {run, change});
    }
  }

  compose(): ComposedBatch {
    for (const change of this.#input.changes)
      if (this.#kindOf(change.collection) === 'source') this.#placeOf(change);
    const runs = this.#input.runs.flatMap(run => (run.isRemoval ? [] : [this.#run(run)]));
    for (const run of this.#input.runs)
      for (const {key, change} of run.outputs) {
        const ref = {collection: run.collection, key};
        const isShort = change === 'added' && this.#input.after !== undefined && !this.#input.after.has(ref);
        if (!isShort) this.#placeOf(ref);
      }
    for (const change of this.#input.changes) this.#placeOf(change);
    return {changes: this.#changes, runs};
  }

  #run(run: InferredRun): ProgramRun {
    const {collection, input, fetches, outputs, duration} = run;
    const all = this.#allOutputs(run);
    return {
      collection,
      input,
      outcome: outcomeOf(outputs, all.length),
      causes: this.#causes(run.causes),
      fetches: fetches.map(({collection: name, filter, matched}) => ({
        collection: this.#nameOf(name),
        filter: textOfFilter(filter),
        clauses: clausesOfFilter(filter),
        matched,
        scanned: 0,
        via: {kind: 'scan'},
        keys: [],
      })),
      gained: [],
      lost: [],
      outputs: all,
      start: 0,
      duration,
    };
  }

  /** The rows of the input after the run, and those that it deleted. */
  #allOutputs({collection, input, outputs}: InferredRun): ProgramRun['outputs'] {
    const id = idOf({collection, key: input});
    const known = this.#outputs.get(id) ?? this.#input.outputsOf(collection, input);
    const changed = new Map(outputs.map(({key, change}) => [key, change]));
    const keys = new Set([...known, ...changed.keys()]);
    const all = [...keys].map(key => ({key, change: changed.get(key) ?? ('equal' as const)}));
    this.#outputs.set(
      id,
      all.flatMap(({key, change}) => (change === 'deleted' ? [] : [key])),
    );
    return all;
  }

  #causes(causes: readonly InferredCause[]): ProgramRun['causes'] {
    const isPossible = causes.length > 1;
    return causes.map(({kind, collection, key, filter}) => {
      const cause: ProgramRun['causes'][number] = {kind, collection, key, inferred: true};
      if (filter !== undefined) cause.filter = textOfFilter(filter);
      if (isPossible) return {...cause, possible: true};
      const place = this.#placeOf({collection, key});
      const change = this.#changes[place];
      cause.published = place;
      if (change !== undefined) cause.event = change.event;
      if (typeof change?.run === 'number') cause.run = change.run;
      return cause;
    });
  }

  /** The place of a row's change in the batch. Adds it if the batch does not have it yet. */
  #placeOf(ref: RowRef): number {
    const {collection, key} = ref;
    const id = idOf(ref);
    const existing = this.#places.get(id);
    if (existing !== undefined) return existing;
    const event = this.#eventOf(ref);
    const change: ComposedChange = {collection, key, event};
    if (event !== 'delete') change.new = this.#document?.value(ref) ?? UNSEEN_ROW;
    const place = this.#changes.length;
    this.#places.set(id, place);
    this.#changes.push(change);
    this.#explain(change, id);
    return place;
  }

  /** Says which run or which changes made it. */
  #explain(change: ComposedChange, id: string): void {
    if (this.#kindOf(change.collection) === 'source') {
      change.run = null;
      return;
    }
    const maker = this.#makers.get(id);
    const position = maker === undefined ? undefined : this.#positions.get(maker.run);
    if (position !== undefined) {
      change.run = position;
      return;
    }
    if (!this.#input.hasLog || this.#pending.has(id)) return;
    this.#pending.add(id);
    const above = this.#input.inference.above(change, Number.POSITIVE_INFINITY);
    // Two possible rows are not a cause.
    if (above.length !== 1) return;
    change.run = null;
    change.from = above.map(ref => this.#placeOf(ref));
  }

  #eventOf(ref: RowRef): ChangeEventType {
    const {after, isKnown} = this.#input;
    const known = isKnown(ref);
    const difference = this.#differences.get(idOf(ref));
    if (difference !== undefined) return difference.event === 'add' && known ? 'update' : difference.event;
    if (after !== undefined) return after.has(ref) ? (known ? 'update' : 'add') : 'delete';
    const maker = this.#makers.get(idOf(ref));
    if (maker !== undefined) {
      const event = outcomeEvents[maker.change];
      return event === 'add' && known ? 'update' : event === 'update' && !known ? 'add' : event;
    }
    const isRemoved = this.#input.runs.some(
      ({isRemoval, causes}) => isRemoval && causes.some(cause => idOf(cause) === idOf(ref)),
    );
    return isRemoved ? 'delete' : known ? 'update' : 'add';
  }

  #kindOf(collection: string): string | undefined {
    const kind =
      this.#document?.collection(collection)?.kind ?? this.#input.before?.collection(collection)?.kind;
    return kind ?? (isInformerName(collection) ? 'source' : undefined);
  }

  /** The log writes the name without the number that tells namesakes apart. */
  #nameOf(name: string): string {
    return this.#document?.namesakes(name).at(-1) ?? name;
  }
}

function outcomeOf(outputs: InferredRun['outputs'], all: number): ProgramRun['outcome'] {
  const changes = new Set(outputs.map(({change}) => change));
  const [only] = changes;
  if (changes.size === 1 && only !== undefined) return only;
  if (changes.size > 1) return 'changed';
  return all > 0 ? 'equal' : 'empty';
}

function idOf({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}
