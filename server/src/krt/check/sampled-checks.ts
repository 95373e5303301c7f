// The costly checks repeat a sample of the runs after the batch has settled. A repeat announces and records
// nothing.

import type {EngineCore} from '../graph/engine.ts';
import type {DerivedCore} from '../run/derived-core.ts';
import {itemsOf} from '../run/formula-result.ts';
import {type InputEntry, isUnaccepted, outputsOf} from '../run/input-entry.ts';
import {EQUAL} from '../values/equality.ts';
import {CALLBACK_CODE} from '../values/running-code.ts';
import {silenceRejections} from '../values/thenable.ts';
import type {ProbedRead} from './probe.ts';
import {ProbeContext} from './probe.ts';
import {guardWrites, type ObservedWrites} from './write-guard.ts';

const ITEMS_WATCHED = 100;

export function checkRuns(engine: EngineCore): void {
  const sampled = engine.sampled;
  engine.sampled = [];
  for (const input of sampled) {
    // Only derived collections have runs.
    const entry = input as InputEntry;
    const derived = entry.collection as DerivedCore;
    // Created collections differ each time, and so do items made from them.
    if (derived.stopped || entry.removed || entry.rare?.created) continue;
    if (isUnaccepted(entry.outcome)) continue;
    checkRun(engine, entry);
  }
}

function checkRun(engine: EngineCore, entry: InputEntry): void {
  const outer = engine.running;
  engine.running = CALLBACK_CODE;
  if (engine.beforeTurn !== null) engine.notifyTurn(entry.collection);
  try {
    if (!checkWrites(engine, entry)) checkRepeat(engine, entry);
  } catch {
    // An unreadable item cannot be checked. The batch continues.
  } finally {
    engine.running = outer;
  }
}

/** True if the formula writes to its input or to fetched items. */
function checkWrites(engine: EngineCore, entry: InputEntry): boolean {
  const derived = entry.collection as DerivedCore;
  const {key} = entry.row;
  const writes: ObservedWrites = {input: null, fetched: null};
  const ends: (() => void)[] = [];
  const watch = (item: unknown, read: ProbedRead) => {
    const {view, done} = guardWrites(item, path => {
      if (read.fetch < 0) writes.input ??= path;
      else writes.fetched ??= `${read.collection} "${read.key}" at ${path}`;
    });
    ends.push(done);
    return view;
  };
  silenceRejections(new ProbeContext(derived, watch, ITEMS_WATCHED).run(entry).value);
  for (const done of ends) done();
  if (writes.input === null) engine.violationStore.clear('mutated-input', derived, key);
  else {
    const message = `${derived.name}{${key}} writes to its input at ${writes.input}; copy what you change`;
    engine.report('mutated-input', derived, [key], message);
  }
  if (writes.fetched === null) engine.violationStore.clear('mutated-fetch', derived, key);
  else {
    const message = `${derived.name}{${key}} writes to what it fetched, ${writes.fetched}; copy what you change`;
    engine.report('mutated-fetch', derived, [key], message);
  }
  return writes.input !== null || writes.fetched !== null;
}

function checkRepeat(engine: EngineCore, entry: InputEntry): void {
  const derived = entry.collection as DerivedCore;
  const {key} = entry.row;
  if (outputsOf(entry).some(row => derived.outputs.claims.contested(row.key))) return;
  const probed = new ProbeContext(derived, null).run(entry);
  if (probed.discarded || probed.waitingFor !== undefined) return;
  if (probed.error === undefined && hasSameRows(entry, probed.value)) {
    engine.violationStore.clear('non-deterministic', derived, key);
    return;
  }
  silenceRejections(probed.value);
  const what = probed.error === undefined ? 'yields something else' : `throws (${probed.error})`;
  const message = `${derived.name}{${key}} ${what} when the same run is repeated; a formula may depend on its input and its fetches alone, for other values use a recompute trigger`;
  engine.report('non-deterministic', derived, [key], message);
}

function hasSameRows(entry: InputEntry, value: unknown): boolean {
  const derived = entry.collection as DerivedCore;
  try {
    const repeated = new Map(itemsOf(derived, value).map(item => [derived.keyOf(item), item]));
    const rows = outputsOf(entry);
    if (repeated.size !== rows.length) return false;
    return rows.every(
      row => repeated.has(row.key) && derived.compare(row.value, repeated.get(row.key)) === EQUAL,
    );
  } catch {
    return false;
  }
}
