// The time span of every collection, with its formula texts, so that questions about a moment use that moment's
// graph. The recording asks here which collections depend on a row. Files and restarts carry it.
import type {CollectionEnding, CollectionFacts} from '../../../explain/records.ts';
import type {CollectionLineage} from '../../../history/recording.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import {type ModuleBuild, ModuleHistory, type ModuleText, type StoredModuleBuilds} from './module-history.ts';

/** A formula's text, and the first batch that could have run it. */
export interface FormulaRevision {
  readonly from: number;
  readonly order: InstallableFormula;
}

interface CollectionSpan {
  /** The most recent facts. */
  fact: CollectionFacts;
  /** The first batch with this collection; 0 means from the start, or before the retained history. */
  from: number;
  /** The last batch with this collection; undefined while it exists. */
  to?: number;
  /** The batch in which it became synced; undefined if not yet, or before the retained history. */
  synced?: number;
  /** Why it ended, and the first batch that deleted its rows for that. */
  ending?: CollectionEnding & {readonly from: number};
  /** Every text of a user's formula, oldest first. */
  revisions?: FormulaRevision[];
}

/** The form in which a file and main store it, as JSON. */
export type StoredCollectionSpans = readonly CollectionSpan[];

const NONE: readonly string[] = Object.freeze([]) as readonly string[];

/** The dependencies between two changes of the graph. */
interface GraphEra {
  readonly from: number;
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly joins: ReadonlySet<string>;
}

export class CollectionHistory implements CollectionLineage {
  #current = new Map<string, CollectionSpan>();
  #ended: CollectionSpan[] = [];
  #eras: GraphEra[] = [];
  #first = true;
  #modules = new ModuleHistory();
  /** Increases with every change, so that main gets the new version. */
  version = 0;

