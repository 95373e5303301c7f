// Plays a recorded case on the engine and reports differences from points 1 to 4 of the truth README.
import {type BatchTrace, type Change, createEngine, type Engine} from '../index.ts';
import type {TruthCase, TruthObject, TruthOperation, TruthStep} from './truth-cases.ts';
import {truthGraphs} from './truth-graphs.ts';
import {newSource, type Sources, type TruthGraph, type Watched} from './truth-rows.ts';

type Rows = Map<string, unknown>;
type Mode = 'operation' | 'step';

/** Stable text of a plain value. The property order of the recording has no meaning. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([k, v]) => `${k}:${canonical(v)}`).join(',')}}`;
}

function shown(rows: Rows): string {
  return canonical(Object.fromEntries(rows));
}

export class Replay {
  readonly #case: TruthCase;
  readonly #engine: Engine;
  readonly #sources: Sources;
  readonly #graph: TruthGraph;
  readonly #attached = new Set(['a', 'b']);
  /** The rows according to our own announcements. */
  readonly #folded = new Map<string, Rows>();
  readonly #expected = new Map<string, Rows>();
  readonly #traces: BatchTrace[] = [];
  readonly problems: string[] = [];
  #where = 'start';

  constructor(recorded: TruthCase) {
    this.#case = recorded;
    this.#engine = createEngine();
    this.#sources = this.#newSources(name => recorded.initial[name] ?? []);
    this.#graph = truthGraphs[recorded.graph]!(this.#engine, this.#sources);
    this.#engine.onTrace(trace => this.#traces.push(trace));
    for (const [name, watched] of Object.entries(this.#graph.watched)) {
      const rows: Rows = new Map();
      this.#folded.set(name, rows);
      this.#expected.set(name, new Map(Object.entries(recorded.start[name] ?? {})));
      watched.collection.registerBatch(changes => this.#fold(name, watched, rows, changes), true);
    }
  }

  play(mode: Mode): void {
    this.#checkState();
    this.#case.steps.forEach((step, n) => {
      this.#where = `step ${n}`;
      this.#traces.length = 0;
      if (mode === 'step') this.#engine.batch(() => step.ops.forEach(op => void this.#apply(op)));
      else for (const op of step.ops) this.#apply(op);
      this.#checkRuns(step);
      this.#expect(step);
      this.#checkState();
    });
    if (!['discard', 'trigger'].includes(this.#case.graph)) this.#checkRebuild();
  }

  #newSources(initial: (name: string) => readonly TruthObject[]): Sources {
    const names = new Set([...Object.keys(this.#case.initial), ...this.#operationSources()]);
    return Object.fromEntries([...names].map(name => [name, newSource(this.#engine, name, initial(name))]));
  }

  #operationSources(): string[] {
    return this.#case.steps.flatMap(s => s.ops.map(o => o.source)).filter(s => s !== undefined);
  }

  #apply(op: TruthOperation): void {
    const source = this.#sources[op.source];
    switch (op.do) {
      case 'set':
        return source!.updateObject(op.obj!);
      case 'setIf':
        return source!.conditionalUpdateObject(op.obj!);
      case 'delete':
        return source!.deleteObject(op.key!);
      case 'reset':
        return source!.reset(op.objs ?? []);
      case 'value':
        return this.#graph.setValue!(op.value!);
      case 'trigger':
        this.#graph.setValue!(op.value!);
        return this.#graph.trigger!();
      case 'attach':
        this.#attached.add(op.source);
        return this.#graph.attach!(op.source);
      case 'detach':
        this.#attached.delete(op.source);
        return this.#graph.detach!(op.source);
    }
  }

  /** Point 2: at most one change for each key and batch, and each follows from earlier announcements. */
  #fold(name: string, watched: Watched, rows: Rows, changes: readonly Change<unknown>[]): void {
    const seen = new Set<string>();
    for (const {event, key, old, new: next} of changes) {
      if (seen.has(key)) this.#problem(`${name} ${key}: announced twice in a batch`);
      seen.add(key);
      const before = rows.get(key);
      if ((event === 'add') !== (before === undefined))
        this.#problem(`${name} ${key}: ${event} of ${canonical(before)}`);
      if (before !== undefined && canonical(watched.row(old)) !== canonical(before)) {
        this.#problem(`${name} ${key}: old is ${canonical(watched.row(old))}, not ${canonical(before)}`);
      }
      if (event === 'delete') rows.delete(key);
      else rows.set(key, watched.row(next));
      const same = event === 'update' && canonical(before) === canonical(watched.row(next));
      if (same && !watched.mayRepeat) this.#problem(`${name} ${key}: an update to an equal row`);
    }
  }

  #expect(step: TruthStep): void {
    for (const [name, rows] of Object.entries(step.changes ?? {})) {
      const expected = this.#expected.get(name)!;
      for (const [key, value] of Object.entries(rows)) {
        if (value === null) expected.delete(key);
        else expected.set(key, value);
      }
    }
  }

  /** Point 1 and the rest of point 2: our announcements add up to the recorded rows. */
  #checkState(): void {
    for (const [name, watched] of Object.entries(this.#graph.watched)) {
      const expected = shown(this.#expected.get(name)!);
      const held = shown(rowsOf(watched));
      if (held !== expected) this.#problem(`${name} holds ${held}, recorded is ${expected}`);
      const folded = shown(this.#folded.get(name)!);
      if (folded !== expected) this.#problem(`${name} announced ${folded}, recorded is ${expected}`);
    }
  }

  /** Point 3. Call it before #expect, while #expected lacks the recording's last step. */
  #checkRuns(step: TruthStep): void {
    const ran = new Map<string, number>();
    for (const trace of this.#traces) {
      const once = new Set<string>();
      for (const run of trace.runs) {
        const id = `${run.collection} ${run.input}`;
        if (once.has(`${run.uid} ${run.input}`)) this.#problem(`${id} ran twice in batch ${trace.sequence}`);
        once.add(`${run.uid} ${run.input}`);
        if (run.causes.length === 0) this.#problem(`${id} ran without a cause`);
        ran.set(id, (ran.get(id) ?? 0) + 1);
      }
    }
    if (step.runs !== undefined) {
      for (const [id, times] of ran) {
        const [collection, input] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)];
        const upstream = step.runs[collection]?.[input] ?? 0;
        if (times > upstream) this.#problem(`${id} ran ${times} times, upstream ${upstream}`);
      }
    }
    for (const [name, rows] of Object.entries(step.changes ?? {})) {
      const watched = this.#graph.watched[name]!;
      if (watched.runs === undefined) continue;
      for (const [key, value] of Object.entries(rows)) {
        if (value === null) continue;
        const input = watched.collection.rowState(key)?.input;
        if (!ran.has(`${watched.runs} ${input}`))
          this.#problem(`${name} ${key} changed, but its input ${input} did not run`);
      }
    }
  }

  /** Point 4. */
  #checkRebuild(): void {
    const engine = createEngine();
    const sources = Object.fromEntries(
      Object.entries(this.#sources).map(([name, source]) => [name, newSource(engine, name, source.list())]),
    );
    const graph = truthGraphs[this.#case.graph]!(engine, sources);
    for (const name of ['a', 'b', 'c']) {
      if (this.#attached.has(name)) graph.attach?.(name);
      else graph.detach?.(name);
    }
    for (const [name, watched] of Object.entries(graph.watched)) {
      const fresh = shown(rowsOf(watched));
      const expected = shown(this.#expected.get(name)!);
      if (fresh !== expected) this.#problem(`${name} rebuilt is ${fresh}, recorded is ${expected}`);
    }
  }

  #problem(text: string): void {
    if (this.problems.length < 5) this.problems.push(`${this.#where}: ${text}`);
  }
}

function rowsOf(watched: Watched): Rows {
  const rows: Rows = new Map();
  for (const item of watched.collection.list()) {
    const key = (item as {key?: string}).key ?? statusKey(item);
    if (rows.has(key)) throw new Error(`${watched.collection.name} lists ${key} twice`);
    rows.set(key, watched.row(item));
  }
  return rows;
}

function statusKey(item: unknown): string {
  const {obj} = item as {obj: TruthObject};
  return `${obj.namespace}/${obj.name}`;
}
