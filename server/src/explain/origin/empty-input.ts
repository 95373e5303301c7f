// Starts the walk of an origin at an input without a row: at the run that gave nothing, a failure, or a missing object.
import type {RecordedRun} from '../records.ts';
import {findDecisiveCauses} from '../why/decisive-causes.ts';
import {findDecisivePaths} from '../why/decisive-paths.ts';
import {blockerOf} from '../why/why-words.ts';
import {noWriteParts, type OriginSubject, unknownNameParts} from '../wording/origin-sentence.ts';
import {
  absentParts,
  absentStepParts,
  failedParts,
  failedStepParts,
  waitingStepParts,
} from '../wording/origin-step-sentence.ts';
import {firstLine} from '../wording/value-words.ts';
import {lastReadInputChange} from './next-change.ts';
import {stepEvidenceOf} from './origin-step.ts';
import type {OriginWalk} from './origin-walk.ts';

/** Failures in a row that are followed back. */
const FAILURES = 1000;

/** Starts at the run that took the rows away, else at the last one, which found nothing. */
export function walkFromInput(walk: OriginWalk, collection: string, key: string, at: number): void {
  const about: OriginSubject = {collection, key};
  const decisive = walk.records.tellingRun(collection, key, undefined, at);
  const last = walk.records.hasInput(collection, key, at)
    ? walk.records.lastRun(collection, key, at)
    : undefined;
  if (!last) {
    walkFromAbsent(walk, about, at);
    return;
  }
  if (last.outcome === 'suspended') walkFromSuspended(walk, about, last);
  else if (last.outcome === 'failed') walkFromFailure(walk, about, last);
  else {
    const run =
      decisive?.run.outcome === 'deleted' || decisive?.run.outcome === 'changed' ? decisive.run : last;
    const next = walk.run(about, run, {kind: 'input'}, undefined);
    if (next) walk.follow(next);
  }
}

function walkFromSuspended(walk: OriginWalk, about: OriginSubject, run: RecordedRun): void {
  const waits = run.waitingFor ?? 'a collection';
  const parts = waitingStepParts(about, run.waitingFor, blockerOf(walk.records, run, walk.at));
  const evidence = stepEvidenceOf(run, {outcome: run.outcome, waitingFor: waits});
  walk.push(about, 'suspended', parts, parts, evidence, run.id);
  walk.endParts = noWriteParts;
}

function walkFromFailure(walk: OriginWalk, about: OriginSubject, last: RecordedRun): void {
  const run = firstFailure(walk, about, last);
  walk.lastStep = {run, target: {kind: 'input'}};
  const error = firstLine(run.error ?? 'no message');
  const {faith, causes, followed} = findDecisiveCauses(walk.reader, run, {kind: 'input'});
  const hasRows = walk.records.outputsOf(about.collection, about.key, walk.at).length > 0;
  const parts = failedStepParts(about, {error, hasRows, after: followed?.change});
  const evidence = stepEvidenceOf(run, {outcome: run.outcome, error, faith, weighed: causes, followed});
  walk.push(about, 'failed', parts, failedParts(about, error), evidence, run.id);
  const change = followed?.change;
  if (!change) {
    // A formula that fails from its first run on does not fail because of its input.
    const next = run.causes[0]?.kind === 'formula' ? undefined : lastReadInputChange(walk.reader, run);
    if (next) walk.follow(next);
    else walk.endAtWakeUp(run);
    return;
  }
  const {needed} = findDecisivePaths(walk.reader, run, change, {kind: 'input'});
  walk.follow({change, field: needed?.path});
}

/** The first failure: writes since then are not its cause. */
function firstFailure(walk: OriginWalk, {collection, key}: OriginSubject, last: RecordedRun): RecordedRun {
  let first = last;
  for (let count = 0; count < FAILURES; count++) {
    const before = walk.records.lastRun(collection, key, first.sequence - 1);
    if (before?.outcome !== 'failed' || before.error !== last.error) break;
    first = before;
  }
  return first;
}

/** There is no input of that key, because the object that it would be computed from does not exist. */
function walkFromAbsent(walk: OriginWalk, about: OriginSubject, at: number): void {
  const {records} = walk;
  const facts = records.collection(about.collection, at);
  for (const parent of facts?.parents ?? []) {
    const gone = records.lastChange(parent, about.key, at);
    if (gone?.event === 'delete') {
      const parts = absentStepParts(about, gone, true);
      walk.push(about, 'absent', parts, absentParts(about), stepEvidenceOf(gone, {}));
      walk.follow({change: gone, field: undefined});
      return;
    }
    if (!records.hasInput(parent, about.key, at) && records.collection(parent, at)?.parents.length === 0)
      continue;
    const sequence = Math.max(records.oldest(), at);
    const moment = {sequence, at: records.timeOf(sequence)};
    const parts = absentStepParts(about, {collection: parent, key: about.key}, false);
    walk.push(about, 'absent', parts, absentParts(about), stepEvidenceOf(moment, {}));
    walkFromInput(walk, parent, about.key, at);
    return;
  }
  walk.endParts = unknownNameParts(about);
}
