// The walk of an origin: upstream along what made the difference, until it stands at a write from outside.

import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Origin, OriginWrite, StepEvidence, StepKind} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import {writerOf} from '../evidence/writer.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';
import {runOfStatusRow} from '../why/cause-chain.ts';
import {
  type ExplainTarget,
  findDecisiveCauses,
  findDecisivePaths,
  isEmptyValue,
  targetValue,
} from '../why/decisive-causes.ts';
import {findDecisiveParts} from '../why/decisive-parts.ts';
import {relevanceBelowRun, relevanceBelowView} from '../why/relevance.ts';
import {unexplainedParts} from '../why/unexplained-change.ts';
import {
  emptyValueParts,
  type OriginSubject,
  rowChangeParts,
  stepEvidenceOf,
  stepOf,
  targetOf,
  toWrite,
  writeParts,
} from '../wording/origin-sentence.ts';
import {
  causedParts,
  emptyParts,
  missedParts,
  noChangeParts,
  viewParts,
  wakeUpParts,
} from '../wording/origin-step.ts';
import {fetchWords, rankChanges, text} from '../wording/sentence.ts';
import {missedObjectParts} from './missed-object.ts';
import {
  changeThatEndedMatch,
  decisiveFetchedChange,
  emptyInputPath,
  findMissedFetch,
  fixCommandFor,
  lastReadInputChange,
  missedObjectEvidence,
  type NextChange,
  objectLostBy,
  partOfViewRow,
} from './next-change.ts';

const STEPS = 64;

export class OriginWalk {
  readonly reader: RerunReader;
  readonly records: Records;
  readonly steps: Origin['steps'] = [];
  /** What each step adds to the sentence, from what was asked about downwards. */
  readonly pieces: SentencePart[][] = [];
  write: OriginWrite | null = null;
  endParts: SentencePart[] = [];
  fix: string | undefined;
  /** The moment that is asked about. */
  readonly at: number;

  constructor(reader: RerunReader, at: number) {
    this.at = at;
    this.reader = reader;
    this.records = reader.records;
  }

  /** From a change on, down to a write. */
  follow(start: NextChange): void {
    let next: NextChange | undefined = start;
    for (let count = 0; next && count < STEPS; count++) {
      if (next.change.sequence < this.records.oldest()) {
        this.endBeforeRecording();
        return;
      }
      if (next.change.observed) {
        this.endParts = unexplainedParts(next.change, next.change);
        return;
      }
      if (next.change.root) {
        this.#end(next);
        return;
      }
      next = this.#below(next);
    }
  }

