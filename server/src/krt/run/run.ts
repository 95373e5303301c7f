// One run of a formula: its context, its reads, and the memo that lets an unchanged fetch touch nothing.

import type {ReadContext} from '../api/context.ts';
import {EngineError} from '../api/error.ts';
import type {ViolationCode} from '../check/violation.ts';
import type {Core} from '../graph/core.ts';
import {use} from '../graph/dependencies.ts';
import type {Derived} from '../kinds/derived.ts';
import {type Filter, NAMESPACE, type Spec, sameQuery, specOf} from '../query/filter.ts';
import type {QueryNode} from '../query/query-node.ts';
import {isLabels, isShortcut} from '../query/shortcut.ts';
import {type Entry, NO_NODES} from './entry.ts';

/** User code that is under way: a formula, a merge or a map. */
export interface Running {
  /** It read a collection without a fetch. */
  bypassed(core: Core): void;
  /** It created a collection. */
  created(core: Core): void;
  toString(): string;
}

/** Thrown by a fetch from a collection that has not synced; not an error, and swallowing it changes nothing. */
export class Suspension extends Error {
  constructor(waitingFor: string) {
    super(`waiting for ${waitingFor}`);
    this.name = 'Suspension';
  }
}

export interface Note {
  code: ViolationCode;
  key: string;
  keys: string[];
  message: string;
}

/** Reused by all runs of its collection, which never overlap. */
export class RunContext implements ReadContext, Running {
  entry: Entry | null = null;
  /** Anything but a plain accepted run happened. */
  unusual = false;
  discarded = false;
  failed = false;
  error: unknown = undefined;
  suspendedOn: Core | null = null;
  made: Core[] | null = null;
  notes: Note[] | null = null;
  private readonly derived: Derived;
  private readonly stead: ReadContext | null;
  private old: readonly QueryNode[] = NO_NODES;
  private cursor = 0;
  /** The queries of a run that asks anything new, and how many there are; -1 while it asks what the last one did. */
  private fresh: QueryNode[] = [];
  private moved = -1;
  /** The fetch that is being read is known not to be the last run's. */
  private anew = false;

  /**
   * `stead` answers in its stead: a repeat that is no run. The formula gets a context of one class all the
   * same, else every fetch of every later run would be slower.
   */
  constructor(derived: Derived, stead: ReadContext | null = null) {
    this.derived = derived;
    this.stead = stead;
  }

  begin(entry: Entry): void {
    this.entry = entry;
    this.old = entry.nodes;
    this.cursor = 0;
    this.moved = -1;
    this.anew = false;
    if (!this.unusual) return;
    this.unusual = false;
    this.discarded = false;
    this.failed = false;
    this.error = undefined;
    this.suspendedOn = null;
    this.made = null;
    this.notes = null;
  }

  /** The run is over. True if it asked exactly what the last one did. */
  end(): boolean {
    this.entry = null;
    return this.moved < 0 && this.cursor === this.old.length;
  }

  /** The queries of this run, in the order of its fetches. The same array as before if nothing moved. */
  nodes(): readonly QueryNode[] {
    const count = this.moved;
    if (count >= 0) {
      const fresh = this.fresh;
      if (count === 1) return (fresh[0] as QueryNode).alone;
      this.fresh = [];
      this.moved = -1;
      this.old = fresh.length === count ? fresh : fresh.slice(0, count);
      this.cursor = count;
      return this.old;
    }
    return this.cursor === this.old.length ? this.old : this.old.slice(0, this.cursor);
  }

  caught(error: unknown): void {
    this.unusual = true;
    if (this.suspendedOn !== null) return;
    this.failed = true;
    if (this.error === undefined) this.error = error ?? new Error('the formula threw nothing');
  }

  read(core: Core, filters: readonly Filter[]): readonly unknown[] {
    const at = this.cursor;
    const {entry} = this;
    if (this.anew) this.anew = false;
    else if (at < this.old.length && entry !== null) {
      const node = this.old[at] as QueryNode;
      if (node.core === core) {
        if (sameQuery(node.spec, filters)) {
          this.cursor = at + 1;
          if (this.moved >= 0) this.fresh[this.moved++] = node;
          return this.derived.engine.recorder === null ? node.result() : this.#answer(node);
        }
      }
    }
    if (this.stead !== null) return this.stead.read(core, filters);
    // What cannot be a query at all fails before it waits for anything.
    const spec = isShortcut(filters) ? null : specOf(filters);
    return this.#answer(this.#miss(core, filters, spec));
  }

