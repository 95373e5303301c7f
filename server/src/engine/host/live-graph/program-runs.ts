// Converts a program's runs to recorded runs. Also makes runs for the inputs of a snapshot: the program tells their
// rows and fetches, but not when and why they ran.
import type {ProgramRun} from '@krtscope/shared/programs/program.ts';
import {outputsOf} from '../../../history/latest-by-key.ts';
import {markObserved} from '../../../history/observed-mark.ts';
import type {Clause, FetchRecord, Published, Run} from '../../../krt/index.ts';
import type {ProgramInputReport} from '../../link/program-batch.ts';
import type {HostHistory} from '../recording/host-history.ts';

type UidOf = (collection: string) => number;

export function toRecordingRun(reported: ProgramRun, uidOf: UidOf): Run {
  const {collection, input, outcome, start, duration, outputs, error, waitingFor} = reported;
  const counts = {added: 0, changed: 0, deleted: 0, equal: 0};
  for (const {change} of outputs) counts[change] += 1;
  const reference = (one: {collection: string; filter: string}) => ({...one, uid: uidOf(one.collection)});
  const run: Run = {
    collection,
    uid: uidOf(collection),
    input,
    // krt has no outcome "observed"; observed-mark.ts marks the run instead.
    outcome: outcome === 'observed' ? 'equal' : outcome,
    causes: reported.causes.map(cause => ({
      ...definedOf(cause),
      kind: cause.kind,
      ...(cause.collection === undefined ? {} : {uid: uidOf(cause.collection)}),
    })),
    fetches: reported.fetches.map(fetch => fetchOf(fetch, uidOf)),
    gained: reported.gained.map(reference),
    lost: reported.lost.map(reference),
    start,
    duration,
    outputs: outputs.map(output => ({...output})),
    counts,
  };
  if (error !== undefined) run.error = error;
  if (waitingFor !== undefined) run.waitingFor = waitingFor;
  return outcome === 'observed' ? markObserved(run) : run;
}

/** Runs for those inputs of a snapshot that are new, or whose rows differ from the last report. */
export function runsOfSnapshot(
  inputs: readonly ProgramInputReport[],
  {recording}: HostHistory,
  published: readonly Published[],
  uidOf: UidOf,
): Run[] {
  const changed = new Set(published.map(({collection, key}) => `${collection}\n${key}`));
  const runs: Run[] = [];
  for (const {collection, input, outputs, fetches} of inputs) {
    const last = recording.latest(collection).inputs.get(input);
    const recordedKeys = last === undefined ? undefined : new Set(outputsOf(last));
    const same =
      recordedKeys?.size === outputs.length &&
      outputs.every(key => recordedKeys.has(key) && !changed.has(`${collection}\n${key}`));
    if (same) continue;
    const change = (key: string) => (recordedKeys?.has(key) ? ('changed' as const) : ('added' as const));
    const own = outputs.map(key => ({key, change: change(key)}));
    runs.push(
      markObserved({
        collection,
        uid: uidOf(collection),
        input,
        outcome: outputs.length === 0 ? 'empty' : 'added',
        causes: [],
        fetches: fetches.map(fetch => fetchOf(fetch, uidOf)),
        gained: [],
        lost: [],
        start: 0,
        duration: 0,
        outputs: own,
        counts: {
          added: own.filter(one => one.change === 'added').length,
          changed: own.filter(one => one.change === 'changed').length,
          deleted: 0,
          equal: 0,
        },
      }),
    );
  }
  return runs;
}

function fetchOf(fetch: ProgramRun['fetches'][number], uidOf: UidOf): FetchRecord {
  const {collection, filter, clauses, matched, scanned, via, keys} = fetch;
  return {
    collection,
    uid: uidOf(collection),
    filter,
    clauses: (clauses ?? [{kind: 'generic', text: filter}]).map(clauseOf),
    matched,
    scanned,
    via: {...via} as FetchRecord['via'],
    keys,
  };
}

/** A clause that the engine does not know becomes plain text, so that readers of clauses do not fail. */
function clauseOf(clause: {kind: string; text: string; [field: string]: unknown}): Clause {
  const {kind, text, keys, namespace, labels, nonEmpty, index, value, name} = clause;
  const isText = (one: unknown): one is string => typeof one === 'string';
  if (kind === 'all') return {kind, text};
  if (kind === 'keys' && Array.isArray(keys) && keys.every(isText)) return {kind, text, keys};
  if (kind === 'namespace' && isText(namespace)) return {kind, text, namespace};
  if (kind === 'index' && isText(index) && isText(value)) return {kind, text, index, value};
  if ((kind === 'labels' || kind === 'selects') && isLabels(labels))
    return kind === 'labels' ? {kind, text, labels} : {kind, text, labels, nonEmpty: nonEmpty === true};
  return {kind: 'generic', text, name: isText(name) ? name : text};
}

function isLabels(labels: unknown): labels is Record<string, string> {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return false;
  return Object.values(labels).every(value => typeof value === 'string');
}

function definedOf<T extends object>(one: T): {[K in keyof T]: Exclude<T[K], undefined>} {
  return Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as never;
}
