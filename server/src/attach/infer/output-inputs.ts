// Decides which input of a collection gave the outputs that the log names. The log names outputs without inputs.
import type {LogBatch, LogFetch, OutputChange} from '../log/run-assembler.ts';
import {isPartOf, sharedSegments} from './key-segments.ts';
import type {KrtzStructure} from './krtz-structure.ts';

/** One run with its outputs. A run without fetches is known by its outputs only. */
export interface AttributedRun {
  input: string;
  fetches: LogFetch[];
  outputs: {key: string; change: OutputChange}[];
  /** The line of its last fetch or output. */
  line: number;
  /** Milliseconds since 1970. */
  start: number;
  duration: number;
}

/** `documents` are the newest first: a deleted row is only in the previous one. */
export function attributeOutputs(
  batch: LogBatch,
  collection: string,
  documents: readonly KrtzStructure[],
): AttributedRun[] {
  const runs = batch.runs.map(
    (run): AttributedRun => ({
      input: run.input,
      fetches: run.fetches,
      outputs: [],
      line: run.last,
      start: run.start,
      duration: Math.max(0, run.end - run.start),
    }),
  );
  const ran = [...runs];
  const [newest] = documents;
  for (const {key, change, line} of batch.outputs) {
    // A removed input has no run. Its deletes must not go to a run of another input that changed nothing.
    const makers =
      change === 'deleted' ? ran.filter(run => mayHaveMade(run, key, collection, documents)) : ran;
    const input = inputOf(key, makers, collection, documents);
    const isRemoved = change === 'deleted' && newest !== undefined && !newest.hasInput(collection, input);
    let run = runs.findLast(one => one.input === input && (!isRemoved || one.fetches.length === 0));
    if (run === undefined) {
      run = {input, fetches: [], outputs: [], line, start: batch.time, duration: 0};
      runs.push(run);
    }
    run.outputs.push({key, change});
    run.line = Math.max(run.line, line);
  }
  return runs;
}

/** Whether a document says that the input had this output, or the key of the output has all of the input's. */
function mayHaveMade(
  {input}: AttributedRun,
  key: string,
  collection: string,
  documents: readonly KrtzStructure[],
): boolean {
  const known = documents.flatMap(document => document.inputsOf(collection, key));
  return known.length > 0 ? known.includes(input) : input === '' || isPartOf(input, key);
}

function inputOf(
  key: string,
  runs: readonly AttributedRun[],
  collection: string,
  documents: readonly KrtzStructure[],
): string {
  const known = documents.flatMap(document => document.inputsOf(collection, key));
  const ran = known.find(input => runs.some(run => run.input === input));
  if (ran !== undefined) return ran;
  const inputs = new Set(runs.map(run => run.input));
  if (known.length === 0 || inputs.size > 0) {
    const [only] = inputs;
    if (inputs.size === 1 && only !== undefined && known.length === 0) return only;
    const near = nearestKey(key, inputs);
    if (near !== undefined && known.length === 0) return near;
  }
  return known[0] ?? guessInput(key, collection, documents);
}

/** A row of the parent that shares most of its key; without one the key itself. */
function guessInput(key: string, collection: string, documents: readonly KrtzStructure[]): string {
  for (const document of documents) {
    const parent = document.parentOf(collection);
    if (parent === undefined) continue;
    const rows = document.rows(parent);
    if (rows.has(key)) return key;
    const near = nearestKey(key, rows.keys());
    if (near !== undefined) return near;
  }
  return key;
}

function nearestKey(key: string, keys: Iterable<string>): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const other of keys) {
    const isPart = other !== '' && (key === other || key.includes(`/${other}`) || key.includes(`${other}/`));
    const shared = isPart
      ? 100 + other.length
      : sharedSegments(key, other) > 1
        ? sharedSegments(key, other)
        : 0;
    if (shared > most) {
      most = shared;
      best = other;
    }
  }
  return best;
}
