// Walks from a row upstream along the causes that made the difference, to a write from outside.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Origin, OriginWrite, StepEvidence, StepKind} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {rankChanges} from '../evidence/change-rank.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {lookupOf} from '../evidence/lookup.ts';
import {findProbableCauses} from '../evidence/probable-causes.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import {writerOf} from '../evidence/writer.ts';
import type {RecordedChange, RecordedFetch, RecordedRun, Records} from '../records.ts';
import {runOfStatusRow} from '../why/cause-chain.ts';
import {findDecisiveCauses} from '../why/decisive-causes.ts';
import {findDecisiveParts} from '../why/decisive-parts.ts';
import {findDecisivePaths} from '../why/decisive-paths.ts';
import {type ExplainTarget, isEmptyValue, targetValue} from '../why/explain-target.ts';
import {relevanceBelowRun, relevanceBelowView} from '../why/relevance.ts';
import {observedParts, unknownCauseParts} from '../wording/change-sentence.ts';
import {missedParts} from '../wording/lookup-sentence.ts';
import {
  directWriteParts,
  type OriginSubject,
  olderParts,
  type WakeUp,
  wakeUpParts,
  writeParts,
} from '../wording/origin-sentence.ts';
import {
  causedStepParts,
  emptyStepParts,
  emptyValueParts,
  lostRowsParts,
  partStepParts,
  rowChangeParts,
  startedStepParts,
} from '../wording/origin-step-sentence.ts';
import {say} from '../wording/say.ts';
import {probableCauseParts} from '../wording/unknown-sentence.ts';
import {fetchWords} from '../wording/value-words.ts';
import type {MissedObject} from './missed-object.ts';
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
import {changeWordsOf, readInputParts, stepEvidenceOf, stepOf, targetOf, toWrite} from './origin-step.ts';
import {overwriteNoteOf, type RunStep, revertOfWrite} from './write-fix.ts';

const MAX_STEPS = 64;

export class OriginWalk {
  readonly reader: RerunReader;
  readonly records: Records;
  readonly steps: Origin['steps'] = [];
  /** What each step adds to the sentence, from the asked row downwards. */
  readonly pieces: SentencePart[][] = [];
  write: OriginWrite | null = null;
  endParts: SentencePart[] = [];
  /** The session cannot know the write; one of the candidates may be its cause. */
  isUnknown = false;
  candidates: ItemRef[] = [];
  /** The candidates changed between the same two documents. Nothing more is known of them. */
  isProbable = false;
  /** A cause on the way was inferred from the log of an attached program. */
  isInferred = false;
  /** What a lookup did not find: the sentence begins with it. */
  conclusion: SentencePart[] | undefined;
  fix: string | undefined;
  /** The run of the last step, which reads the write. */
  lastStep: RunStep | undefined;
  /** A tool that will overwrite a manual change. */
  fixNote: string | undefined;
  /** The moment of the question. */
  readonly at: number;

  constructor(reader: RerunReader, at: number) {
    this.at = at;
    this.reader = reader;
    this.records = reader.records;
  }

  /** Goes on from a change down to a write. */
  follow(start: NextChange): void {
    let next: NextChange | undefined = start;
    for (let count = 0; next && count < MAX_STEPS; count++) {
      if (next.change.sequence < this.records.oldest()) {
        this.endBeforeRecording();
        return;
      }
      if (next.change.observed) {
        this.#endObserved(next.change);
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
    const manager = writerOf(change)?.manager;
    this.write = toWrite(change, path, manager);
    // The revert of the write lasts longer than a change of what followed from it.
    const revert = revertOfWrite(this.reader, change, path, this.at, this.lastStep);
    this.fix = revert ?? this.fix;
    if (this.fix !== undefined) this.fixNote = overwriteNoteOf(this.records, change, manager, this.at);
    // The question is about a path of the written object itself.
    this.endParts =
      field !== undefined && path !== undefined && this.pieces.length === 0
        ? directWriteParts({...this.write, path})
        : writeParts(this.write, listed);
  }

  /** Two documents show that it changed. What changed between them as well is a probable cause. */
  #endObserved(change: RecordedChange): void {
    const probable = findProbableCauses(this.records, change);
    const parts = observedParts(change, change.event);
    this.isProbable = probable.length > 0;
    if (this.isProbable) this.#endUnknown(say`${parts}. ${probableCauseParts(probable)}`, probable);
    else this.#endUnknown(parts, this.steps.length > 0 ? [change] : []);
  }

  #endUnknown(parts: SentencePart[], candidates: readonly ItemRef[]): void {
    this.isUnknown = true;
    this.candidates = candidates.map(({collection, key}) => ({collection, key}));
    this.endParts = parts;
  }

