// Answers why an input has no output: what its run read and found, and which field most likely decided it.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {Evidence, EvidenceClause, WhyNot} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsOf, isFromNothing} from '../evidence/question-subject.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import {type CollectionFacts, type Records, Unanswerable} from '../records.ts';
import {toWireRun} from '../wire-run.ts';
import {toPlainText} from '../wording/say.ts';
import {fetchWords, listWords, valueWords} from '../wording/value-words.ts';
import {findEmptyInputFacts} from './empty-input-facts.ts';
import type {LikelyField} from './likely-field.ts';
import {describeMismatch} from './mismatch-fix.ts';
import {decideVerdict} from './verdict-table.ts';

function likelyFieldClause({path, value, others}: LikelyField): EvidenceClause {
  return {
    clause: path,
    wants: others.length > 0 ? `= ${listWords(others.map(valueWords))}` : 'not empty',
    new: valueWords(value),
    matchesNew: false,
  };
}

/** What to ask instead, for a key that is not an input. */
function inputHint(records: Records, facts: CollectionFacts, key: string, at?: number): string {
  const [parent] = facts.parents;
  if (parent === undefined) return `${facts.name} is not computed from anything`;
  return records.hasInput(parent, key, at)
    ? `its inputs are the items of ${parent}, and ${objectName({collection: parent, key})} is empty itself: ask about that one`
    : `its inputs are the items of ${parent}`;
}

/** Throws Unanswerable for a key that is not an input of the collection, and for an input with output. */
export function explainWhyEmpty(
  records: Records,
  reader: RerunReader,
  asked: {collection: string; key: string; at?: number | undefined},
): WhyNot {
  const {collection, at} = asked;
  const facts = factsOf(records, collection, at);
  // A collection without a parent has one input, with an empty key.
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
      `input "${key}" of ${collection} is not empty: it gives ${listWords(outputs)}`,
      'ask why instead',
    );
  }
  const empty = findEmptyInputFacts(reader, facts, key, at);
  const {run, missed, nearest} = empty;
  const {verdict, ruled, parts} = decideVerdict(empty);
  const miss = nearest
    ? describeMismatch(
        records,
        nearest.failing,
        {facts: factsOf(records, nearest.collection, at), key: nearest.key},
        {facts: parent === undefined ? undefined : records.collection(parent, at), key},
        at,
      )
    : {};
  const evidence: Evidence = {
    ruled,
    ...(missed ? {fetch: fetchWords(missed.collection, missed.filter)} : {}),
    clauses: nearest ? [...nearest.rows] : empty.likelyFields.map(likelyFieldClause),
    ...miss,
    looked: run ? toWireRun(run).fetches : [],
    reacted: [],
    holders: verdict === 'waiting' ? syncBlockersOf(records, run?.waitingFor ?? collection, at) : [],
    ...(run ? {run: toWireRun(run)} : {}),
  };
  return {
    sequence: at ?? records.newest(),
    collection,
    key,
    verdict,
    ...(verdict === 'unknown' && toPlainText(parts).includes(' Probably ') ? {probable: true} : {}),
    sentence: toPlainText(parts),
    parts,
    evidence,
  };
}
