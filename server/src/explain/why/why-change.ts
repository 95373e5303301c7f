// Answers why where no run explains it: a write from outside, a row of a view, a status row, a removal.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Hop, SentencePart, Why} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedChange, Records} from '../records.ts';
import {say, subject, toPlainText} from '../wording/say.ts';
import {
  causeParts,
  chainEndParts,
  deletedInputParts,
  hopParts,
  type RowReason,
  rowReasonParts,
} from '../wording/why-sentence.ts';
import {causeChainOfChange, changeHop, placeOfHop, runOfStatusRow} from './cause-chain.ts';
import {effectsOfChange} from './effects.ts';
import {impactGroups} from './impact.ts';
import {causeFactsOf, chainEndOf, hopWordsOf} from './why-words.ts';

const outcomeOfEvent: Record<'add' | 'update' | 'delete', RunOutcome> = {
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

/** Joins, maps and indexes are made of rows of other collections, without runs of their own. */
function isView({facts: {kind}}: QuestionSubject): boolean {
  return kind === 'join' || kind === 'map' || kind === 'index';
}

function reasonOf(
  records: Records,
  subject: QuestionSubject,
  change: RecordedChange,
  hops: readonly Hop[],
): RowReason {
  const {writer} = changeHop(change);
  const [below] = hops;
  const ending = change.event === 'delete' ? records.ending?.(change.collection, change.sequence) : undefined;
  if (ending !== undefined) return {kind: 'ended', ending};
  if (change.root || !below) {
    if (writer) return {kind: 'write', writer};
    if (change.from !== undefined && change.sequence < records.oldest())
      return {kind: 'rolled-off', oldest: records.oldest()};
    // The parts existed before the row: the view took them in when it began.
    if (isView(subject) && change.event === 'add') return {kind: 'began', part: undefined};
    return {kind: 'write', writer: undefined};
  }
  const run = change.from === undefined ? runOfStatusRow(records, change) : undefined;
  if (run) {
    const because = causeParts(causeFactsOf(records, run, hops[1], false));
    return {kind: 'run', of: {collection: run.collection, key: run.input}, because};
  }
  if (below.cause?.kind === 'formula' && below.collection === change.collection) return {kind: 'formula'};
  if (below.sequence < change.sequence) return {kind: 'began', part: below};
  const relation = isView(subject) ? 'part' : below.cause?.kind === 'fetch' ? 'fetch' : 'input';
  return {kind: 'change', relation, below: hopWordsOf(below)};
}

/** The sentence of a change that no run made: a write from outside, a view that followed, a removal. */
function changeSentence(
  records: Records,
  subjectOfChange: QuestionSubject,
  change: RecordedChange,
  hops: readonly Hop[],
): SentencePart[] {
  const own = hopParts(hopWordsOf(changeHop(change)));
  const reason = reasonOf(records, subjectOfChange, change, hops);
  const run = reason.kind === 'run' ? runOfStatusRow(records, change) : undefined;
  // The end of a collection has no cause among the changes of rows.
  const hasChain = !change.root && hops.length > 0 && reason.kind !== 'ended';
  const end = hasChain ? chainEndParts(chainEndOf(run, run ? hops.slice(1) : hops)) : undefined;
  return say`${subject(subjectOfChange)} ${own}${rowReasonParts(reason)}${end}.`;
}

export function answerOfChange(
  records: Records,
  reader: RerunReader,
  asked: QuestionSubject,
  change: RecordedChange,
): Why {
  const batch = records.batch(change.sequence);
  const {place} = change;
  const hops = change.root ? [] : causeChainOfChange(reader, change);
  // The change of another collection: the input of a row that never existed was deleted.
  const parts =
    change.collection === asked.collection
      ? changeSentence(records, asked, change, hops)
      : deletedInputParts(
          asked,
          change,
          records.lastRun(asked.collection, asked.key, change.sequence)?.outcome,
        );
  const origin = hops[hops.length - 1];
  return {
    sequence: change.sequence,
    collection: asked.collection,
    key: asked.key,
    outcome: outcomeOfEvent[change.event],
    sentence: toPlainText(parts),
    parts,
    run: null,
    causes: [changeHop(change), ...hops],
    effects: place === undefined ? [] : effectsOfChange(records, change.sequence, place),
    together: [],
    blast: impactGroups(batch, origin?.sequence === change.sequence ? placeOfHop(origin) : place, undefined),
    kept: [],
    ...runHistoryOf(records, asked.collection, asked.input, {at: change.sequence}),
    settled: batch?.duration ?? 0,
    equalSince: 0,
  };
}
