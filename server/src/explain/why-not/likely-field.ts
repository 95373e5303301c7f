// Guesses which field made a formula return nothing: one that it reads and that differs from every input with output.
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {ObjectReads} from '../evidence/read-tracker.ts';
import type {RecordedRun, Records} from '../records.ts';
import {type LikelyFieldWords, likelyFieldParts, readPathsParts} from '../wording/empty-sentence.ts';

const MAX_COMPARED = 40;
const MAX_INPUTS = 5000;
/** Two inputs may have the same value by chance. */
const MIN_COMPARED = 3;
/** Objects whose read paths a sentence lists. */
const MAX_READS = 3;

/** `others`: what the compared inputs have there; empty where each has another value. */
export type LikelyField = LikelyFieldWords;

/** Inputs to compare with. */
function inputsWithOutput(records: Records, collection: string, parent: string, at?: number): unknown[] {
  const found: unknown[] = [];
  let looked = 0;
  for (const key of records.keys(parent, at)) {
    if (records.outputsOf(collection, key, at).length > 0) found.push(records.value(parent, key, at));
    if (found.length >= MAX_COMPARED || ++looked > MAX_INPUTS) break;
  }
  return found;
}

/** A formula that goes through a list returns nothing for such a value. */
function isMissingOrEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function findLikelyFields(
  records: Records,
  reader: RerunReader,
  run: RecordedRun | undefined,
  at?: number,
): LikelyField[] {
  if (!run) return [];
  const {collection, input} = run;
  const parent = records.collection(collection, at)?.parents[0];
  if (parent === undefined) return [];
  const read = reader.rerun(run).reads.find(r => r.collection === parent && r.key === input);
  if (!read) return [];
  const own = records.value(parent, input, at);
  const others = inputsWithOutput(records, collection, parent, at);
  const fields: LikelyField[] = [];
  for (const path of read.paths) {
    const value = readPath(own, path);
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) continue;
    const theirs = others.map(o => readPath(o, path));
    // A name or an id differs everywhere: only a value that most others share can be a condition.
    const distinct = new Map(theirs.map(v => [JSON.stringify(v), v]));
    if (others.length < MIN_COMPARED || distinct.has(JSON.stringify(value))) continue;
    if (isMissingOrEmpty(value) && !theirs.some(isMissingOrEmpty))
      fields.push({path, value, others: [], compared: others.length});
    else if (distinct.size <= Math.max(1, others.length / 4))
      fields.push({path, value, others: [...distinct.values()].slice(0, 3), compared: others.length});
  }
  return fields;
}

/** The likeliest field, else what the run read. */
export function guessParts({
  likelyFields,
  reads,
}: {
  readonly likelyFields: readonly LikelyField[];
  readonly reads: readonly ObjectReads[];
}): SentencePart[] {
  const [field] = likelyFields;
  if (field) return likelyFieldParts(field);
  return readPathsParts(reads.filter(read => read.paths.length > 0).slice(0, MAX_READS));
}
