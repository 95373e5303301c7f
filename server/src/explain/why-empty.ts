// Why an input has no output: what its run read and found, and which field most likely made the formula return nothing.
import {readPath} from '@krtscope/shared/path.ts';
import type {Evidence, Part, WhyNot} from '@krtscope/shared/why.ts';
import {type Verdict, verdicts} from '@krtscope/shared/words.ts';
import {holdersOf} from './holders.ts';
import type {Reader} from './reads.ts';
import {type RecordedRun, type Records, Unanswerable} from './records.ts';
import {code, fetchWords, firstLine, item, listWords, plain, text, valueWords} from './sentence.ts';
import {factsOf} from './subject.ts';
import {wireRun} from './why.ts';

const COMPARED = 40;

/** A field that the formula reads and that is unlike that of every input with output. */
export interface Guard {
  readonly path: string;
  readonly value: unknown;
  readonly others: unknown[];
  readonly compared: number;
}

/** Inputs of the same collection that do have output, to compare with. */
function fruitful(records: Records, collection: string, parent: string, at?: number): unknown[] {
  const found: unknown[] = [];
  let looked = 0;
  for (const key of records.keys(parent, at)) {
    if (records.outputsOf(collection, key, at).length > 0) found.push(records.value(parent, key, at));
    if (found.length >= COMPARED || ++looked > 5000) break;
  }
  return found;
}

/** Compares the fields that were read with those of inputs that came out with something. */
export function likelyGuards(
  records: Records,
  reader: Reader,
  collection: string,
  input: string,
  at?: number,
): Guard[] {
  const parent = records.collection(collection, at)?.parents[0];
  if (parent === undefined) return [];
  const read = reader.probe(collection, input)?.reads.find(r => r.collection === parent && r.key === input);
  if (!read) return [];
  const own = records.value(parent, input, at);
  const others = fruitful(records, collection, parent, at);
  const guards: Guard[] = [];
  for (const path of read.paths) {
    const value = readPath(own, path);
    if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) continue;
    const theirs = others.map(o => readPath(o, path));
    // A name or an id differs everywhere; only a value that the others agree on, more or less, is a condition.
    const distinct = new Set(theirs.map(v => JSON.stringify(v)));
    const unlike = others.length > 0 && !distinct.has(JSON.stringify(value));
    if (unlike && distinct.size <= Math.max(1, others.length / 4))
      guards.push({path, value, others: [...new Set(theirs)].slice(0, 3), compared: others.length});
  }
  return guards;
}

function guardParts(guards: readonly Guard[], read: readonly string[]): Part[] {
  const [guard] = guards;
  if (guard) {
    const said = listWords(guard.others.map(valueWords));
    return [
      text(' Most likely because '),
      code(guard.path),
      text(' is '),
      code(valueWords(guard.value), 'error'),
      text(`: the ${guard.compared} inputs with output that were compared say ${said}.`),
    ];
  }
  return read.length > 0 ? [text(` It read ${listWords(read, 6)}.`)] : [];
}

function decide(
  records: Records,
  collection: string,
  input: string,
  run: RecordedRun | undefined,
  guards: readonly Guard[],
  read: readonly string[],
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
  const missed = run.fetches.filter(f => f.matched === 0);
  const words = [subject, text(` ran in batch ${run.sequence} and returned nothing`)];
  if (run.fetches.length === 0)
    return {
      verdict: 'did-not-look',
      parts: [...words, text(' before it fetched anything.'), ...guardParts(guards, read)],
    };
  if (missed.length > 0) {
    const names = listWords(
      missed.map(f => fetchWords(f.collection, f.filter)),
      3,
    );
    return {
      verdict: 'looked-elsewhere',
      parts: [...words, text('; '), code(names), text(' found nothing.'), ...guardParts(guards, read)],
    };
  }
  return {
    verdict: 'equal',
    parts: [...words, text(', though every fetch found something.'), ...guardParts(guards, read)],
  };
}

/** Throws Unanswerable for a key that is no input of the collection, and for one that has output. */
export function whyEmpty(
  records: Records,
  reader: Reader,
  asked: {collection: string; key: string; at?: number | undefined},
): WhyNot {
  const {collection, key, at} = asked;
  const facts = factsOf(records, collection, at);
  const parent = facts.parents[0];
  if (!records.hasInput(collection, key, at)) {
    throw new Unanswerable(
      'unknown-key',
      `${collection} has no input "${key}"`,
      parent === undefined
        ? `${collection} is not computed from anything`
        : `its inputs are the items of ${parent}`,
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
  const guards = at === undefined ? likelyGuards(records, reader, collection, key) : [];
  const probe = at === undefined ? reader.probe(collection, key) : undefined;
  const read = probe?.reads.find(r => r.collection === parent && r.key === key)?.paths ?? [];
  const {verdict, parts} = decide(records, collection, key, run, guards, read, at);
  const looked = run ? wireRun(run).fetches : [];
  const reasons: Record<Verdict, string> = {
    'did-not-look': looked.length === 0 ? 'no fetch was made' : `${looked.length} fetches were made`,
    'looked-elsewhere': `${looked.filter(f => f.matched === 0).length} of ${looked.length} fetches found nothing`,
    equal: run ? `run ${run.id} came out ${run.outcome}` : 'no run',
    waiting: facts.synced ? 'synced' : 'not synced',
    discarded: run?.outcome === 'discarded' || run?.outcome === 'failed' ? run.outcome : 'no discards',
    'no-change': run ? `ran in batch ${run.sequence}` : 'no run recorded',
  };
  const evidence: Evidence = {
    ruled: verdicts.map(v => ({verdict: v, held: v === verdict, reason: reasons[v]})),
    clauses: guards.map(g => ({
      clause: g.path,
      wants: `= ${listWords(g.others.map(valueWords))}`,
      new: valueWords(g.value),
      matchesNew: false,
    })),
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
