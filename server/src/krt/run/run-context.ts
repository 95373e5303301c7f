// The context of a run and its reads. A fetch that repeats the fetch of the last run at the same position
// does no extra work.

import {ReusableList} from '../containers/reusable-list.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {type Filter, isSameQuery, QuerySpec, querySpecFor} from '../query/filter.ts';
import {projectPart, type QueryNode} from '../query/query-node.ts';
import type {ReadContext} from '../query/read-context.ts';
import type {ViolationCode} from '../trace/violation.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import type {RunningCode, RunResource} from '../values/running-code.ts';
import {addQueryUser, isQueryUser} from './dependencies.ts';
import {PostponedFetch} from './fetch-edges.ts';
import type {FormulaInputs} from './formula-inputs.ts';
import {type InputEntry, NO_NODES} from './input-entry.ts';

/**
 * Thrown by a fetch from a collection that has not synced. It is not an error, and the run is suspended even
 * if the formula catches it.
 */
export class Suspension extends Error {
  constructor(waitingFor: string) {
    super(`waiting for ${waitingFor}`);
    this.name = 'Suspension';
  }
}

export interface RunNote {
  code: ViolationCode;
  key: string;
  keys: string[];
  message: string;
}

/** Reused by all runs of its collection, which never overlap. */
export class FormulaRunContext implements ReadContext, RunningCode {
  entry: InputEntry | null = null;
  /** The run is not a plain accepted run. */
  unusual = false;
  discarded = false;
  failed = false;
  error: unknown = undefined;
  suspendedOn: CollectionCore | null = null;
  /** The run is rolled back until this collection has settled. */
  postponedOn: CollectionCore | null = null;
  /** A fetch of this collection closes a cycle. */
  cycleOn: CollectionCore | null = null;
  made: RunResource[] | null = null;
  /** By code and key. */
  notes: Map<string, RunNote> | null = null;
  /** The status that the run returned beside its items. */
  status: unknown = undefined;
  readonly #derived: FormulaInputs;
  readonly #stead: ReadContext | null;
  /** The queries of the last run, and how many of them this run has repeated in order. */
  #old: readonly QueryNode[] = NO_NODES;
  #cursor = 0;
  /** The run differs from the last one: `#asked` has its own queries. */
  #strays = false;
  readonly #asked = new ReusableList<QueryNode>();
  /** The query of the current fetch, until its node is found. */
  readonly #scratch = new QuerySpec();

  /**
   * `stead` answers instead, for repeats that are not runs. The formula still gets a context of this class:
   * another class would make every later fetch slower.
   */
  constructor(derived: FormulaInputs, stead: ReadContext | null = null) {
    this.#derived = derived;
    this.#stead = stead;
  }

  begin(entry: InputEntry): void {
    this.entry = entry;
    this.#old = entry.nodes;
    this.#cursor = 0;
    if (this.#strays) {
      this.#strays = false;
      this.#asked.clear();
    }
    if (!this.unusual) return;
    this.unusual = false;
    this.discarded = false;
    this.failed = false;
    this.error = undefined;
    this.suspendedOn = null;
    this.postponedOn = null;
    this.cycleOn = null;
    this.made = null;
    this.notes = null;
  }

  /** Ends the run. From now on a fetch with this context throws. */
  end(): void {
    this.entry = null;
    if (this.unusual) for (const one of this.made ?? []) one.inMaking = false;
  }

  /** The run made exactly the fetches of the last run. */
  get repeated(): boolean {
    return !this.#strays && this.#cursor === this.#old.length;
  }