  #end({change, field}: NextChange): void {
    const {event, collection, sequence} = change;
    const path =
      event === 'update' ? (field ?? rankChanges(changedPaths(change.old, change.new))[0]?.path) : undefined;
    const since = this.records.syncedSince?.(collection);
    const listed = event === 'add' && since !== undefined && sequence <= since;
    this.write = toWrite(change, path, writerOf(change)?.manager);
    this.endParts = writeParts(this.write, listed);
  }

  endBeforeRecording(): void {
    this.endParts = [text(`What made it so is older than #${this.records.oldest()}`)];
  }

  /** One step: what made this change, if that was kept. */
  #below({change, field, matters}: NextChange): NextChange | undefined {
    const about: OriginSubject = {collection: change.collection, key: change.key, field};
    const wrote = runOfStatusRow(this.records, change);
    if (wrote) {
      const target: ExplainTarget = field === undefined ? {kind: 'status'} : {kind: 'status', path: field};
      return this.run(about, wrote, target, change);
    }
    if (change.run !== undefined) {
      const run = this.records.runById(change.run);
      if (!run) {
        this.endBeforeRecording();
        return undefined;
      }
      return this.run(about, run, targetOf(about, matters), change);
    }
    return this.#view(about, change, targetOf(about, matters));
  }

  /** A row of a join, an index or a map, and one that went with its input. */
  #view(about: OriginSubject, change: RecordedChange, target: ExplainTarget): NextChange | undefined {
    const {faith, causes, followed} = findDecisiveParts(this.reader, change, target);
    const part = followed?.change ?? partOfViewRow(this.records, change);
    if (!part) {
      this.endBeforeRecording();
      return undefined;
    }
    const changes = change.event === 'update' ? changedPaths(change.old, change.new) : [];
    const evidence = stepEvidenceOf(change, {faith, weighed: causes, followed, changes});
    const kind: StepKind = change.event === 'delete' ? 'absent' : 'value';
    this.push(about, kind, viewParts(about, change, part), rowChangeParts(about, change), evidence);
    const {field} = about;
    const alters =
      field !== undefined &&
      part.event === 'update' &&
      !deepEqual(readPath(part.old, field), readPath(part.new, field));
    const matters = followed ? relevanceBelowView(this.reader, change, target, part) : undefined;
    return {change: part, field: alters ? field : undefined, matters};
  }

  push(
    about: OriginSubject,
    kind: StepKind,
    parts: SentencePart[],
    piece: SentencePart[],
    evidence: StepEvidence,
    run?: string,
  ): void {
    this.steps.push(stepOf(about, kind, parts, evidence, run));
    this.pieces.push(piece);
  }

  /** A run that made what is asked about, or left it at nothing. */
  run(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
  ): NextChange | undefined {
    if (run.outcome === 'observed') {
      this.endParts = unexplainedParts(about, change);
      return undefined;
    }
    if (run.sequence < this.records.oldest()) {
      this.endBeforeRecording();
      return undefined;
    }
    const {faith, causes, followed} = findDecisiveCauses(this.reader, run, target);
    const base = this.reader.rerun(run).base;
    const isEmpty = base !== undefined && isEmptyValue(targetValue(this.records, run, base, target));
    if (followed?.change === undefined) {
      if (isEmpty) return this.#empty(about, run, target, change);
      return this.#standing(about, run, target, change, faith);
    }
    const {changes, needed} = findDecisivePaths(this.reader, run, followed.change, target);
    const told = rowChangeParts(about, change, run);
    const parts = causedParts(told, followed.change, needed?.path, {faith, causes});
    const isGone = isEmpty || change?.event === 'delete';
    const lost = isGone ? objectLostBy(this.reader, run, followed.change) : undefined;
    if (lost) parts.push(text('; '), ...missedObjectParts(lost));
    const kind: StepKind = change?.event === 'delete' ? 'absent' : isEmpty ? 'empty' : 'value';
    const evidence = stepEvidenceOf(run, {
      outcome: run.outcome,
      ...(change ? {event: change.event} : {}),
      changes: [...changes],
      faith,
      weighed: causes,
      followed,
      ...(lost ? missedObjectEvidence(lost, run) : {}),
    });
    this.push(about, kind, parts, told, evidence, run.id);
    if (lost) {
      this.pieces.push(missedObjectParts(lost));
      this.fix ??= fixCommandFor(this.reader, run, lost, this.at);
    }
    const matters = relevanceBelowRun(this.reader, run, target, followed.change);
    return {change: followed.change, field: needed?.path === '' ? undefined : needed?.path, matters};
  }

  /** No change woke it (a sync, a new formula): what it found there then, the thing that counts first. */
  #standing(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
    faith: RerunFidelity,
  ): NextChange | undefined {
    const counted = decisiveFetchedChange(this.reader, run, target);
    const next = counted ? counted.next : lastReadInputChange(this.reader, run);
    const told = rowChangeParts(about, change, run);
    const evidence = stepEvidenceOf(run, {outcome: run.outcome, faith});
    this.push(about, 'value', noChangeParts(told, run, next), told, evidence, run.id);
    if (!next) this.endAtWakeUp(run);
    return next;
  }

  /** No write led here: what woke the run is where it ends, if that is known. */
  endAtWakeUp(run: RecordedRun): void {
    const parts = wakeUpParts(run);
    if (parts === undefined) this.endBeforeRecording();
    else this.endParts = parts;
  }

  /** Nothing came out and no cause was needed for that: what was not found, or what was read. */
  #empty(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
  ): NextChange | undefined {
    const missed = findMissedFetch(this.reader, run, target);
    if (!missed) {
      const next = lastReadInputChange(this.reader, run);
      const {parts, piece} = emptyParts(this.reader, about, run, change, next);
      const evidence = stepEvidenceOf(run, {outcome: run.outcome, faith: this.reader.rerun(run).faith});
      this.push(about, about.field === undefined ? 'absent' : 'empty', parts, piece, evidence, run.id);
      if (next) return next;
      const path = emptyInputPath(this.reader, run);
      if (path === undefined || !this.walkIfStillEmpty(path, run.sequence)) this.endAtWakeUp(run);
      return undefined;
    }
    const {fetch, candidate} = missed;
    const words = missedParts(fetch, candidate);
    const told = emptyValueParts(about, change);
    const evidence = stepEvidenceOf(run, {
      outcome: run.outcome,
      faith: this.reader.rerun(run).faith,
      ...(candidate
        ? missedObjectEvidence(candidate, run)
        : {fetch: fetchWords(fetch.collection, fetch.filter)}),
    });
    this.push(about, 'missed', [...told, text(': '), ...words], told, evidence, run.id);
    this.pieces.push(words);
    if (candidate) this.fix ??= fixCommandFor(this.reader, run, candidate, this.at);
    const next =
      (candidate?.ended ? changeThatEndedMatch(this.reader, candidate, candidate.ended) : undefined) ??
      lastReadInputChange(this.reader, run);
    if (!next) this.endAtWakeUp(run);
    return next;
  }

  /**
   * What emptied it is no longer kept: its last run still tells what is not found. False where that run is not kept
   * either, or cannot be repeated.
   */
  walkIfStillEmpty(about: Required<OriginSubject>, at: number): boolean {
    const {collection, key} = about;
    const [input] = this.records.inputsOf(collection, key, at);
    const run = input === undefined ? undefined : this.records.lastRun(collection, input, at);
    if (!run || run.sequence < this.records.oldest()) return false;
    const {faith, base} = this.reader.rerun(run);
    const target = targetOf(about);
    if (faith.repeat !== 'same' || base === undefined) return false;
    if (!isEmptyValue(targetValue(this.records, run, base, target))) return false;
    const next = this.#empty(about, run, target, undefined);
    if (next) this.follow(next);
    return true;
  }
}
