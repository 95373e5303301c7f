// Why an input has no output: what its run read and found, and which field most likely made the formula return nothing.

import {type Verdict, verdicts} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, EvidenceClause as Row, SentencePart, WhyNot} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsOf, isFromNothing} from '../evidence/question-subject.ts';
import type {ObjectReads} from '../evidence/read-tracker.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import {type CollectionFacts, type RecordedRun, type Records, Unanswerable} from '../records.ts';
import {unexplainedParts} from '../why/unexplained-change.ts';
import {toWireRun} from '../wire-run.ts';
import {
  code,
  fetchWords,
  firstLine,
  item,
  listWords,
  text,
  toPlainText,
  valueWords,
} from '../wording/sentence.ts';
import {findLikelyFields, type LikelyField, likelyFieldParts} from './likely-field.ts';
import {describeMismatch} from './mismatch-fix.ts';
import {findNearMiss, type NearMiss, nearMissParts} from './nearest-match.ts';

function likelyFieldClause({path, value, others}: LikelyField): Row {
  return {
    clause: path,
    wants: others.length > 0 ? `= ${listWords(others.map(valueWords))}` : 'not empty',
    new: valueWords(value),
    matchesNew: false,
  };
}

/** What is known of an input that came out with nothing. */
interface EmptyInputFacts {
  readonly records: Records;
  readonly collection: string;
  readonly input: string;
  readonly facts: CollectionFacts;
  readonly run: RecordedRun | undefined;
  readonly at: number | undefined;
  readonly guards: readonly LikelyField[];
  /** Paths that the run read, by object. */
  readonly reads: readonly ObjectReads[];
  readonly near: NearMiss | undefined;
}

/** The fact that a row of the table goes by, and the words if it is the answer. */
interface EmptyInputRule {
  readonly reason: string;
  readonly parts?: SentencePart[];
}

const subjectPart = (c: EmptyInputFacts): SentencePart =>
  item({collection: c.collection, key: c.input}, 'subject');

function waiting({run, facts, ...c}: EmptyInputFacts): EmptyInputRule {
  if (run ? run.outcome !== 'suspended' : facts.synced) return {reason: 'synced, and not suspended'};
  const waits = run?.waitingFor ?? facts.waitingFor ?? 'an upstream collection';
  return {
    reason: `waits for ${waits}`,
    parts: [
      subjectPart({run, facts, ...c}),
      text(' has not come out with anything yet: it waits for '),
      code(waits),
      text('.'),
    ],
  };
}

function failed(c: EmptyInputFacts): EmptyInputRule {
  if (c.run?.outcome !== 'failed') return {reason: 'its last run did not fail'};
  const error = code(firstLine(c.run.error ?? 'no message'), 'error');
  return {
    reason: `run #${c.run.id} failed`,
    parts: [subjectPart(c), text(' has no output because its run failed with '), error, text('.')],
  };
}

function discarded(c: EmptyInputFacts): EmptyInputRule {
  if (c.run?.outcome !== 'discarded') return {reason: 'its last run did not discard'};
  return {
    reason: `run #${c.run.id} discarded`,
    parts: [
      subjectPart(c),
      text(' has no output because its run discarded the result before any was accepted.'),
    ],
  };
}

const returnedNothingParts = (c: EmptyInputFacts, run: RecordedRun): SentencePart[] => [
  subjectPart(c),
  text(` ran in #${run.sequence} and returned nothing`),
];

function didNotLook(c: EmptyInputFacts): EmptyInputRule {
  const {run} = c;
  if (!run) return {reason: 'no run is recorded'};
  const count = run.fetches.length;
  if (count > 0) return {reason: `${count} ${count === 1 ? 'fetch was' : 'fetches were'} made`};
  const early = doesFetch(c.records, c.collection, c.at)
    ? ' before it fetched anything.'
    : '; its formula fetches nothing.';
  return {
    reason: 'no fetch was made',
    parts: [...returnedNothingParts(c, run), text(early), ...likelyFieldParts(c.guards, c.reads)],
  };
}

function lookedElsewhere(c: EmptyInputFacts): EmptyInputRule {
  const {run} = c;
  const missed = run?.fetches.filter(fetch => fetch.matched === 0) ?? [];
  if (!run || missed.length === 0) return {reason: 'every fetch found something'};
  const names = missed.map(fetch => fetchWords(fetch.collection, fetch.filter));
  return {
    reason: `${missed.length} of ${run.fetches.length} fetches found nothing`,
    parts: [
      ...returnedNothingParts(c, run),
      text('; '),
      code(listWords(names, 3)),
      text(' found nothing.'),
      ...(c.near ? nearMissParts(c.near) : likelyFieldParts(c.guards, c.reads)),
    ],
  };
}