  /**
   * Takes the graph after batch `newest`. The first call sets the initial graph. Forgets what ended before `oldest`:
   * a program that reconnects often would otherwise leave its collections here each time.
   */
  update(facts: readonly CollectionFacts[], newest: number, oldest = 0): void {
    const names = new Map(facts.map(fact => [fact.name, fact]));
    let changed = this.#first;
    for (const [name, span] of this.#current) {
      const fact = names.get(name);
      if (fact !== undefined && fact.uid === span.fact.uid) {
        span.fact = fact;
        continue;
      }
      changed = true;
      this.#current.delete(name);
      // No batch has seen this collection.
      if (span.from <= newest) this.#ended.push({...span, to: newest});
    }
    for (const fact of facts) {
      if (this.#current.has(fact.name)) continue;
      changed = true;
      this.#current.set(fact.name, {fact, from: this.#first ? 0 : newest + 1});
    }
    if (!changed) return;
    this.#ended = this.#ended.filter(({to = Infinity}) => to >= oldest);
    this.#first = false;
    this.version += 1;
    this.#eras = [];
  }

  /** The batch that completed the first list. */
  syncedAt(name: string, at?: number): number | undefined {
    return this.#lifeAt(name, at)?.synced;
  }

  /** Only the first call counts. */
  noteSynced(name: string, sequence: number): void {
    const span = this.#current.get(name);
    if (span === undefined || span.synced !== undefined) return;
    span.synced = sequence;
    this.version += 1;
  }

  /** From batch `from` on, runs of the formula use this text. Forgets texts before `oldest`. */
  noteRevision(order: InstallableFormula, from: number, oldest = 0): void {
    const span = this.#current.get(order.name);
    if (span === undefined || span.revisions?.at(-1)?.order.hash === order.hash) return;
    const all = [...(span.revisions ?? []), {from, order}];
    const first = all.findLastIndex(revision => revision.from <= oldest);
    span.revisions = all.slice(Math.max(0, first));
    this.version += 1;
  }

  /** The text of a formula at a moment. */
  revision(name: string, at = Infinity): InstallableFormula | undefined {
    return this.#lifeAt(name, at)?.revisions?.findLast(({from}) => from <= at)?.order;
  }

  /** The formulas at a moment, each with its text at that time. */
  formulas(at = Infinity): InstallableFormula[] {
    return this.write()
      .filter(span => covers(span, Math.min(at, Number.MAX_SAFE_INTEGER)))
      .flatMap(({fact}) => this.revision(fact.name, at) ?? []);
  }

  /** These collections, by their uids, ended. Batches from `from` on deleted their rows. */
  noteEndings(endings: ReadonlyMap<number, CollectionEnding>, from: number): void {
    for (const span of [...this.#ended, ...this.#current.values()]) {
      const ending = endings.get(span.fact.uid);
      // A span of an earlier process may have the same uid.
      if (ending === undefined || span.ending !== undefined || (span.to ?? Infinity) < from - 1) continue;
      span.ending = {...ending, from};
      this.version += 1;
    }
  }

  /** Why the rows of a collection were deleted in a batch. */
  ending(name: string, sequence: number): CollectionEnding | undefined {
    const ending = this.#lifeAt(name, sequence)?.ending;
    return ending !== undefined && sequence >= ending.from ? ending : undefined;
  }

  /** Why a formula's collection was built again with the text that it had before. */
  rebuilding(name: string, sequence: number): CollectionEnding | undefined {
    const span = this.#lifeAt(name, sequence);
    const text = span?.revisions?.findLast(({from}) => from <= sequence);
    if (span === undefined || text !== span.revisions?.[0]) return undefined;
    // Without a reason: the collection that stood there while the formula waited.
    const [before] = this.#ended
      .filter(({fact, to = Infinity, ending}) => fact.name === name && to < span.from && hasReason(ending))
      .sort((a, b) => (b.to ?? 0) - (a.to ?? 0));
    // A collection that was built again by itself has no text of its own.
    const isSame = text === undefined || text.order.hash === before?.revisions?.at(-1)?.order.hash;
    return isSame && before?.ending?.kind === 'rebuilt' ? before.ending : undefined;
  }

  /** From batch `from` on, exactly these graph modules run. */
  noteModules(running: readonly ModuleBuild[], from: number, oldest: number): void {
    if (this.#modules.update(running, from, oldest)) this.version += 1;
  }

  /** The graph modules at a moment, each with its texts at that time. */
  modules(at?: number): ModuleText[] {
    return this.#modules.at(at);
  }

  /** The build of a graph module that ran at a moment. */
  build(module: string, at: number): ModuleBuild | undefined {
    return this.#modules.build(module, at);
  }

  /** The facts of a collection at a moment; the most recent ones without a moment, or if it did not exist then. */
  fact(name: string, at?: number): CollectionFacts | undefined {
    return (this.#lifeAt(name, at) ?? this.#ended.findLast(({fact}) => fact.name === name))?.fact;
  }

  /** Made by a formula or a graph module, or a group of such a collection. A restart may not compute its rows again. */
  isUserMade(name: string): boolean {
    const fact = this.fact(name);
    if (fact === undefined) return false;
    if (fact.formula === true || fact.module !== undefined) return true;
    return fact.kind === 'index' && fact.parents.some(parent => this.isUserMade(parent));
  }

  /** The collections at a moment, sources first, with `synced` as it was. `now` lists the current ones in order. */
  at(sequence: number, now: readonly CollectionFacts[]): CollectionFacts[] {
    const removed = this.#ended
      .filter(span => covers(span, sequence))
      .map(span => factsAt(span, span.fact, sequence));
    const current = now.flatMap(fact => {
      const span = this.#current.get(fact.name);
      if (span !== undefined && span.from > sequence) return [];
      return [span === undefined ? fact : factsAt(span, fact, sequence)];
    });
    const roots = current.findIndex(({parents}) => parents.length > 0);
    const split = roots < 0 ? current.length : roots;
    const [rootsGone, restGone] = [removed.filter(isRoot), removed.filter(fact => !isRoot(fact))];
    return [...current.slice(0, split), ...rootsGone, ...current.slice(split), ...restGone];
  }

  childrenOf(collection: string, sequence = Infinity): readonly string[] {
    return this.#era(sequence).children.get(collection) ?? NONE;
  }

  isJoin(collection: string, sequence = Infinity): boolean {
    return this.#era(sequence).joins.has(collection);
  }

  ended(from: number, before: number): readonly string[] {
    if (this.#ended.length === 0) return NONE;
    return this.#ended.filter(({to = Infinity}) => to >= from && to < before).map(({fact}) => fact.name);
  }

  write(): StoredCollectionSpans {
    return [...this.#ended, ...this.#current.values()];
  }

  writeModules(): StoredModuleBuilds {
    return this.#modules.write();
  }

  static read(written: StoredCollectionSpans, modules: StoredModuleBuilds = []): CollectionHistory {
    const history = new CollectionHistory();
    history.#modules = ModuleHistory.read(modules);
    for (const span of written)
      if (span.to === undefined) history.#current.set(span.fact.name, {...span});
      else history.#ended.push({...span});
    history.#first = false;
    return history;
  }

  /**
   * Puts an earlier process's history below this one's. `replay` is the batch that replayed all objects: a collection
   * that exists since then continues the earlier one, if there was one.
   */
  restore(written: StoredCollectionSpans, replay: number, modules: StoredModuleBuilds = []): void {
    this.#modules.restore(modules, replay);
    for (const earlier of written) {
      const {name} = earlier.fact;
      const span = this.#current.get(name);
      if (earlier.to !== undefined) this.#ended.push({...earlier});
      else if (span !== undefined && span.from <= replay + 1) {
        span.from = earlier.from;
        span.revisions = joinRevisions(earlier.revisions, span.revisions);
        if (earlier.synced === undefined && (span.synced ?? 0) <= replay) delete span.synced;
        else if (earlier.synced !== undefined) span.synced = earlier.synced;
      } else this.#ended.push({...earlier, to: replay - 1});
    }
    this.version += 1;
    this.#eras = [];
  }

  #lifeAt(name: string, at = Infinity): CollectionSpan | undefined {
    const span = this.#current.get(name);
    if (span !== undefined && span.from <= at) return span;
    return at === Infinity ? span : this.#ended.find(one => one.fact.name === name && covers(one, at));
  }

  #era(sequence: number): GraphEra {
    if (this.#eras.length === 0) this.#eras.push(this.#eraFrom(this.#lastTurn()));
    // Nearly always the newest. Older ones are made when a recording is read back.
    for (const era of this.#eras) if (sequence >= era.from) return era;
    for (;;) {
      const before = this.#turns().filter(turn => turn < (this.#eras.at(-1) as GraphEra).from);
      const era = this.#eraFrom(Math.max(0, ...before));
      this.#eras.push(era);
      if (sequence >= era.from || before.length === 0) return era;
    }
  }

  #turns(): number[] {
    return this.write().flatMap(({from, to}) => (to === undefined ? [from] : [from, to + 1]));
  }

  #lastTurn(): number {
    return Math.max(0, ...this.#turns());
  }

  #eraFrom(from: number): GraphEra {
    const children = new Map<string, string[]>();
    const joins = new Set<string>();
    for (const span of this.write()) {
      if (!covers(span, from)) continue;
      const {name, kind, parents} = span.fact;
      if (kind === 'join') joins.add(name);
      else for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), name]);
    }
    return {from, children, joins};
  }
}

/** The texts of an earlier process, followed by those of this one. */
function joinRevisions(earlier: FormulaRevision[] = [], now: FormulaRevision[] = []): FormulaRevision[] {
  const last = earlier.at(-1)?.order.hash;
  return [...earlier, ...(now[0]?.order.hash === last ? now.slice(1) : now)];
}

function hasReason(ending: CollectionEnding | undefined): boolean {
  return ending !== undefined && (ending.kind === 'removed' || ending.because.length > 0);
}

function covers({from, to = Infinity}: CollectionSpan, sequence: number): boolean {
  return from <= sequence && sequence <= to;
}

function isRoot({parents}: CollectionFacts): boolean {
  return parents.length === 0;
}

function factsAt({synced = 0}: CollectionSpan, fact: CollectionFacts, sequence: number): CollectionFacts {
  return fact.synced && synced > sequence ? {...fact, synced: false} : fact;
}
