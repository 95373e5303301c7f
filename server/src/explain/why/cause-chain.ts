// Follows the recorded causes of a run or a change, hop by hop, back to the write in the cluster.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RunCause} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Hop, PathChange} from '@krtscope/shared/why.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsAt, parentAt} from '../evidence/graph-at.ts';
import {writerOf} from '../evidence/writer.ts';
import type {RecordedBatch, RecordedCause, RecordedChange, RecordedRun, Records} from '../records.ts';
import {type DecisiveCauses, findDecisiveCauses} from './decisive-causes.ts';
import {type DecisiveParts, findDecisiveParts} from './decisive-parts.ts';
import {findDecisivePaths} from './decisive-paths.ts';
import type {ExplainTarget, TargetContext} from './explain-target.ts';
import {relevanceBelowRun, relevanceBelowView} from './relevance.ts';

const HOPS = 64;

export function toWireCause(cause: RecordedCause): RunCause {
  const {published: _published, ...wire} = cause;
  return wire;
}

function resourceVersionsOf(change: RecordedChange): Hop['resourceVersion'] {
  const version = (value: unknown): string | undefined => {
    const found = (value as {metadata?: {resourceVersion?: unknown}} | undefined)?.metadata?.resourceVersion;
    return typeof found === 'string' ? found : undefined;
  };
  const old = version(change.old);
  const now = version(change.new);
  if (old === undefined && now === undefined) return undefined;
  return {...(old !== undefined ? {old} : {}), ...(now !== undefined ? {new: now} : {})};
}

function changedPathsOf(change: RecordedChange): PathChange[] {
  return change.event === 'update' ? changedPaths(change.old, change.new) : [];
}

/** The place of a hop's change in its batch. It is not on the wire, and a search would visit 40,000 changes. */
const places = new WeakMap<Hop, number>();

export function placeOfHop(hop: Hop): number | undefined {
  return places.get(hop);
}

/** `cause`: how the hop above depends on this change. */
export function changeHop(
  change: RecordedChange,
  cause?: RunCause,
  run?: RecordedRun,
  changes: readonly PathChange[] = changedPathsOf(change),
): Hop {
  const writer = change.root ? writerOf(change) : undefined;
  const versions = resourceVersionsOf(change);
  const hop: Hop = {
    kind: change.root ? 'write' : change.run === undefined ? 'change' : 'run',
    collection: change.collection,
    key: change.key,
    sequence: change.sequence,
    at: Math.round(change.at),
    event: change.event,
    ...(run ? {outcome: run.outcome, start: run.start, duration: run.duration} : {}),
    ...(change.run !== undefined ? {run: change.run} : {}),
    ...(cause ? {cause} : {}),
    changes: [...changes],
    ...(change.old !== undefined ? {before: change.old} : {}),
    ...(change.new !== undefined ? {after: change.new} : {}),
    ...(writer ? {writer} : {}),
    ...(versions ? {resourceVersion: versions} : {}),
  };
  if (change.place !== undefined) places.set(hop, change.place);
  return hop;
}

/** What a run did to one of its outputs: it may change one row and leave another. */
export function outcomeOfOutput(run: RecordedRun, key: string): RunOutcome {
  const output = run.outcome === 'changed' ? run.outputs.find(o => o.key === key) : undefined;
  return output?.change ?? run.outcome;
}

/** The first hop: the run, with the change of the asked output if there is one. */
export function runHop(records: Records, run: RecordedRun, key: string): Hop {
  const change = outputChange(records, run, key);
  const outcome = outcomeOfOutput(run, key);
  if (change) return {...changeHop(change, undefined, run), kind: 'run', run: run.id, outcome};
  return {
    kind: 'run',
    collection: run.collection,
    key,
    sequence: run.sequence,
    at: Math.round(run.at),
    outcome,
    run: run.id,
    changes: [],
    start: run.start,
    duration: run.duration,
  };
}

/** The change that a run announced for one of its outputs. */
function outputChange(records: Records, run: RecordedRun, key: string): RecordedChange | undefined {
  const output = run.outputs.find(o => o.key === key);
  if (!output || output.change === 'equal') return undefined;
  const at = run.sequence < records.oldest() ? undefined : run.sequence;
  const last = records.lastChange(run.collection, key, at);
  return last && last.sequence === run.sequence ? last : undefined;
}

