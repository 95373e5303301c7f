// Checks the rules that hold after every batch of a random script and at its end. Returns problems as sentences.

import {engineStats} from '../host/inspect.ts';
import {type BatchTrace, type Collection, type Published, proceed, type Run} from '../index.ts';
import {Causes} from './model-causes.ts';
import {Graph, plainKrt, realKrt} from './model-graph.ts';
import {questionProblems} from './model-questions.ts';
import {text} from './model-script.ts';
import {Session} from './model-session.ts';
import type {CaseSpec} from './model-spec.ts';
import {Traces} from './model-traces.ts';
import {PlainDerived} from './plain-derived.ts';

/** Plays the whole case. Stops at the first batch with a problem. */
export function problemsOf(spec: CaseSpec): string[] {
  const session = new Session(spec);
  const traces = new Traces(session);
  checkStates(session);
  if (session.problems.length > 0) return session.problems.map(p => `after the start: ${p}`);
  let sequence = session.traces.at(-1)?.sequence ?? 0;
  for (const [n, batch] of spec.batches.entries()) {
    session.play(batch);
    sequence = checkTraces(session, traces, sequence);
    checkStates(session);
    if (session.problems.length > 0) return session.problems.map(p => `after batch ${n}: ${p}`);
  }
  for (const problem of questionProblems(session)) session.problem(problem);
  if (session.problems.length > 0) return session.problems.map(p => `asked: ${p}`);
  checkRebuild(session);
  if (session.problems.length > 0) return session.problems.map(p => `rebuilt: ${p}`);
  checkLeaks(session);
  return session.problems.map(p => `at the end: ${p}`);
}

/** Without objects the engine holds nothing about them. Without collections it holds nothing at all. */
function checkLeaks(session: Session): void {
  const {engine} = session.real;
  session.empty();
  checkStates(session);
  const {dependencies, queries, buckets} = engineStats(engine);
  // A singleton keeps its one input and the dependencies of that input.
  const forGood = session.script.spec.nodes.some(n => n.kind === 'singleton' || n.kind === 'nothing');
  if (!forGood && dependencies + queries + buckets > 0) {
    session.problem(`without objects: ${dependencies} dependencies, ${queries} queries, ${buckets} buckets`);
  }
  session.stopAll();
  const left = Object.entries(engineStats(engine)).filter(([, count]) => count > 0);
  if (left.length > 0)
    session.problem(`all stopped, but there are ${left.map(([k, n]) => `${n} ${k}`).join(', ')}`);
  if (engine.collections().length > 0) session.problem('a stopped collection is still listed');
}

/** Both engines have the same rows, the same announced changes and the same sync state. */
function checkStates(session: Session): void {
  for (const follower of session.followers) {
    const {name, real, plain, rows, last, told} = follower;
    compare(name, real, plain, session);
    // With slices, a row may be added and changed before the first announcement.
    const inSlices = session.script.spec.firstRuns !== undefined;
    if (!inSlices && !((plain as unknown) instanceof PlainDerived))
      checkLast(name, real, rows, last, session);
    const listed = rowsOf(real);
    if (!sameRows(listed, rows))
      session.problem(`${name} lists ${shown(listed)}, but announced ${shown(rows)}`);
    // With slices, the engine announces in several batches what the plain engine announces in one.
    if (inSlices) continue;
    const [actual, expected] = [told.real.toSorted().join(' '), told.plain.toSorted().join(' ')];
    if (actual !== expected) session.problem(`${name} announced ${actual}, must have announced ${expected}`);
  }
}

function compare(
  name: string,
  real: Collection<unknown>,
  plain: Collection<unknown>,
  session: Session,
): void {
  if (real.hasSynced() !== plain.hasSynced()) session.problem(`${name}: synced is ${real.hasSynced()}`);
  const [actual, expected] = [rowsOf(real), rowsOf(plain)];
  if (!sameRows(expected, actual)) session.problem(`${name} is ${shown(actual)}, must be ${shown(expected)}`);
  const derived = plain as unknown;
  if (derived instanceof PlainDerived) checkRowStates(name, real, derived, session);
}

/** A row without a formula knows whether it was added or changed last. */
function checkLast(
  name: string,
  real: Collection<unknown>,
  rows: ReadonlyMap<string, unknown>,
  last: ReadonlyMap<string, string>,
  session: Session,
): void {
  if (real.rowState('nobody') !== undefined) session.problem(`${name}: nobody has a state`);
  if (!real.hasSynced() || name.includes('status')) return;
  for (const key of rows.keys()) {
    const state = real.rowState(key);
    if (state?.outcome === 'failed' || state?.outcome === last.get(key)) continue;
    session.problem(`${name} ${key}: the state is ${text(state)}, must be ${last.get(key)}`);
  }
}

/** Each row knows its owner (the smallest input that claims it) and whether it is stale. */
function checkRowStates(
  name: string,
  real: Collection<unknown>,
  plain: PlainDerived,
  session: Session,
): void {
  for (const key of plain.rows.keys()) {
    const [state, expected] = [real.rowState(key), plain.rowState(key)];
    if (state?.input === expected?.input && state?.stale === expected?.stale) continue;
    session.problem(`${name} ${key}: the state is ${text(state)}, must be ${text(expected)}`);
  }
}

/** Rows by key. list() and getKey() must agree. */
function rowsOf(collection: Collection<unknown>): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const item of collection.list()) {
    const {key = '', obj} = item as {key?: string; obj?: {key: string}};
    const own = obj?.key ?? key;
    if (rows.has(own)) throw new Error(`${collection.name} lists ${own} twice`);
    rows.set(own, item);
    if (text(collection.getKey(own)) !== text(item))
      throw new Error(`${collection.name}: getKey(${own}) is not what it lists`);
  }
  return rows;
}

function sameRows(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, row] of a) if (row !== b.get(key) && text(row) !== text(b.get(key))) return false;
  return true;
}

function shown(rows: ReadonlyMap<string, unknown>): string {
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, row]) => `${key}=${text(row)}`)
    .join(' ');
}

/** Returns the sequence number after this batch. */
function checkTraces(session: Session, traces: Traces, sequence: number): number {
  if (session.traces.length > 1) session.problem(`${session.traces.length} traces of one batch`);
  const [trace] = session.traces;
  if (trace === undefined) return sequence;
  for (const problem of traces.problems(trace)) session.problem(problem);
  traces.note();
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

/** The trace must publish exactly the results of the runs, once for each key. */
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

/** Fresh engines over the final sources must show the same rows. */
function checkRebuild(session: Session): void {
  const {script} = session;
  const [real, plain] = [new Graph(realKrt, script), new Graph(plainKrt, script)];
  for (let i = 0; i < script.created; i++) {
    real.create();
    plain.create();
  }
  while (proceed(real.engine));
  real.nodes.forEach(({items}, i) => {
    compare(`${i} ${script.spec.nodes[i]!.kind}`, items, plain.nodes[i]!.items, session);
  });
}
