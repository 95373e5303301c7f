// Why an input has no output: what its run read and found, and which field most likely made the formula return nothing.
import type {Evidence, Part, Clause as Row, WhyNot} from '@krtscope/shared/why.ts';
import {type Verdict, verdicts} from '@krtscope/shared/words.ts';
import {type Guard, guardParts, likelyGuards} from './guards.ts';
import {holdersOf} from './holders.ts';
import {type NearMiss, nearMissOf, nearMissParts} from './near-miss.ts';
import {nearestMiss} from './nearest.ts';
import type {Reader} from './reads.ts';
import {type CollectionFacts, type RecordedRun, type Records, Unanswerable} from './records.ts';
import {code, fetchWords, firstLine, item, listWords, plain, text, valueWords} from './sentence.ts';
import {factsOf, isFromNothing} from './subject.ts';
import {wireRun} from './why.ts';

function guardRow({path, value, others}: Guard): Row {
  return {
    clause: path,
    wants: others.length > 0 ? `= ${listWords(others.map(valueWords))}` : 'not empty',
    new: valueWords(value),
    matchesNew: false,
  };
}

interface Hints {
  readonly guards: readonly Guard[];
  readonly read: readonly string[];
  readonly near: NearMiss | undefined;
}

// One case for each way to come out with nothing.
function decide(
  records: Records,
  collection: string,
  input: string,
  run: RecordedRun | undefined,
  hints: Hints,
  at?: number,
): {verdict: Verdict; parts: Part[]} {
  const subject = item({collection, key: input}, 'subject');
  const facts = factsOf(records, collection, at);
  if (run?.outcome === 'suspended' || (!run && !facts.synced)) {
    const waits = run?.waitingFor ?? facts.waitingFor ?? 'an upstream collection';
    return {
      verdict: 'waiting',
      parts: [subject, text(' has not come out with anything yet: it waits for '), code(waits), text('.')],
    };
  }
  if (!run)
    return {verdict: 'no-change', parts: [subject, text(' has no recorded run; nothing has asked for one.')]};
  if (run.outcome === 'failed') {
    const error = code(firstLine(run.error ?? 'no message'), 'error');
    return {
      verdict: 'discarded',
      parts: [subject, text(' has no output because its run failed with '), error, text('.')],
    };
  }
  if (run.outcome === 'discarded')
    return {
      verdict: 'discarded',
      parts: [subject, text(' has no output because its run discarded the result before any was accepted.')],
    };
  const {guards, read, near} = hints;
  const missed = run.fetches.filter(f => f.matched === 0);
  const words = [subject, text(` ran in batch ${run.sequence} and returned nothing`)];
  if (run.fetches.length === 0)
    return {
      verdict: 'did-not-look',
      parts: [
        ...words,
        text(
          doesFetch(records, collection) ? ' before it fetched anything.' : '; its formula fetches nothing.',
        ),
        ...guardParts(guards, read),
      ],
    };
  if (missed.length > 0) {
    const names = listWords(
      missed.map(f => fetchWords(f.collection, f.filter)),
      3,
    );
    return {
      verdict: 'looked-elsewhere',
      parts: [
        ...words,
        text('; '),
        code(names),
        text(' found nothing.'),
        ...(near ? nearMissParts(near) : guardParts(guards, read)),
      ],
    };
  }
  return {
    verdict: 'equal',
    parts: [...words, text(', though every fetch found something.'), ...guardParts(guards, read)],
  };
}

/** Whether any input of the collection fetches from another. */
function doesFetch(records: Records, collection: string): boolean {
  return records.edges().some(e => e.to === collection && e.kind === 'fetch');
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
  const read = reads.find(r => r.collection === parent && r.key === key)?.paths ?? [];
  const missed =
    run?.outcome === 'empty' || run?.outcome === 'deleted'
      ? run.fetches.find(f => f.matched === 0)
      : undefined;
  const near = missed && nearMissOf(records, reader, {run, at}, missed);
  const {verdict, parts} = decide(records, collection, key, run, {guards, read, near}, at);
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
  const reasons: Record<Verdict, string> = {
    'did-not-look': looked.length === 0 ? 'no fetch was made' : `${looked.length} fetches were made`,
    'looked-elsewhere': `${looked.filter(f => f.matched === 0).length} of ${looked.length} fetches found nothing`,
    equal: run ? `run ${run.id} came out ${run.outcome}` : 'no run',
    gone: 'it is there',
    failed: run?.outcome === 'failed' ? 'failed' : 'no failure',
    reacted: run ? `run ${run.id} came out ${run.outcome}` : 'no run',
    waiting: facts.synced ? 'synced' : 'not synced',
    discarded: run?.outcome === 'discarded' || run?.outcome === 'failed' ? run.outcome : 'no discards',
    'no-change': run ? `ran in batch ${run.sequence}` : 'no run recorded',
  };
  const evidence: Evidence = {
    ruled: verdicts.map(v => ({verdict: v, held: v === verdict, reason: reasons[v]})),
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