/** The change behind a cause: from its batch, or from the history of the item where the batch has rolled off. */
function changeOf(
  records: Records,
  batch: RecordedBatch | undefined,
  run: RecordedRun,
  cause: RecordedCause,
): RecordedChange | undefined {
  if (batch && cause.published !== undefined) return batch.change(cause.published);
  if (cause.collection === undefined || cause.key === undefined || run.sequence < records.oldest())
    return undefined;
  const last = records.lastChange(cause.collection, cause.key, run.sequence);
  // The result of a slow formula comes in a later batch than the change that woke it.
  return batch !== undefined || last?.sequence === run.sequence ? last : undefined;
}

/** A cause whose batch has rolled off has no values before and after. */
function hopWithoutValues(records: Records, run: RecordedRun, cause: RecordedCause): Hop {
  const source =
    cause.collection !== undefined && factsAt(records, cause.collection, run.sequence)?.parents.length === 0;
  return {
    kind: cause.run !== undefined ? 'run' : source && cause.key !== undefined ? 'write' : 'change',
    collection: cause.collection ?? run.collection,
    key: cause.key ?? '',
    sequence: run.sequence,
    at: Math.round(run.at),
    ...(cause.event ? {event: cause.event} : {}),
    ...(cause.run !== undefined ? {run: cause.run} : {}),
    cause: toWireCause(cause),
    changes: [],
  };
}

/** A sync or a new formula started the run: that event, then the input as it was. */
function hopsWithoutChange(records: Records, run: RecordedRun, cause: RecordedCause): Hop[] {
  const moment = run.sequence < records.oldest() ? undefined : run.sequence;
  const collection = cause.collection ?? run.collection;
  const size = records.size(collection, moment);
  const text =
    cause.kind === 'synced'
      ? `${collection} synced, ${size} ${size === 1 ? 'object' : 'objects'}`
      : `the formula of ${run.collection} was set`;
  const hop: Hop = {
    kind: 'change',
    collection,
    key: '',
    sequence: run.sequence,
    at: Math.round(run.at),
    cause: toWireCause(cause),
    changes: [],
    text,
  };
  const parent = parentAt(records, run.collection, run.sequence);
  const change = parent === undefined ? undefined : records.lastChange(parent, run.input, moment);
  if (!change || change.sequence > run.sequence) return [hop];
  const input: RunCause = {
    kind: 'input',
    collection: change.collection,
    key: change.key,
    event: change.event,
  };
  return [hop, changeHop(change, input)];
}

/** The target one hop further down: the decisive path, or the whole row. */
function targetBelow(
  change: RecordedChange,
  needed: PathChange | undefined,
  context: TargetContext,
): ExplainTarget {
  const {key} = change;
  return needed === undefined || needed.path === '' || change.event !== 'update'
    ? {kind: 'row', key, ...context}
    : {kind: 'field', key, path: needed.path, ...context};
}

/** The hops below a run: the decisive cause, the decisive cause of its run, and so on down to the write. */
export function causeChainOfRun(reader: RerunReader, run: RecordedRun, target: ExplainTarget): Hop[] {
  const {records} = reader;
  const hops: Hop[] = [];
  let at: RecordedRun | undefined = run;
  let asked = target;
  while (at && hops.length < HOPS) {
    const {followed, causes, write}: DecisiveCauses = findDecisiveCauses(reader, at, asked);
    // A run without effect still has a cause.
    const {cause} = followed ?? causes[0] ?? {};
    if (!cause) break;
    if (cause.kind === 'synced' || cause.kind === 'formula') {
      const standing: Hop[] = hopsWithoutChange(records, at, cause);
      hops.push(...standing);
      // A run of an earlier batch may have made the input.
      const below: string | undefined = standing[1]?.run;
      at = below === undefined ? undefined : records.runById(below);
      asked = {kind: 'row', key: standing[1]?.key ?? ''};
      continue;
    }
    const change = changeOf(records, records.batch(at.sequence), at, cause);
    if (!change) {
      hops.push(hopWithoutValues(records, at, cause));
      break;
    }
    const below: RecordedRun | undefined = change.run === undefined ? undefined : records.runById(change.run);
    const {changes, needed} = findDecisivePaths(reader, at, change, asked);
    const matters = relevanceBelowRun(reader, at, asked, change);
    asked = targetBelow(change, needed, {matters, write});
    hops.push(changeHop(change, toWireCause(cause), below, changes));
    if (!below) hops.push(...causeChainOfChange(reader, change, asked, HOPS - hops.length));
    at = below;
  }
  return hops;
}

