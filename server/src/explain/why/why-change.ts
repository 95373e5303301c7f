// Why, where no run explains it: a write from outside, a join or index that followed, a status row, a removal.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Hop, SentencePart, Why} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import {runHistoryOf} from '../evidence/run-history.ts';
import type {RecordedChange, Records} from '../records.ts';
import {code, fetchWords, item, text, toPlainText} from '../wording/sentence.ts';
import {causeParts, hopParts, originParts} from '../wording/why-sentence.ts';
import {causeChainOfChange, changeHop, placeOfHop, runOfStatusRow} from './cause-chain.ts';
import {effectsOfChange} from './effects.ts';
import {impactGroups} from './impact.ts';

const outcomeOfEvent: Record<'add' | 'update' | 'delete', RunOutcome> = {
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

/** Joins, maps and indexes are made of the items of others, without a run of their own. */
function isView({facts: {kind}}: QuestionSubject): boolean {
  return kind === 'join' || kind === 'map' || kind === 'index';
}

/** An input that never had a row: it is gone with the item that it was. */
function goneInputSentence(
  records: Records,
  subject: QuestionSubject,
  change: RecordedChange,
): SentencePart[] {
  const last = records.lastRun(subject.collection, subject.key, change.sequence);
  return [
    item(subject, 'subject'),
    text(' is no input any more because '),
    item(change, 'cause'),
    text(' was deleted'),
    ...(last ? [text('; its last run came out '), {outcome: last.outcome}] : []),
  ];
}

/** Words of a change that no run explains: a write from outside, a join or index that followed, a removal. */
function changeSentence(
  records: Records,
  subject: QuestionSubject,
  change: RecordedChange,
  hops: readonly Hop[],
): SentencePart[] {
  const own = changeHop(change);
  const head: SentencePart[] = [item(subject, 'subject'), text(' '), ...hopParts(own)];
  const below = hops[0];
  if (change.root || !below) {
    if (own.writer) head.push(text(', written by '), code(own.writer.manager));
    else if (change.from !== undefined && change.sequence < records.oldest())
      head.push(text(`; what made it so is older than #${records.oldest()}`));
    // Its parts were there before: it took them in when it began.
    else if (isView(subject) && change.event === 'add')
      head.push(text(' when what it is made of had synced'));
    return head;
  }
  const relation = isView(subject) ? 'its part ' : below.cause?.kind === 'fetch' ? '' : 'its input ';
  const wrote = change.from === undefined ? runOfStatusRow(records, change) : undefined;
  if (wrote)
    return [
      ...head,
      text(' with the run of '),
      item({collection: wrote.collection, key: wrote.input}),
      ...causeParts(wrote, hops[1], false),
      ...originParts(wrote, hops.slice(1)),
    ];
  // Its parts were there before: it took them in when it began.
  if (below.sequence < change.sequence)
    return [
      ...head,
      text(' when what it is made of had synced; its part is '),
      item(below, 'cause'),
      ...originParts(undefined, hops),
    ];
  const fetched: SentencePart[] =
    below.cause?.kind === 'fetch'
      ? [text('; matched '), code(fetchWords(below.collection, below.cause.filter ?? 'all'))]
      : [];
  return [
    ...head,
    text(` because ${relation}`),
    item(below, 'cause'),
    text(' '),
    ...hopParts(below),
    ...fetched,
    ...originParts(undefined, hops),
  ];
}

export function answerOfChange(
  records: Records,
  reader: RerunReader,
  subject: QuestionSubject,
  change: RecordedChange,
): Why {
  const batch = records.batch(change.sequence);
  const {place} = change;
  const hops = change.root ? [] : causeChainOfChange(reader, change);
  const isOwn = change.collection === subject.collection;
  const parts = isOwn
    ? changeSentence(records, subject, change, hops)
    : goneInputSentence(records, subject, change);
  const origin = hops[hops.length - 1];
  return {
    sequence: change.sequence,
    collection: subject.collection,
    key: subject.key,
    outcome: outcomeOfEvent[change.event],
    sentence: toPlainText(parts),
    parts,
    run: null,
    causes: [changeHop(change), ...hops],
    effects: place === undefined ? [] : effectsOfChange(records, change.sequence, place),
    together: [],
    blast: impactGroups(batch, origin?.sequence === change.sequence ? placeOfHop(origin) : place, undefined),
    kept: [],
    ...runHistoryOf(records, subject.collection, subject.input, {at: change.sequence}),
    settled: batch?.duration ?? 0,
    equalSince: 0,
  };
}