  /** The answer to a namespace and labels that are those of the last run's first fetch; null if they are not. */
  readAgain(core: unknown, namespace: Filter, labels: Filter): readonly unknown[] | null {
    if (this.cursor !== 0 || this.entry === null) return null;
    const node = this.old[0];
    if (node === undefined || node.core !== core || !node.isPair(namespace, labels)) {
      this.anew = namespace.kind === NAMESPACE && isLabels(labels);
      return null;
    }
    this.cursor = 1;
    return this.derived.engine.recorder === null ? node.result() : this.#answer(node);
  }

  readPartial(
    core: Core,
    project: (item: unknown) => unknown,
    same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    if (this.stead !== null) return this.stead.readPartial(core, project, same, filters);
    const node = this.old[this.cursor];
    const {entry} = this;
    if (node !== undefined && entry !== null && node.core === core && node.spec.project === project) {
      if (node.spec.same === same && sameQuery(node.spec, filters, true)) {
        return this.#hit(node).map(item => project(item));
      }
    }
    const spec = specOf(filters);
    spec.project = project;
    spec.same = same;
    return this.#answer(this.#miss(core, filters, spec)).map(item => project(item));
  }

  #hit(node: QueryNode): readonly unknown[] {
    this.cursor++;
    if (this.moved >= 0) this.fresh[this.moved++] = node;
    return this.#answer(node);
  }

  #answer(node: QueryNode): readonly unknown[] {
    const recorder = this.derived.engine.recorder;
    if (recorder === null) return node.result();
    const ready = node.ready;
    const result = node.result();
    recorder.fetched(node, ready);
    return result;
  }

  #miss(core: Core, filters: readonly Filter[], spec: Spec | null): QueryNode {
    const entry = this.entry;
    if (entry === null) {
      throw new EngineError(
        'fetch-outside-run',
        `a formula of "${this.derived.name}" kept its context and fetched after it had returned; fetch only while it runs`,
      );
    }
    if (core.engine !== this.derived.engine) {
      throw new EngineError(
        'foreign-collection',
        `"${core.name}" belongs to another engine than "${this.derived.name}"; build both on one`,
      );
    }
    this.#hold(core, entry);
    if (!core.synced) this.#suspend(core);
    const queries = core.queriesForFetch();
    const node = spec === null ? queries.ask(filters) : queries.intern(spec);
    if (this.moved < 0) {
      this.moved = this.cursor;
      for (let i = 0; i < this.cursor; i++) this.fresh[i] = this.old[i] as QueryNode;
    }
    this.cursor++;
    this.fresh[this.moved++] = node;
    if (!use(entry, node)) this.derived.edges.release(core);
    return node;
  }

  // A cycle fails the run even if the formula swallows the error.
  #hold(core: Core, entry: Entry): void {
    try {
      this.derived.edges.hold(core);
    } catch (error) {
      this.unusual = true;
      this.failed = true;
      this.error ??= error;
      const message = error instanceof Error ? error.message : String(error);
      this.note({code: 'cycle', key: entry.row.key, keys: [entry.row.key], message});
      throw error;
    }
  }

  #suspend(core: Core): never {
    this.unusual = true;
    if (this.suspendedOn === null) this.suspendedOn = core;
    else this.derived.edges.release(core);
    throw new Suspension(core.name);
  }

  note(note: Note): void {
    this.unusual = true;
    this.notes ??= [];
    if (!this.notes.some(other => other.code === note.code && other.key === note.key)) this.notes.push(note);
  }

  bypassed(core: Core): void {
    const key = this.entry?.row.key ?? '';
    this.note({
      code: 'untracked-read',
      key,
      keys: [key, core.name],
      message: `${this} read "${core.name}" without a fetch: it will not run again when that changes; use fetch(ctx, …)`,
    });
  }

  created(core: Core): void {
    this.unusual = true;
    this.made ??= [];
    this.made.push(core);
  }

  discardResult(): void {
    if (this.stead !== null) {
      this.stead.discardResult();
      return;
    }
    this.unusual = true;
    this.discarded = true;
  }

  toString(): string {
    return `${this.derived.name}{${this.entry?.row.key ?? ''}}`;
  }
}