/** The part that a new join or index took in. The part is from an earlier batch. */
function partTakenAtStart(records: Records, change: RecordedChange): RecordedChange | undefined {
  const {collection, key, sequence} = change;
  const facts = factsAt(records, collection, sequence);
  if (change.root || change.event !== 'add' || !facts || sequence < records.oldest()) return undefined;
  const part = facts.kind === 'index' ? records.inputsOf(collection, key, sequence)[0] : key;
  if (part === undefined) return undefined;
  const parent = facts.parents.find(p => records.has(p, part, sequence));
  return parent === undefined ? undefined : records.lastChange(parent, part, sequence);
}

/** The run that wrote a status row. The row commits with the outputs of that run and has no cause of its own. */
export function runOfStatusRow(records: Records, change: RecordedChange): RecordedRun | undefined {
  const facts = factsAt(records, change.collection, change.sequence);
  const [parent] = facts?.kind === 'status' ? facts.parents : [];
  if (parent === undefined || change.sequence < records.oldest()) return undefined;
  const run = records.lastRun(parent, change.key, change.sequence);
  return run?.sequence === change.sequence ? run : undefined;
}

/** The input whose deletion removed a status row. */
function removedInput(records: Records, change: RecordedChange): RecordedChange | undefined {
  const facts = factsAt(records, change.collection, change.sequence);
  if (facts?.kind !== 'status' || change.event !== 'delete' || change.sequence < records.oldest())
    return undefined;
  const inputs = factsAt(records, facts.parents[0] ?? '', change.sequence)?.parents ?? [];
  return inputs
    .map(input => records.lastChange(input, change.key, change.sequence))
    .find(c => c?.sequence === change.sequence && c.event === 'delete');
}

/** The hops below a change without a run (a join, an index, a removal). */
export function causeChainOfChange(
  reader: RerunReader,
  change: RecordedChange,
  target: ExplainTarget = {kind: 'row', key: change.key},
  most = HOPS,
): Hop[] {
  const {records} = reader;
  const hops: Hop[] = [];
  const batch = records.batch(change.sequence);
  let at: RecordedChange | undefined = change;
  let asked = target;
  while (batch && at && hops.length < most) {
    if (at.run !== undefined) {
      const run = records.runById(at.run);
      if (run) hops.push(...causeChainOfRun(reader, run, asked).slice(0, most - hops.length));
      break;
    }
    const wrote: RecordedRun | undefined = runOfStatusRow(records, at);
    if (wrote) {
      const own: ExplainTarget =
        asked.kind === 'field' ? {kind: 'status', path: asked.path} : {kind: 'status'};
      hops.push(runHop(records, wrote, at.key), ...causeChainOfRun(reader, wrote, own));
      break;
    }
    const parts: DecisiveParts | undefined =
      at.from === undefined ? undefined : findDecisiveParts(reader, at, asked);
    const next: RecordedChange | undefined =
      parts?.followed?.change ?? removedInput(records, at) ?? partTakenAtStart(records, at);
    if (next === undefined) break;
    const run = next.run === undefined ? undefined : records.runById(next.run);
    const cause: RunCause = {kind: 'input', collection: next.collection, key: next.key, event: next.event};
    hops.push(changeHop(next, cause, run));
    const matters = relevanceBelowView(reader, at, asked, next);
    asked = {...partTarget(records, at, next, asked), matters, write: parts?.write};
    at = next;
  }
  return hops;
}

/** A part of a join has the same paths as its row. An index row does not. */
function partTarget(
  records: Records,
  at: RecordedChange,
  part: RecordedChange,
  asked: ExplainTarget,
): Extract<ExplainTarget, {kind: 'row' | 'field'}> {
  const own = {kind: 'row', key: part.key} as const;
  if (asked.kind !== 'field' || factsAt(records, at.collection, at.sequence)?.kind === 'index') return own;
  const differs = !deepEqual(readPath(part.old, asked.path), readPath(part.new, asked.path));
  return part.event === 'update' && differs ? {kind: 'field', key: part.key, path: asked.path} : own;
}