  /** The log has the run, and leaves several possible causes or none. */
  #unknownCause(about: OriginSubject, run: RecordedRun, change: RecordedChange | undefined): undefined {
    const row = this.#rowParts(about, change, run);
    const candidates = run.causes.flatMap(({collection, key}) =>
      collection === undefined || key === undefined ? [] : [{collection, key}],
    );
    const parts = unknownCauseParts(candidates);
    const evidence = stepEvidenceOf(run, {
      outcome: run.outcome,
      weighed: run.causes.map(cause => ({cause, change: undefined, weight: 'unknown' as const})),
    });
    this.push(about, 'value', say`${row}; ${parts}`, row, evidence, run.id);
    this.#endUnknown(parts, candidates);
  }

  endBeforeRecording(): void {
    this.endParts = olderParts(this.records.oldest());
  }

  /** One step: what made this change, if that was kept. */
  #below({change, field, ...context}: NextChange): NextChange | undefined {
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
      return this.run(about, run, targetOf(about, context), change);
    }
    return this.#view(about, change, targetOf(about, context));
  }

  /** A row of a join, an index or a map, and one that went with its input. */
  #view(about: OriginSubject, change: RecordedChange, target: ExplainTarget): NextChange | undefined {
    const {faith, causes, followed, write} = findDecisiveParts(this.reader, change, target);
    const part = followed?.change ?? partOfViewRow(this.records, change);
    if (!part) {
      this.endBeforeRecording();
      return undefined;
    }
    const changes = change.event === 'update' ? changedPaths(change.old, change.new) : [];
    const evidence = stepEvidenceOf(change, {faith, weighed: causes, followed, changes});
    const kind: StepKind = change.event === 'delete' ? 'absent' : 'value';
    const row = rowChangeParts(about, changeWordsOf(change, about.field));
    const parts = partStepParts(row, changeWordsOf(part), change.from === undefined);
    this.push(about, kind, parts, row, evidence);
    const {field} = about;
    const alters =
      field !== undefined &&
      part.event === 'update' &&
      !deepEqual(readPath(part.old, field), readPath(part.new, field));
    const matters = followed ? relevanceBelowView(this.reader, change, target, part) : undefined;
    return {change: part, field: alters ? field : undefined, matters, write};
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

  #rowParts(about: OriginSubject, change: RecordedChange | undefined, run: RecordedRun): SentencePart[] {
    if (change) return rowChangeParts(about, changeWordsOf(change, about.field));
    return run.outcome === 'deleted' ? lostRowsParts(about) : emptyValueParts(about);
  }

  #emptyParts(about: OriginSubject, change: RecordedChange | undefined): SentencePart[] {
    if (about.field !== undefined || change === undefined) return emptyValueParts(about);
    return rowChangeParts(about, changeWordsOf(change));
  }

  #missedParts(about: OriginSubject, run: RecordedRun, lost: MissedObject): SentencePart[] | undefined {
    const fetch: RecordedFetch | undefined = run.fetches.find(
      one => one.collection === lost.collection && one.matched === 0,
    );
    return fetch && missedParts(lookupOf(this.records, run, fetch, about, run.sequence), lost);
  }

  /** A run that made the asked value, or left it empty. */
  run(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
  ): NextChange | undefined {
    this.lastStep = {run, target};
    if (run.outcome === 'observed') {
      if (change === undefined) this.#endUnknown(observedParts(about, undefined), []);
      else this.#endObserved(change);
      return undefined;
    }
    if (run.sequence < this.records.oldest()) {
      this.endBeforeRecording();
      return undefined;
    }
    if (hasUnknownCause(this.records, run)) return this.#unknownCause(about, run, change);
    this.isInferred ||= run.causes.some(cause => cause.inferred === true);
    const {faith, causes, followed, write} = findDecisiveCauses(this.reader, run, target);
    const base = this.reader.rerun(run).base;
    const isEmpty = base !== undefined && isEmptyValue(targetValue(this.records, run, base, target));
    if (followed?.change === undefined) {
      if (isEmpty) return this.#empty(about, run, target, change);
      return this.#standing(about, run, target, change, faith);
    }
    const {changes, needed} = findDecisivePaths(this.reader, run, followed.change, target);
    const row = this.#rowParts(about, change, run);
    const parts = causedStepParts(row, changeWordsOf(followed.change, needed?.path ?? ''), {
      alsoNeeded: causes.filter(one => one.weight === 'also-needed').length,
      either: causes.filter(one => one.weight === 'either').length,
      unknown: faith.repeat === 'same' ? undefined : {causes: causes.length, note: faith.note},
    });
    const isGone = isEmpty || change?.event === 'delete';
    const lost = isGone ? objectLostBy(this.reader, run, followed.change) : undefined;
    const missed = lost && this.#missedParts(about, run, lost);
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
    this.push(about, kind, missed ? say`${parts}; ${missed}` : parts, row, evidence, run.id);
    if (lost) {
      this.conclusion ??= missed;
      this.fix ??= fixCommandFor(this.reader, run, lost, this.at);
    }
    const matters = relevanceBelowRun(this.reader, run, target, followed.change);
    return {change: followed.change, field: needed?.path === '' ? undefined : needed?.path, matters, write};
  }

  /** A sync or a new formula started the run, so it goes on with what the run found: the thing that counts first. */
  #standing(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
    faith: RerunFidelity,
  ): NextChange | undefined {
    const counted = decisiveFetchedChange(this.reader, run, target);
    const next = counted ? counted.next : lastReadInputChange(this.reader, run);
    const row = this.#rowParts(about, change, run);
    const evidence = stepEvidenceOf(run, {outcome: run.outcome, faith});
    const [started] = run.causes;
    const kind =
      started?.kind === 'synced' || started?.kind === 'formula' || started?.kind === 'trigger'
        ? started.kind
        : 'other';
    const parts = startedStepParts(row, {kind, collection: started?.collection}, next?.change);
    this.push(about, 'value', parts, row, evidence, run.id);
    if (!next) this.endAtWakeUp(run);
    return next;
  }

  /** No write led here: the walk ends at what started the run, if that is known. */
  endAtWakeUp(run: RecordedRun): void {
    const wakeUp = wakeUpOf(run);
    if (wakeUp === undefined) this.endBeforeRecording();
    else this.endParts = wakeUpParts(wakeUp, run.sequence);
  }

  /** The run gave nothing and no cause was needed for that: goes on with what it did not find, or what it read. */
  #empty(
    about: OriginSubject,
    run: RecordedRun,
    target: ExplainTarget,
    change: RecordedChange | undefined,
  ): NextChange | undefined {
    const missed = findMissedFetch(this.reader, run, target);
    if (!missed) {
      const next = lastReadInputChange(this.reader, run);
      const row = this.#emptyParts(about, change);
      const read = readInputParts(this.reader, run);
      const parts = emptyStepParts(row, next && changeWordsOf(next.change, next.field ?? ''), read);
      const evidence = stepEvidenceOf(run, {outcome: run.outcome, faith: this.reader.rerun(run).faith});
      this.push(
        about,
        about.field === undefined ? 'absent' : 'empty',
        parts,
        say`${row}${read}`,
        evidence,
        run.id,
      );
      if (next) return next;
      const path = emptyInputPath(this.reader, run);
      if (path === undefined || !this.walkIfStillEmpty(path, run.sequence)) this.endAtWakeUp(run);
      return undefined;
    }
    const {fetch, candidate} = missed;
    const missedWords = missedParts(lookupOf(this.records, run, fetch, about, run.sequence), candidate);
    const row = this.#emptyParts(about, change);
    const evidence = stepEvidenceOf(run, {
      outcome: run.outcome,
      faith: this.reader.rerun(run).faith,
      ...(candidate
        ? missedObjectEvidence(candidate, run)
        : {fetch: fetchWords(fetch.collection, fetch.filter)}),
    });
    this.push(about, 'missed', say`${row}: ${missedWords}`, row, evidence, run.id);
    this.conclusion ??= missedWords;
    if (candidate) this.fix ??= fixCommandFor(this.reader, run, candidate, this.at);
    const next =
      (candidate?.ended ? changeThatEndedMatch(this.reader, candidate, candidate.ended) : undefined) ??
      lastReadInputChange(this.reader, run);
    if (!next) this.endAtWakeUp(run);
    return next;
  }

  /**
   * The change that emptied a path is no longer kept, but the last run still tells what it does not find.
   * False where that run is not kept either, or cannot be repeated.
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

/** A log may leave several possible causes, or none. The engine's own runs always have one. */
function hasUnknownCause(records: Records, {causes}: RecordedRun): boolean {
  if (causes.some(cause => cause.possible === true)) return true;
  return causes.length === 0 && records.formulas === undefined;
}

function wakeUpOf({causes: [cause], fetches}: RecordedRun): WakeUp | undefined {
  if (cause?.kind === 'formula') return {kind: 'formula'};
  if (cause?.kind === 'trigger') return {kind: 'trigger', trigger: cause.collection};
  if (cause?.kind === 'synced' && fetches.every(({matched}) => matched === 0))
    return {kind: 'synced', collection: cause.collection};
  return undefined;
}