function equal(c: EmptyInputFacts): EmptyInputRule {
  const {run} = c;
  if (!run) return {reason: 'no run is recorded'};
  return {
    reason: `run #${run.id} came out ${run.outcome}`,
    parts: [
      ...returnedNothingParts(c, run),
      text(', though every fetch found something.'),
      ...likelyFieldParts(c.guards, c.reads),
    ],
  };
}

const emptyInputTable: Record<Verdict, (c: EmptyInputFacts) => EmptyInputRule> = {
  gone: () => ({reason: 'its input is there'}),
  waiting,
  failed,
  discarded,
  'did-not-look': didNotLook,
  'looked-elsewhere': lookedElsewhere,
  equal,
  reacted: () => ({reason: 'no run is recorded'}),
  'no-change': c => ({
    reason: 'no run is recorded',
    parts: [subjectPart(c), text(' has no recorded run; nothing has asked for one.')],
  }),
};

/** The first row of the table that holds, with the fact that each row goes by. */
function decideEmptyInput(c: EmptyInputFacts): {
  verdict: Verdict;
  parts: SentencePart[];
  ruled: Evidence['ruled'];
} {
  const ruled: Evidence['ruled'] = [];
  let answer: {verdict: Verdict; parts: SentencePart[]} | undefined;
  for (const verdict of verdicts) {
    const ruling: EmptyInputRule = answer
      ? {reason: `not asked: ${answer.verdict} holds`}
      : emptyInputTable[verdict](c);
    const {reason, parts} = ruling;
    ruled.push({verdict, held: parts !== undefined, reason});
    if (parts) answer = {verdict, parts};
  }
  return {...(answer as {verdict: Verdict; parts: SentencePart[]}), ruled};
}

/** Whether any input of the collection fetches from another. */
function doesFetch(records: Records, collection: string, at: number | undefined): boolean {
  return records.edges(at).some(e => e.to === collection && e.kind === 'fetch');
}

/** What to ask instead of why an input is empty that is none. */
function inputHint(records: Records, facts: CollectionFacts, key: string, at?: number): string {
  const [parent] = facts.parents;
  if (parent === undefined) return `${facts.name} is not computed from anything`;
  return records.hasInput(parent, key, at)
    ? `its inputs are the items of ${parent}, and ${parent}/${key} is empty itself: ask why of that`
    : `its inputs are the items of ${parent}`;
}

/** Throws Unanswerable for a key that is no input of the collection, and for one that has output. */
export function explainWhyEmpty(
  records: Records,
  reader: RerunReader,
  asked: {collection: string; key: string; at?: number | undefined},
): WhyNot {
  const {collection, at} = asked;
  const facts = factsOf(records, collection, at);
  // What is made from nothing has one input, without a name.
  const key = isFromNothing(facts) ? '' : asked.key;
  const parent = facts.parents[0];
  if (!records.hasInput(collection, key, at)) {
    throw new Unanswerable(
      'unknown-key',
      `${collection} has no input "${key}"`,
      inputHint(records, facts, key, at),
    );
  }
  const outputs = records.outputsOf(collection, key, at);
  if (outputs.length > 0) {
    throw new Unanswerable(
      'bad-query',
      `input "${key}" of ${collection} is not empty: it yields ${listWords(outputs)}`,
      'ask why instead',
    );
  }
  const run = records.lastRun(collection, key, at);
  const guards = findLikelyFields(records, reader, run, at);
  const reads = run ? reader.rerun(run).reads : [];
  const missed =
    run?.outcome === 'empty' || run?.outcome === 'deleted'
      ? run.fetches.find(f => f.matched === 0)
      : undefined;
  const near = missed && findNearMiss(records, reader, {run, at}, missed);
  const decided = decideEmptyInput({
    records,
    collection,
    input: key,
    facts,
    run,
    at,
    guards,
    reads,
    near,
  });
  const {verdict, ruled} = decided;
  // What was only seen is no ground for a reason.
  const parts = run?.outcome === 'observed' ? unexplainedParts({collection, key}) : decided.parts;
  const miss = near
    ? describeMismatch(
        records,
        near.failing,
        {facts: factsOf(records, near.collection, at), key: near.key},
        {facts: parent === undefined ? undefined : records.collection(parent, at), key},
        at,
      )
    : {};
  const looked = run ? toWireRun(run).fetches : [];
  const evidence: Evidence = {
    ruled,
    ...(missed ? {fetch: fetchWords(missed.collection, missed.filter)} : {}),
    clauses: near ? [...near.rows] : guards.map(likelyFieldClause),
    ...(miss.nearest ? {nearest: miss.nearest} : {}),
    ...(miss.command !== undefined ? {command: miss.command} : {}),
    looked,
    reacted: [],
    holders: verdict === 'waiting' ? syncBlockersOf(records, run?.waitingFor ?? collection, at) : [],
    ...(run ? {run: toWireRun(run)} : {}),
  };
  return {
    sequence: at ?? records.newest(),
    collection,
    key,
    verdict,
    sentence: toPlainText(parts),
    parts,
    evidence,
  };
}
