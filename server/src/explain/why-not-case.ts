// The facts that a verdict is decided by: who could have looked, what it asked for, what changed, what ran then.
import type {Ref} from '@krtscope/shared/run.ts';
import type {Clause as Row} from '@krtscope/shared/why.ts';
import {type Evaluated, evaluate} from './clauses.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, RecordedFetch, RecordedRun, Records} from './records.ts';
import {type Subject, subjectOf} from './subject.ts';

/** The item whose formula could have looked, with all that decides. */
export interface Case {
  readonly records: Records;
  readonly reader: Reader;
  readonly asked: Ref;
  readonly expected: Ref;
  readonly at: number | undefined;
  /** The item itself or the one above it, along primary inputs, that reads the expected collection. */
  readonly looker: Subject;
  readonly input: string;
  /** The expected one is the looker's own primary input. */
  readonly primary: boolean;
  readonly run: RecordedRun | undefined;
  readonly fetches: readonly RecordedFetch[];
  readonly change: RecordedChange | undefined;
  /** The run in the batch of the expected one's last change. */
  readonly reaction: RecordedRun | undefined;
  readonly best: {fetch: RecordedFetch; tried: Evaluated} | undefined;
}

function looksAt(records: Records, subject: Subject, input: string, expected: string, at?: number): boolean {
  if (subject.facts.parents.includes(expected)) return true;
  return records.dependenciesOf(subject.collection, input, at).some(d => d.collection === expected);
}

/** Walks up the primary inputs to the first item that reads the expected collection at all; else the item itself. */
function lookerOf(
  records: Records,
  asked: Subject,
  expected: string,
  at?: number,
): {subject: Subject; input: string} {
  let subject = asked;
  let input = asked.input ?? records.inputsOf(asked.collection, asked.key, at)[0] ?? asked.key;
  const own = {subject, input};
  for (let steps = 0; steps < 20; steps++) {
    if (looksAt(records, subject, input, expected, at)) return {subject, input};
    const parent = subject.facts.parents.find(p => records.has(p, input, at));
    if (parent === undefined || parent === subject.collection) return own;
    subject = subjectOf(records, {collection: parent, key: input, at});
    input = subject.input ?? records.inputsOf(parent, input, at)[0] ?? input;
    if (subject.facts.parents.length === 0) return own;
  }
  return own;
}

function bestTry(
  fetches: readonly RecordedFetch[],
  change: RecordedChange | undefined,
  key: string,
  value: unknown,
): Case['best'] {
  const version = (v: unknown) => (v === undefined ? undefined : {key, value: v});
  const now = change ? change.new : value;
  const old = change?.old;
  let best: Case['best'];
  for (const fetch of fetches) {
    const complete = fetch.matched <= fetch.keys.length;
    const tried = evaluate(fetch.clauses, version(old), version(now), new Set(fetch.keys), complete);
    const score = (t: Evaluated): number => (t.matchesNew || t.matchesOld ? -1 : t.failing);
    if (!best || score(tried) < score(best.tried)) best = {fetch, tried};
  }
  return best;
}

/** A run of the same batch may have had other causes: only one that the expected one is a cause of is a reaction. */
function causedBy(run: RecordedRun | undefined, expected: Ref): RecordedRun | undefined {
  return run?.causes.some(c => c.collection === expected.collection && c.key === expected.key)
    ? run
    : undefined;
}

export function caseOf(records: Records, reader: Reader, asked: Subject, expected: Ref, at?: number): Case {
  const {subject: looker, input} = lookerOf(records, asked, expected.collection, at);
  const primary = looker.facts.parents.includes(expected.collection) && input === expected.key;
  const run = records.lastRun(looker.collection, input, at);
  const change = records.lastChange(expected.collection, expected.key, at);
  const mark =
    change && records.runsOf(looker.collection, input, at).find(m => m.sequence === change.sequence);
  // What it holds now decides what wakes it; fetches of the last run carry what they found as well.
  const fetches = (run?.fetches ?? []).filter(f => f.collection === expected.collection);
  return {
    records,
    reader,
    asked,
    expected,
    at,
    looker,
    input,
    primary,
    run,
    fetches,
    change,
    reaction: mark ? causedBy(records.runById(mark.id), expected) : undefined,
    best: bestTry(fetches, change, expected.key, records.value(expected.collection, expected.key, at)),
  };
}

/** The clause that the newest version fails. */
export const failingRow = (c: Case): Row | undefined =>
  c.best?.tried.rows.find(r => r.matchesNew === false || (r.new === undefined && r.matchesOld === false));
