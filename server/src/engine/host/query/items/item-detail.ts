// One item in full: its value, its precedents and dependents, its runs, and in one sentence why it is as it is.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {changedPaths} from '../../../../explain/evidence/diff.ts';
import type {RerunReader} from '../../../../explain/evidence/field-reads.ts';
import {subjectOf} from '../../../../explain/evidence/question-subject.ts';
import {runHistoryOf} from '../../../../explain/evidence/run-history.ts';
import {writerOf} from '../../../../explain/evidence/writer.ts';
import type {RecordedRun, Records} from '../../../../explain/records.ts';
import {explainWhy} from '../../../../explain/why/why.ts';
import {momentOf} from './item.ts';

const MAX_NEIGHBOURS = 200;

type Precedents = ItemDetail['precedents'];

/** One step up: the primary input, then the results of its fetches. */
function precedentsOf(
  records: Records,
  parents: readonly string[],
  inputs: readonly string[],
  run: RecordedRun | undefined,
  at?: number,
): Precedents {
  const found: Precedents = [];
  const seen = new Set<string>();
  const add = (collection: string, key: string, filter?: string): void => {
    const id = `${collection}\n${key}`;
    if (seen.has(id) || found.length >= MAX_NEIGHBOURS) return;
    seen.add(id);
    const outcome = records.row(collection, key, at)?.outcome;
    found.push({collection, key, filter, ...(outcome ? {outcome} : {})});
  };
  for (const parent of parents)
    for (const input of inputs) if (records.has(parent, input, at)) add(parent, input);
  for (const fetch of run?.fetches ?? [])
    for (const key of fetch.keys) add(fetch.collection, key, fetch.filter);
  return found;
}

/** One step down: rows computed from it, and rows whose fetches found it. */
function dependentsOf(
  records: Records,
  collection: string,
  key: string,
  at?: number,
): ItemDetail['dependents'] {
  const found: ItemDetail['dependents'] = [];
  const seen = new Set<string>();
  const add = (to: string, out: string): void => {
    const id = `${to}\n${out}`;
    if (seen.has(id) || found.length >= MAX_NEIGHBOURS) return;
    seen.add(id);
    const outcome = records.row(to, out, at)?.outcome;
    found.push({collection: to, key: out, ...(outcome ? {outcome} : {})});
  };
  for (const facts of records.collections(at)) {
    if (!facts.parents.includes(collection)) continue;
    for (const out of records.outputsOf(facts.name, key, at)) add(facts.name, out);
  }
  for (const reader of records.dependentsOf?.(collection, key) ?? []) {
    const outs = records.outputsOf(reader.collection, reader.input, at);
    for (const out of outs.length > 0 ? outs : [reader.input]) add(reader.collection, out);
  }
  return found;
}

function countEqualRuns(records: Records, collection: string, input: string | undefined): number {
  if (input === undefined) return 0;
  return records.runsOf(collection, input).filter(({outcome}) => outcome === 'equal').length;
}

export function itemDetailOf(
  records: Records,
  reader: RerunReader,
  question: {collection: string; key: string; input?: boolean | undefined; at?: number | undefined},
): ItemDetail {
  const at = momentOf(records, question.at);
  const subject = subjectOf(records, {...question, at});
  const {collection, key, facts, run} = subject;
  const exists = subject.state !== 'input' && subject.state !== 'gone';
  const change = subject.change ?? (exists ? records.lastChange(collection, key, at) : undefined);
  const inputs = subject.state === 'input' ? [key] : records.inputsOf(collection, key, at);
  const row = records.row(collection, key, at);
  const answer = explainWhy(records, reader, {...question, at});
  const writer = change?.root ? writerOf(change) : undefined;
  // Sorted, because the recording does not keep the formula's order.
  const outputs = [...new Set(inputs.flatMap(i => [...records.outputsOf(collection, i, at)]))].sort();
  return {
    sequence: at ?? records.newest(),
    collection,
    key,
    value: (exists ? records.value(collection, key, at) : undefined) ?? null,
    previous: change?.old,
    changed: change?.event === 'update' ? changedPaths(change.old, change.new).map(c => c.path) : [],
    inputs: facts.parents.length === 0 ? [] : [...inputs],
    outputs: facts.parents.length === 0 ? [] : outputs,
    dependencies: (run?.fetches ?? []).map(({collection: of, filter, matched, scanned, via}) => ({
      collection: of,
      filter,
      matched,
      scanned,
      via,
    })),
    precedents: precedentsOf(records, facts.parents, inputs, run, at),
    dependents: dependentsOf(records, collection, key, at),
    // The outcome of the last run, even where an earlier run is shown.
    outcome: row?.outcome ?? answer.outcome,
    runs: subject.input === undefined ? (row?.runs ?? 0) : records.runCount(collection, subject.input),
    ...runHistoryOf(records, collection, subject.input, {at}),
    equal: countEqualRuns(records, collection, subject.input),
    ...(writer ? {writer} : {}),
    at: Math.round(change?.at ?? run?.at ?? row?.at ?? 0),
    error: run?.error,
    waitingFor: run?.waitingFor,
    sentence: answer.sentence,
  };
}