  /** The queries of this run in order. The same array as before if nothing changed. */
  nodes(): readonly QueryNode[] {
    // Inputs with a single query share one list, which saves much memory.
    if (this.#strays) return this.#asked.count === 1 ? this.#asked.at(0).alone : this.#asked.list();
    return this.#cursor === this.#old.length ? this.#old : this.#old.slice(0, this.#cursor);
  }

  /** The run was interrupted. Its result does not count, even if the formula caught the interruption. */
  get stopped(): boolean {
    return this.unusual && (this.failed || this.suspendedOn !== null || this.postponedOn !== null);
  }

  caught(error: unknown): void {
    this.unusual = true;
    if (this.suspendedOn !== null) return;
    this.failed = true;
    if (this.error === undefined) this.error = error ?? new Error('the formula threw nothing');
  }

  read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[] {
    if (this.#stead !== null) return this.#stead.read(core, filters);
    return (
      this.repeatFetch(core, filters) ??
      // A malformed query fails before it waits.
      this.#answer(this.#miss(core, querySpecFor(core, filters, this.#scratch.clear()), filters))
    );
  }

  /** The answer to a fetch that the last run made at the same position, as most are; else null. */
  repeatFetch(core: unknown, filters: readonly Filter[]): readonly unknown[] | null {
    const node = this.#again(core, filters, null, null);
    return node === null ? null : this.#answer(node);
  }

  readPartial(
    core: CollectionCore,
    project: (item: unknown) => unknown,
    same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    if (this.#stead !== null) return this.#stead.readPartial(core, project, same, filters);
    let node = this.#again(core, filters, project, same);
    if (node === null) {
      const spec = querySpecFor(core, filters);
      spec.project = project;
      spec.same = same;
      node = this.#miss(core, spec, null);
    }
    return this.#answer(node).map(item => projectPart(project, item));
  }

  /** The query of the last run at this position, if this fetch repeats it. */
  #again(
    core: unknown,
    filters: readonly Filter[],
    project: QuerySpec['project'],
    same: QuerySpec['same'],
  ): QueryNode | null {
    if (this.#cursor >= this.#old.length || this.entry === null) return null;
    const node = this.#old[this.#cursor] as QueryNode;
    const {spec} = node;
    if (node.core !== core || spec.project !== project || spec.same !== same) return null;
    if (!isSameQuery(spec, filters)) return null;
    this.#cursor++;
    if (this.#strays) this.#asked.add(node);
    return node;
  }

  #answer(node: QueryNode): readonly unknown[] {
    const {recorder} = this.#derived.engine;
    if (recorder === null) return node.result();
    const ready = node.ready;
    const result = node.result();
    recorder.fetched(node, ready);
    return result;
  }

  /** With `filters` the spec is shared: a new query gets its own. */
  #miss(core: CollectionCore, spec: QuerySpec, filters: readonly Filter[] | null): QueryNode {
    const entry = this.entry;
    if (entry === null) throw outsideRunError(this.#derived.name);
    if (core.engine !== this.#derived.engine) throw foreignCollectionError(core, this.#derived.name);
    this.#hold(core, entry);
    if (!core.synced) this.#suspend(core);
    const node = this.#find(core, spec, filters);
    if (!this.#strays) {
      this.#strays = true;
      for (let i = 0; i < this.#cursor; i++) this.#asked.add(this.#old[i] as QueryNode);
    }
    // The last run may have made this fetch too, so compare the next one with the next position.
    this.#cursor++;
    if (isQueryUser(entry, node, this.#asked)) this.#derived.edges.release(core);
    else addQueryUser(entry, node);
    this.#asked.add(node);
    return node;
  }

  // Reading labels may throw. A fetch that failed must not hold anything.
  #find(core: CollectionCore, spec: QuerySpec, filters: readonly Filter[] | null): QueryNode {
    try {
      const queries = core.queriesForFetch();
      return queries.find(spec) ?? queries.intern(filters === null ? spec : querySpecFor(core, filters));
    } catch (error) {
      core.queries?.forgetIfUnused();
      this.#derived.edges.release(core);
      throw error;
    }
  }

  // A cycle fails the run and a postponed fetch repeats it, even if the formula catches the error.
  #hold(core: CollectionCore, entry: InputEntry): void {
    try {
      this.#derived.edges.retain(core);
    } catch (error) {
      this.unusual = true;
      if (error instanceof PostponedFetch) {
        if (this.postponedOn === null) this.postponedOn = core;
        else this.#derived.edges.release(core);
        throw error;
      }
      this.failed = true;
      this.error ??= error;
      this.cycleOn ??= core;
      const message = errorText(error);
      this.note({code: 'cycle', key: entry.row.key, keys: [entry.row.key], message});
      throw error;
    }
  }

  #suspend(core: CollectionCore): never {
    this.unusual = true;
    if (this.suspendedOn === null) this.suspendedOn = core;
    else this.#derived.edges.release(core);
    throw new Suspension(core.name);
  }

  note(note: RunNote): void {
    this.unusual = true;
    this.notes ??= new Map();
    const place = `${note.code} ${note.key}`;
    if (!this.notes.has(place)) this.notes.set(place, note);
  }

  bypassed(core: CollectionCore): void {
    const key = this.entry?.row.key ?? '';
    this.note({
      code: 'untracked-read',
      key,
      keys: [key, core.name],
      message: `${this} read "${core.name}" without a fetch: it will not run again when that changes; use fetch(ctx, …)`,
    });
  }

  created(made: RunResource): void {
    this.unusual = true;
    this.made ??= [];
    this.made.push(made);
    made.inMaking = true;
  }

  discardResult(): void {
    if (this.#stead !== null) {
      this.#stead.discardResult();
      return;
    }
    this.unusual = true;
    this.discarded = true;
  }

  toString(): string {
    if (this.#stead !== null) return String(this.#stead);
    return `${this.#derived.name}{${this.entry?.row.key ?? ''}}`;
  }
}

export function outsideRunError(reader: string): EngineError {
  return new EngineError(
    'fetch-outside-run',
    `a formula of "${reader}" kept its context and fetched after it had returned; fetch only while it runs`,
  );
}

export function foreignCollectionError(core: CollectionCore, reader: string): EngineError {
  return new EngineError(
    'foreign-collection',
    `"${core.name}" belongs to another engine than "${reader}"; build both on one`,
  );
}
