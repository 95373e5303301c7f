// Why an input has no output: what its run read and found, and which field most likely made the formula return nothing.

import {type Verdict, verdicts} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, EvidenceClause as Row, SentencePart, WhyNot} from '@krtscope/shared/why.ts';
import {type Guard, guardParts, likelyGuards} from './guards.ts';
import {holdersOf} from './holders.ts';
import {type NearMiss, nearMissOf, nearMissParts} from './near-miss.ts';
import {nearestMiss} from './nearest.ts';
import {untoldParts} from './observed.ts';
import type {Reader} from './reads.ts';
import {type CollectionFacts, type RecordedRun, type Records, Unanswerable} from './records.ts';
import {code, fetchWords, firstLine, item, listWords, plain, text, valueWords} from './sentence.ts';
import {factsOf, isFromNothing} from './subject.ts';
import type {Read} from './tracker.ts';
import {wireRun} from './why.ts';

function guardRow({path, value, others}: Guard): Row {
  return {
    clause: path,
    wants: others.length > 0 ? `= ${listWords(others.map(valueWords))}` : 'not empty',
    new: valueWords(value),
    matchesNew: false,
  };
}

/** What is known of an input that came out with nothing. */
interface Case {
  readonly records: Records;
  readonly collection: string;
  readonly input: string;
  readonly facts: CollectionFacts;
  readonly run: RecordedRun | undefined;
  readonly at: number | undefined;
  readonly guards: readonly Guard[];
  /** Paths that the run read, by object. */
  readonly reads: readonly Read[];
  readonly near: NearMiss | undefined;
}

/** The fact that a row of the table goes by, and the words if it is the answer. */
interface Ruling {
  readonly reason: string;
  readonly parts?: SentencePart[];
}

const subjectOf = (c: Case): SentencePart => item({collection: c.collection, key: c.input}, 'subject');

function waiting({run, facts, ...c}: Case): Ruling {
  if (run ? run.outcome !== 'suspended' : facts.synced) return {reason: 'synced, and not suspended'};
  const waits = run?.waitingFor ?? facts.waitingFor ?? 'an upstream collection';
  return {
    reason: `waits for ${waits}`,
    parts: [
      subjectOf({run, facts, ...c}),
      text(' has not come out with anything yet: it waits for '),
      code(waits),
      text('.'),
    ],
  };
}

function failed(c: Case): Ruling {
  if (c.run?.outcome !== 'failed') return {reason: 'its last run did not fail'};
  const error = code(firstLine(c.run.error ?? 'no message'), 'error');
  return {
    reason: `run #${c.run.id} failed`,
    parts: [subjectOf(c), text(' has no output because its run failed with '), error, text('.')],
  };
}

function discarded(c: Case): Ruling {
  if (c.run?.outcome !== 'discarded') return {reason: 'its last run did not discard'};
  return {
    reason: `run #${c.run.id} discarded`,
    parts: [
      subjectOf(c),
      text(' has no output because its run discarded the result before any was accepted.'),
    ],
  };
}

const returned = (c: Case, run: RecordedRun): SentencePart[] => [
  subjectOf(c),
  text(` ran in #${run.sequence} and returned nothing`),
];

function didNotLook(c: Case): Ruling {
  const {run} = c;
  if (!run) return {reason: 'no run is recorded'};
  const count = run.fetches.length;
  if (count > 0) return {reason: `${count} ${count === 1 ? 'fetch was' : 'fetches were'} made`};
  const early = doesFetch(c.records, c.collection, c.at)
    ? ' before it fetched anything.'
    : '; its formula fetches nothing.';
  return {
    reason: 'no fetch was made',
    parts: [...returned(c, run), text(early), ...guardParts(c.guards, c.reads)],
  };
}

function lookedElsewhere(c: Case): Ruling {
  const {run} = c;
  const missed = run?.fetches.filter(fetch => fetch.matched === 0) ?? [];
  if (!run || missed.length === 0) return {reason: 'every fetch found something'};
  const names = missed.map(fetch => fetchWords(fetch.collection, fetch.filter));
  return {
    reason: `${missed.length} of ${run.fetches.length} fetches found nothing`,
    parts: [
      ...returned(c, run),
      text('; '),
      code(listWords(names, 3)),
      text(' found nothing.'),
      ...(c.near ? nearMissParts(c.near) : guardParts(c.guards, c.reads)),
    ],
  };
}

function equal(c: Case): Ruling {
  const {run} = c;
  if (!run) return {reason: 'no run is recorded'};
  return {
    reason: `run #${run.id} came out ${run.outcome}`,
    parts: [
      ...returned(c, run),
      text(', though every fetch found something.'),
      ...guardParts(c.guards, c.reads),
    ],
  };
}

const table: Record<Verdict, (c: Case) => Ruling> = {
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
    parts: [subjectOf(c), text(' has no recorded run; nothing has asked for one.')],
  }),
};

/** The first row of the table that holds, with the fact that each row goes by. */
function decide(c: Case): {verdict: Verdict; parts: SentencePart[]; ruled: Evidence['ruled']} {
  const ruled: Evidence['ruled'] = [];
  let answer: {verdict: Verdict; parts: SentencePart[]} | undefined;
  for (const verdict of verdicts) {
    const ruling: Ruling = answer ? {reason: `not asked: ${answer.verdict} holds`} : table[verdict](c);
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
export function whyEmpty(
  records: Records,
  reader: Reader,
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
  const guards = likelyGuards(records, reader, run, at);
  const reads = run ? reader.repeat(run).reads : [];
  const missed =
    run?.outcome === 'empty' || run?.outcome === 'deleted'
      ? run.fetches.find(f => f.matched === 0)
      : undefined;
  const near = missed && nearMissOf(records, reader, {run, at}, missed);
  const decided = decide({
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
  const parts = run?.outcome === 'observed' ? untoldParts({collection, key}) : decided.parts;
  const miss = near
    ? nearestMiss(
        records,
        near.failing,
        {facts: factsOf(records, near.collection, at), key: near.key},
        {facts: parent === undefined ? undefined : records.collection(parent, at), key},
        at,
      )
    : {};
  const looked = run ? wireRun(run).fetches : [];
  const evidence: Evidence = {
    ruled,
    ...(missed ? {fetch: fetchWords(missed.collection, missed.filter)} : {}),
    clauses: near ? [...near.rows] : guards.map(guardRow),
    ...(miss.nearest ? {nearest: miss.nearest} : {}),
    ...(miss.command !== undefined ? {command: miss.command} : {}),
    looked,
    reacted: [],
    holders: verdict === 'waiting' ? holdersOf(records, run?.waitingFor ?? collection, at) : [],
    ...(run ? {run: wireRun(run)} : {}),
  };
  return {
    sequence: at ?? records.newest(),
    collection,
    key,
    verdict,
    sentence: plain(parts),
    parts,
    evidence,
  };
}
