// Probable causes of a change that only two documents of an attached program show: rows that it depends on and that
// changed between the same documents, nearest first.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import type {RecordedBatch, RecordedChange, Records} from '../records.ts';

const MAX_CAUSES = 20;
const MAX_VISITED = 500;
/** Runs of a batch that are looked at to tell whether it is the difference of two documents. */
const MAX_SAMPLED_RUNS = 50;

export function findProbableCauses(records: Records, change: RecordedChange): ItemRef[] {
  const batch = records.batch(change.sequence);
  if (batch === undefined || !isDocumentInterval(batch)) return [];
  const causes: ItemRef[] = [];
  const seen = new Set([idOf(change)]);
  const queue: ItemRef[] = [change];
  for (let ref = queue.shift(); ref !== undefined && seen.size < MAX_VISITED; ref = queue.shift())
    for (const above of changedAbove(records, batch, ref)) {
      if (seen.has(idOf(above))) continue;
      seen.add(idOf(above));
      queue.push(above);
      if (causes.length < MAX_CAUSES) causes.push({collection: above.collection, key: above.key});
    }
  return causes;
}

/** A document names no filters, so its runs are known by the text that stands for one. The first document has no changes with runs. */
function isDocumentInterval(batch: RecordedBatch): boolean {
  if (batch.changeCount === 0) return false;
  for (let at = 0; at < Math.min(batch.runCount, MAX_SAMPLED_RUNS); at++)
    if (batch.run(at).fetches.some(({filter}) => filter === UNKNOWN_FILTER_TEXT)) return true;
  return false;
}

/** Changed rows of the collections that a row is computed from: its input first, then what the input fetches. */
function changedAbove(records: Records, batch: RecordedBatch, {collection, key}: ItemRef): ItemRef[] {
  const at = batch.sequence;
  const inputs = inputsOf(records, collection, key, at);
  const above: ItemRef[] = [];
  for (const parent of records.collection(collection, at)?.parents ?? []) {
    const changed = new Set(batch.changedKeys(parent));
    for (const input of new Set([...inputs, key]))
      if (changed.has(input)) above.push({collection: parent, key: input});
  }
  const fetched = inputs.flatMap(input => records.lastRun(collection, input, at)?.fetches ?? []);
  for (const name of new Set(fetched.map(fetch => fetch.collection)))
    for (const changed of nearestKeys([key, ...inputs], batch.changedKeys(name)))
      above.push({collection: name, key: changed});
  return above;
}

/** A deleted row had its inputs before. */
function inputsOf(records: Records, collection: string, key: string, at: number): readonly string[] {
  const now = records.inputsOf(collection, key, at);
  if (now.length > 0 || at - 1 < records.oldest()) return now;
  return records.inputsOf(collection, key, at - 1);
}

/** Keys that share most segments come first. */
function nearestKeys(own: readonly string[], keys: Iterable<string>): string[] {
  const segments = new Set(own.flatMap(key => key.split('/')));
  const shared = (key: string) => key.split('/').filter(segment => segments.has(segment)).length;
  return [...keys]
    .map(key => ({key, count: shared(key)}))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_CAUSES)
    .map(({key}) => key);
}

function idOf({collection, key}: ItemRef): string {
  return `${collection}\n${key}`;
}
