// Which field most likely made a formula return nothing: one that it reads, and that is unlike that of every input with
// output. A guess from comparison, and worded as one.
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {ObjectReads} from '../evidence/read-tracker.ts';
import type {RecordedRun, Records} from '../records.ts';
import {code, item, listWords, text, valueWords} from '../wording/sentence.ts';

const COMPARED = 40;
/** Two inputs that say the same may do so by chance. */
const FEWEST = 3;

/** A field that the formula reads and that is unlike that of every input with output. */
export interface LikelyField {
  readonly path: string;
  readonly value: unknown;
  /** What those have there; empty: something, each its own. */
  readonly others: unknown[];
  readonly compared: number;
}

/** Inputs of the same collection that do have output, to compare with. */
function inputsWithOutput(records: Records, collection: string, parent: string, at?: number): unknown[] {
  const found: unknown[] = [];
  let looked = 0;
  for (const key of records.keys(parent, at)) {
    if (records.outputsOf(collection, key, at).length > 0) found.push(records.value(parent, key, at));
    if (found.length >= COMPARED || ++looked > 5000) break;
  }
  return found;
}

/** Missing or empty: what a formula that goes through a list makes nothing of. */
function isMissingOrEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Compares the fields that were read with those of inputs that came out with something. */
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
  const guards: LikelyField[] = [];
  for (const path of read.paths) {
    const value = readPath(own, path);
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) continue;
    const theirs = others.map(o => readPath(o, path));
    // A name or an id differs everywhere; only a value that the others agree on, more or less, is a condition.
    const distinct = new Map(theirs.map(v => [JSON.stringify(v), v]));
    if (others.length < FEWEST || distinct.has(JSON.stringify(value))) continue;
    if (isMissingOrEmpty(value) && !theirs.some(isMissingOrEmpty))
      guards.push({path, value, others: [], compared: others.length});
    else if (distinct.size <= Math.max(1, others.length / 4))
      guards.push({path, value, others: [...distinct.values()].slice(0, 3), compared: others.length});
  }
  return guards;
}

export function likelyFieldParts(
  guards: readonly LikelyField[],
  reads: readonly ObjectReads[],
): SentencePart[] {
  const [guard] = guards;
  if (guard) {
    const said =
      guard.others.length > 0 ? `say ${listWords(guard.others.map(valueWords))}` : 'have something there';
    return [
      text(' Most likely because '),
      code(guard.path),
      text(' is '),
      code(valueWords(guard.value), 'error'),
      text(`: the ${guard.compared} inputs with output that were compared ${said}.`),
    ];
  }
  const [first, ...more] = reads.filter(read => read.paths.length > 0).slice(0, 3);
  if (!first) return [];
  // The input's own paths need no name; those of what it fetched do.
  return [
    text(` It read ${listWords(first.paths, 6)}`),
    ...more.flatMap(read => [text(`; and ${listWords(read.paths, 4)} of `), item(read)]),
    text('.'),
  ];
}
