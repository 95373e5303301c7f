// The walk of an origin: upstream along what made the difference, until it stands at a write from outside.
import type {Origin, OriginWrite, StepEvidence, StepKind} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {candidateParts} from './candidate.ts';
import {statusRun} from './chain.ts';
import {changedPaths, same} from './diff.ts';
import {mattersBelowRun, mattersBelowView} from './matters.ts';
import {untoldParts} from './observed.ts';
import {
  countedOf,
  emptyPathOf,
  endingOf,
  lostBy,
  mendOf,
  missEvidence,
  missedOf,
  type Next,
  primaryOf,
  standingPart,
} from './origin-empty.ts';
import {causedParts, emptyParts, missedParts, standingParts, viewParts, wokenParts} from './origin-steps.ts';
import {
  type About,
  changeWords,
  emptyWords,
  evidenceOf,
  stepOf,
  targetOf,
  writeOf,
  writeParts,
} from './origin-words.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, RecordedRun, Records} from './records.ts';
import type {Faith} from './repeat.ts';
import {fetchWords, ranked, text} from './sentence.ts';
import {isEmptyValue, type Target, valueIn, weigh, weighPaths} from './weigh.ts';
import {weighView} from './weigh-view.ts';
import {writerOf} from './writer.ts';

const STEPS = 64;

export class Walk {
  readonly reader: Reader;
  readonly records: Records;
  readonly steps: Origin['steps'] = [];
  /** What each step adds to the sentence, from what was asked about downwards. */
  readonly pieces: SentencePart[][] = [];
  write: OriginWrite | null = null;
  written: SentencePart[] = [];
  fix: string | undefined;
  /** The moment that is asked about. */
  readonly at: number;

  constructor(reader: Reader, at: number) {
    this.at = at;
    this.reader = reader;
    this.records = reader.records;
  }

  /** From a change on, down to a write. */
  follow(start: Next): void {
    let next: Next | undefined = start;
    for (let count = 0; next && count < STEPS; count++) {
      if (next.change.sequence < this.records.oldest()) {
        this.older();
        return;
      }
      if (next.change.observed) {
        this.written = untoldParts(next.change, next.change);
        return;
      }
      if (next.change.root) {
        this.#end(next);
        return;
      }
      next = this.#below(next);
    }
  }

