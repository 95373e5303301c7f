// A recorded fetch as a lookup: what it asked for, and the object whose formula asked.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RecordedFetch, RecordedRun, Records} from '../records.ts';
import type {Lookup} from '../wording/lookup-sentence.ts';
import {selectorOf} from './filter-evaluation.ts';
import {parentAt} from './graph-at.ts';

/** The object that a run computes from, else its row. Sentences name the Pod and not the row made of it. */
function askingObject(records: Records, run: RecordedRun, row: ItemRef): ItemRef {
  const parent = parentAt(records, run.collection, run.sequence);
  const isSource = parent !== undefined && records.collection(parent)?.parents.length === 0;
  return isSource ? {collection: parent, key: run.input} : row;
}

/** Whether the labels of a fetch are the selector of the object that asks. */
function isOwnSelector(records: Records, run: RecordedRun, fetch: RecordedFetch, at?: number): boolean {
  const labels = fetch.clauses.find(clause => clause.kind === 'labels');
  const parent = parentAt(records, run.collection, run.sequence);
  if (labels?.kind !== 'labels' || parent === undefined) return false;
  const selector = selectorOf(records.value(parent, run.input, at));
  const names = Object.keys(labels.labels);
  return names.length > 0 && names.every(name => selector[name] === labels.labels[name]);
}

export function lookupOf(
  records: Records,
  run: RecordedRun,
  fetch: RecordedFetch,
  row: ItemRef,
  at?: number,
): Lookup {
  const {collection, filter, clauses} = fetch;
  const by = askingObject(records, run, row);
  return {collection, filter, clauses, by, row, isSelector: isOwnSelector(records, run, fetch, at)};
}
