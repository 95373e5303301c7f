// Where the walk of an origin begins at an input without a row: the run that left it at nothing, a failure, or what is not
// there itself.
import type {SentencePart} from '@krtscope/shared/why.ts';
import type {RecordedRun} from '../records.ts';
import {findDecisiveCauses, findDecisivePaths} from '../why/decisive-causes.ts';
import {type OriginSubject, stepEvidenceOf, suspendedParts} from '../wording/origin-sentence.ts';
import {code, firstLine, item, text} from '../wording/sentence.ts';
import {lastReadInputChange} from './next-change.ts';
import type {OriginWalk} from './origin-walk.ts';

/** Failures in a row that are looked back over. */
const FAILURES = 1000;

/** An input without a row: the run that took its rows away, else the last one, which found nothing. */
export function walkFromInput(walk: OriginWalk, collection: string, key: string, at: number): void {
  const about: OriginSubject = {collection, key};
  const told = walk.records.tellingRun(collection, key, undefined, at);
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
    const run = told?.run.outcome === 'deleted' || told?.run.outcome === 'changed' ? told.run : last;
    const next = walk.run(about, run, {kind: 'input'}, undefined);
    if (next) walk.follow(next);
  }
}

function walkFromSuspended(walk: OriginWalk, about: OriginSubject, run: RecordedRun): void {
  const waits = run.waitingFor ?? 'a collection';
  const parts = suspendedParts(walk.records, about, run, walk.at);
  const evidence = stepEvidenceOf(run, {outcome: run.outcome, waitingFor: waits});
  walk.push(about, 'suspended', parts, parts, evidence, run.id);
  walk.endParts = [text('No write made it so')];
}

function walkFromFailure(walk: OriginWalk, about: OriginSubject, last: RecordedRun): void {
  const run = firstFailure(walk, about, last);
  const error = firstLine(run.error ?? 'no message');
  const {faith, causes, followed} = findDecisiveCauses(walk.reader, run, {kind: 'input'});
  const left = walk.records.outputsOf(about.collection, about.key, walk.at).length;
  const parts: SentencePart[] = [
    item(about),
    text(`${left > 0 ? ' keeps the rows of its last good run' : ' has no row'} because its run failed with `),
    code(error, 'error'),
    ...(followed?.change ? [text(' after '), item(followed.change, 'cause'), text(' changed')] : []),
  ];
  const evidence = stepEvidenceOf(run, {outcome: run.outcome, error, faith, weighed: causes, followed});
  walk.push(
    about,
    'failed',
    parts,
    [item(about), text(' failed with '), code(error, 'error')],
    evidence,
    run.id,
  );
  const change = followed?.change;
  if (!change) {
    // A formula that fails from its first run on is no fault of what it was given.
    const next = run.causes[0]?.kind === 'formula' ? undefined : lastReadInputChange(walk.reader, run);
    if (next) walk.follow(next);
    else walk.endAtWakeUp(run);
    return;
  }
  const {needed} = findDecisivePaths(walk.reader, run, change, {kind: 'input'});
  walk.follow({change, field: needed?.path});
}

/** Where the failure began: writes since then found it failing and are not its cause. */
function firstFailure(walk: OriginWalk, {collection, key}: OriginSubject, last: RecordedRun): RecordedRun {
  let first = last;
  for (let count = 0; count < FAILURES; count++) {
    const before = walk.records.lastRun(collection, key, first.sequence - 1);
    if (before?.outcome !== 'failed' || before.error !== last.error) break;
    first = before;
  }
  return first;
}

/** No input of that key: what it would be made from is not there itself. */
function walkFromAbsent(walk: OriginWalk, about: OriginSubject, at: number): void {
  const {records} = walk;
  const facts = records.collection(about.collection, at);
  const parts: SentencePart[] = [item(about), text(' is no input: ')];
  for (const parent of facts?.parents ?? []) {
    const gone = records.lastChange(parent, about.key, at);
    if (gone?.event === 'delete') {
      walk.push(
        about,
        'absent',
        [...parts, item(gone, 'cause'), text(' was deleted')],
        [item(about), text(' is not there')],
        stepEvidenceOf(gone, {}),
      );
      walk.follow({change: gone, field: undefined});
      return;
    }
    if (!records.hasInput(parent, about.key, at) && records.collection(parent, at)?.parents.length === 0)
      continue;
    const sequence = Math.max(records.oldest(), at);
    const moment = {sequence, at: records.timeOf(sequence)};
    walk.push(
      about,
      'absent',
      [...parts, item({collection: parent, key: about.key}, 'cause'), text(' is not there')],
      [item(about), text(' is not there')],
      stepEvidenceOf(moment, {}),
    );
    walkFromInput(walk, parent, about.key, at);
    return;
  }
  walk.endParts = [text('Nothing of that name is in the recording')];
}
