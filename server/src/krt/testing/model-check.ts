// What must hold after every batch of a random script, and at its end. Returns problems as sentences; none is success.

import {engineStats} from '../api/inspect.ts';
import {type BatchTrace, type Collection, type Published, proceed, type Run} from '../index.ts';
import {Causes} from './model-causes.ts';
import {buckets, type NodeState, Oracle} from './model-oracle.ts';
import {newGraph, Session, text} from './model-session.ts';
import {type CaseSpec, hasFormula, type Item} from './model-spec.ts';

/** Plays the whole case; stops at the first batch that shows a problem. */
export function problemsOf(spec: CaseSpec): string[] {
  const session = new Session(spec);
  checkStates(session);
  if (session.problems.length > 0) return session.problems.map(p => `after the start: ${p}`);
  let sequence = session.traces.at(-1)?.sequence ?? 0;
  for (const [n, batch] of spec.batches.entries()) {
    session.play(batch);
    sequence = checkTraces(session, sequence);
    checkStates(session);
    if (session.problems.length > 0) return session.problems.map(p => `after batch ${n}: ${p}`);
  }
  checkRebuild(session);
  if (session.problems.length > 0) return session.problems.map(p => `rebuilt: ${p}`);
  checkLeaks(session);
  return session.problems.map(p => `at the end: ${p}`);
}

/** Without objects nothing is remembered of them; without collections nothing at all. */
function checkLeaks(session: Session): void {
  const {engine} = session.graph;
  session.empty();
  checkStates(session);
  const {dependencies, queries, buckets: filled} = engineStats(engine);
  // Singletons have their one input for good, and with it what it fetched.
  const forGood = session.oracle.spec.nodes.some(n => n.kind === 'singleton' || n.kind === 'nothing');
  if (!forGood && dependencies + queries + filled > 0) {
    session.problem(`without objects: ${dependencies} dependencies, ${queries} queries, ${filled} buckets`);
  }
  session.stopAll();
  const left = Object.entries(engineStats(engine)).filter(([, count]) => count > 0);
  if (left.length > 0)
    session.problem(`all stopped, but there are ${left.map(([k, n]) => `${n} ${k}`).join(', ')}`);
  if (engine.collections().length > 0) session.problem('a stopped collection is still listed');
}

function checkStates(session: Session): void {
  const {oracle, graph} = session;
  for (let i = 0; i < oracle.created; i++) {
    if (i === session.stopped) continue;
    compareNode(`${i} ${oracle.spec.nodes[i]!.kind}`, oracle.states[i]!, graph.nodes[i]!.items, session);
    const {status, index} = graph.nodes[i]!;
    if (status) compareRows(`${i} status`, new Map(oracle.states[i]!.status), rowsOf(status), session);
    if (index) compareRows(`${i} index`, indexRows(oracle, i), rowsOf(index, sortObjects), session);
    checkRowStates(session, i);
  }
  for (const {name, collection, rows} of session.followers) {
    const listed = rowsOf(collection);
    if (sameRows(listed, rows)) continue;
    session.problem(`${name} lists ${shown(listed)}, but announced ${shown(rows)}`);
  }
}

function compareNode(name: string, state: NodeState, collection: Collection<Item>, session: Session): void {
  if (collection.hasSynced() !== state.synced)
    session.problem(`${name}: synced is ${collection.hasSynced()}`);
  if (state.known) compareRows(name, state.rows, rowsOf(collection), session);
}

function compareRows(
  name: string,
  expected: ReadonlyMap<string, unknown>,
  actual: ReadonlyMap<string, unknown>,
  session: Session,
): void {
  if (!sameRows(expected, actual)) session.problem(`${name} is ${shown(actual)}, must be ${shown(expected)}`);
}

function indexRows(oracle: Oracle, i: number): Map<string, unknown> {
  const spec = oracle.spec.nodes[i]!;
  if (spec.kind !== 'group') return new Map();
  const {rows, synced} = oracle.states[spec.input]!;
  const groups = buckets(synced ? rows : new Map(), spec.by);
  return new Map([...groups].map(([key, objects]) => [key, sortObjects({key, objects})]));
}

function sortObjects(row: unknown): unknown {
  const {key, objects} = row as {key: string; objects: readonly Item[]};
  return {key, objects: [...objects].sort((a, b) => (a.key < b.key ? -1 : 1))};
}