  #end({change, field}: Next): void {
    const {event, collection, sequence} = change;
    const path =
      event === 'update' ? (field ?? ranked(changedPaths(change.old, change.new))[0]?.path) : undefined;
    const since = this.records.syncedSince?.(collection);
    const listed = event === 'add' && since !== undefined && sequence <= since;
    this.write = writeOf(change, path, writerOf(change)?.manager);
    this.written = writeParts(this.write, listed);
  }

  older(): void {
    this.written = [text(`What made it so is older than #${this.records.oldest()}`)];
  }

  /** One step: what made this change, if that was kept. */
  #below({change, field, matters}: Next): Next | undefined {
    const about: About = {collection: change.collection, key: change.key, field};
    const wrote = statusRun(this.records, change);
    if (wrote) {
      const target: Target = field === undefined ? {kind: 'status'} : {kind: 'status', path: field};
      return this.run(about, wrote, target, change);
    }
    if (change.run !== undefined) {
      const run = this.records.runById(change.run);
      if (!run) {
        this.older();
        return undefined;
      }
      return this.run(about, run, targetOf(about, matters), change);
    }
    return this.#view(about, change, targetOf(about, matters));
  }

  /** A row of a join, an index or a map, and one that went with its input. */
  #view(about: About, change: RecordedChange, target: Target): Next | undefined {
    const {faith, causes, followed} = weighView(this.reader, change, target);
    const part = followed?.change ?? standingPart(this.records, change);
    if (!part) {
      this.older();
      return undefined;
    }
    const changes = change.event === 'update' ? changedPaths(change.old, change.new) : [];
    const evidence = evidenceOf(change, {faith, weighed: causes, followed, changes});
    const kind: StepKind = change.event === 'delete' ? 'absent' : 'value';
    this.push(about, kind, viewParts(about, change, part), changeWords(about, change), evidence);
    const {field} = about;
    const alters =
      field !== undefined &&
      part.event === 'update' &&
      !same(readPath(part.old, field), readPath(part.new, field));
    const matters = followed ? mattersBelowView(this.reader, change, target, part) : undefined;
    return {change: part, field: alters ? field : undefined, matters};
  }

  push(
    about: About,
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
  run(about: About, run: RecordedRun, target: Target, change: RecordedChange | undefined): Next | undefined {
    if (run.outcome === 'observed') {
      this.written = untoldParts(about, change);
      return undefined;
    }
    if (run.sequence < this.records.oldest()) {
      this.older();
      return undefined;
    }
    const {faith, causes, followed} = weigh(this.reader, run, target);
    const base = this.reader.repeat(run).base;
    const isEmpty = base !== undefined && isEmptyValue(valueIn(this.records, run, base, target));
    if (followed?.change === undefined) {
      if (isEmpty) return this.#empty(about, run, target, change);
      return this.#standing(about, run, target, change, faith);
    }
    const {changes, needed} = weighPaths(this.reader, run, followed.change, target);
    const told = changeWords(about, change, run);
    const parts = causedParts(told, followed.change, needed?.path, {faith, causes});
    const isGone = isEmpty || change?.event === 'delete';
    const lost = isGone ? lostBy(this.reader, run, followed.change) : undefined;
    if (lost) parts.push(text('; '), ...candidateParts(lost));
    const kind: StepKind = change?.event === 'delete' ? 'absent' : isEmpty ? 'empty' : 'value';
    const evidence = evidenceOf(run, {
      outcome: run.outcome,
      ...(change ? {event: change.event} : {}),
      changes: [...changes],
      faith,
      weighed: causes,
      followed,
      ...(lost ? missEvidence(lost, run) : {}),
    });
    this.push(about, kind, parts, told, evidence, run.id);
    if (lost) {
      this.pieces.push(candidateParts(lost));
      this.fix ??= mendOf(this.reader, run, lost, this.at);
    }
    const matters = mattersBelowRun(this.reader, run, target, followed.change);
    return {change: followed.change, field: needed?.path === '' ? undefined : needed?.path, matters};
  }

  /** No change woke it (a sync, a new formula): what it found there then, the thing that counts first. */
  #standing(
    about: About,
    run: RecordedRun,
    target: Target,
    change: RecordedChange | undefined,
    faith: Faith,
  ): Next | undefined {
    const counted = countedOf(this.reader, run, target);
    const next = counted ? counted.next : primaryOf(this.reader, run);
    const told = changeWords(about, change, run);
    const evidence = evidenceOf(run, {outcome: run.outcome, faith});
    this.push(about, 'value', standingParts(told, run, next), told, evidence, run.id);
    if (!next) this.woken(run);
    return next;
  }

  /** No write led here: what woke the run is where it ends, if that is known. */
  woken(run: RecordedRun): void {
    const parts = wokenParts(run);
    if (parts === undefined) this.older();
    else this.written = parts;
  }

  /** Nothing came out and no cause was needed for that: what was not found, or what was read. */
  #empty(
    about: About,
    run: RecordedRun,
    target: Target,
    change: RecordedChange | undefined,
  ): Next | undefined {
    const missed = missedOf(this.reader, run, target);
    if (!missed) {
      const next = primaryOf(this.reader, run);
      const {parts, piece} = emptyParts(this.reader, about, run, change, next);
      const evidence = evidenceOf(run, {outcome: run.outcome, faith: this.reader.repeat(run).faith});
      this.push(about, about.field === undefined ? 'absent' : 'empty', parts, piece, evidence, run.id);
      if (next) return next;
      const path = emptyPathOf(this.reader, run);
      if (path === undefined || !this.stillEmpty(path, run.sequence)) this.woken(run);
      return undefined;
    }
    const {fetch, candidate} = missed;
    const words = missedParts(fetch, candidate);
    const told = emptyWords(about, change);
    const evidence = evidenceOf(run, {
      outcome: run.outcome,
      faith: this.reader.repeat(run).faith,
      ...(candidate ? missEvidence(candidate, run) : {fetch: fetchWords(fetch.collection, fetch.filter)}),
    });
    this.push(about, 'missed', [...told, text(': '), ...words], told, evidence, run.id);
    this.pieces.push(words);
    if (candidate) this.fix ??= mendOf(this.reader, run, candidate, this.at);
    const next =
      (candidate?.ended ? endingOf(this.reader, candidate, candidate.ended) : undefined) ??
      primaryOf(this.reader, run);
    if (!next) this.woken(run);
    return next;
  }

  /**
   * What emptied it is no longer kept: its last run still tells what is not found. False where that run is not kept
   * either, or cannot be repeated.
   */
  stillEmpty(about: Required<About>, at: number): boolean {
    const {collection, key} = about;
    const [input] = this.records.inputsOf(collection, key, at);
    const run = input === undefined ? undefined : this.records.lastRun(collection, input, at);
    if (!run || run.sequence < this.records.oldest()) return false;
    const {faith, base} = this.reader.repeat(run);
    const target = targetOf(about);
    if (faith.repeat !== 'same' || base === undefined) return false;
    if (!isEmptyValue(valueIn(this.records, run, base, target))) return false;
    const next = this.#empty(about, run, target, undefined);
    if (next) this.follow(next);
    return true;
  }
}