/** Rows by key, read both ways: list() and getKey() must agree. */
function rowsOf(
  collection: Collection<unknown>,
  view: (row: unknown) => unknown = r => r,
): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const item of collection.list()) {
    const {key = '', obj} = item as {key?: string; obj?: Item};
    const own = obj?.key ?? key;
    if (rows.has(own)) throw new Error(`${collection.name} lists ${own} twice`);
    rows.set(own, view(item));
    if (text(collection.getKey(own)) !== text(item))
      throw new Error(`${collection.name}: getKey(${own}) is not what it lists`);
  }
  return rows;
}

function sameRows(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, row] of a)
    if (row !== b.get(key) && text(loose(row)) !== text(loose(b.get(key)))) return false;
  return true;
}

/** The order of an index row's objects is nobody's promise. */
function loose(row: unknown): unknown {
  return typeof row === 'object' && row !== null && 'objects' in row ? sortObjects(row) : row;
}

function shown(rows: ReadonlyMap<string, unknown>): string {
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, row]) => `${key}=${text(row)}`)
    .join(' ');
}

/** Each row knows its owner, the smallest input that claims it, and whether it is stale. */
function checkRowStates(session: Session, i: number): void {
  if (!hasFormula(session.oracle.spec.nodes[i]!)) return;
  const histories = session.oracle.histories[i]!;
  const seen = new Set<string>();
  for (const input of [...histories.keys()].sort()) {
    const {rows, outcome} = histories.get(input)!;
    const stale = outcome === 'failed' || outcome === 'suspended';
    for (const {key} of rows) {
      if (seen.has(key)) continue;
      seen.add(key);
      const state = session.graph.nodes[i]!.items.rowState(key);
      if (state?.input !== input) session.problem(`${i} ${key}: owned by ${state?.input}, must be ${input}`);
      if (state?.stale !== stale) session.problem(`${i} ${key}: stale is ${state?.stale} after ${outcome}`);
    }
  }
}

/** Returns the sequence number after this batch. */
function checkTraces(session: Session, sequence: number): number {
  if (session.traces.length > 1) session.problem(`${session.traces.length} traces of one batch`);
  const [trace] = session.traces;
  if (trace === undefined) return sequence;
  if (trace.sequence < sequence + 1) session.problem(`sequence ${trace.sequence} after ${sequence}`);
  const ran = new Set<string>();
  const causes = new Causes(session, trace);
  for (const run of trace.runs) {
    const id = `${run.uid} ${run.input}`;
    if (ran.has(id)) session.problem(`${run.collection}{${run.input}} ran twice`);
    ran.add(id);
    for (const problem of causes.problems(run))
      session.problem(`${run.collection}{${run.input}}: ${problem}`);
  }
  for (const idle of causes.idle()) session.problem(idle);
  checkPublished(session, trace);
  return trace.sequence;
}

/** What the trace says was published is what the runs did, once a key. */
function checkPublished(session: Session, trace: BatchTrace): void {
  const seen = new Set<string>();
  for (const change of trace.published as readonly Published[]) {
    const id = `${change.uid} ${change.key}`;
    if (seen.has(id)) session.problem(`${change.collection} ${change.key} is published twice in a trace`);
    seen.add(id);
    if (change.run === null) continue;
    const run = trace.runs[change.run] as Run | undefined;
    if (run === undefined) session.problem(`${change.collection} ${change.key} names run ${change.run}`);
  }
}

/** A fresh engine over the final sources shows what the plain functions say, with nothing kept from before. */
function checkRebuild(session: Session): void {
  const {spec, items, latched, attached, salts, outside} = session.oracle;
  const fresh = new Oracle(spec, 0);
  spec.nodes.forEach((_, i) => {
    fresh.items[i] = new Map(items[i]);
    fresh.latched[i] = latched[i]!;
    fresh.attached[i] = new Set(attached[i]);
    fresh.salts[i] = salts[i]!;
  });
  outside.forEach((value, t) => {
    fresh.outside[t] = value;
  });
  const graph = newGraph(fresh);
  for (; fresh.created < session.oracle.created; fresh.created++) graph.create();
  while (proceed(graph.engine));
  fresh.settle(i => graph.nodes[i]!.items.hasSynced());
  for (let i = 0; i < fresh.created; i++) {
    compareNode(`${i} ${spec.nodes[i]!.kind}`, fresh.states[i]!, graph.nodes[i]!.items, session);
  }
}
