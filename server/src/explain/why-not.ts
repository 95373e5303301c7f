// Why an item did not react to what somebody expected it to: the verdict and its evidence.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Verdict} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, WhyNot} from '@krtscope/shared/why.ts';
import {changeHop} from './chain.ts';
import {isSyncedBefore} from './effects.ts';
import {holdersOf} from './holders.ts';
import {lastMember} from './member.ts';
import {nearestMiss} from './nearest.ts';
import {isUntold, UNTOLD} from './observed.ts';
import type {Reader} from './reads.ts';
import type {RecordedRun, Records} from './records.ts';
import {fetchWords, plain, text} from './sentence.ts';
import {type Asked, factsOf, subjectOf} from './subject.ts';
import {type Decision, decide} from './verdict.ts';
import {wireRun} from './why.ts';
import {type Case, caseOf, failingRow} from './why-not-case.ts';

/** Who did react to the expected one's last change, the asked and the looking item left out. */
function reactedTo(c: Case): Evidence['reacted'] {
  const {records, change} = c;
  const batch = change && records.batch(change.sequence);
  if (!batch || !change) return [];
  const {place} = change;
  if (place === undefined) return [];
  const groups = new Map<string, Evidence['reacted'][number]>();
  for (const position of batch.causedBy(place)) {
    const run = batch.run(position);
    const isOwn = [c.asked, c.looker].some(
      one => one.collection === run.collection && (one.input ?? one.key) === run.input,
    );
    if (isOwn) continue;
    const cause = run.causes.find(x => x.published === place);
    const filter = cause?.filter ?? (cause?.kind === 'input' ? 'primary input' : (cause?.kind ?? ''));
    const id = `${run.collection}\n${cause?.kind === 'fetch' ? 'fetch' : 'input'}`;
    const group = groups.get(id) ?? {collection: run.collection, filter, runs: 0, outcome: run.outcome};
    group.runs++;
    if (run.outcome === 'changed' || run.outcome === 'added') group.outcome = run.outcome;
    groups.set(id, group);
  }
  const ran = new Set(batch.causedBy(place).map(position => batch.run(position).collection));
  const quiet = records
    .edges(c.at)
    .filter(e => e.from === change.collection && e.kind === 'fetch' && !ran.has(e.to))
    // Of the one that is asked about the verdict speaks.
    .filter(e => e.to !== c.asked.collection && e.to !== c.looker.collection)
    .map(e => {
      const heard = [change.collection, e.to].every(name => isSyncedBefore(records, name, change.sequence));
      const filter = heard ? 'no recorded filter matched' : 'had not synced yet, and looked when it had';
      return {collection: e.to, filter, runs: 0};
    });
  return [...groups.values(), ...quiet];
}

/** The run that the verdict speaks of. */
function runOf(c: Case, verdict: Verdict): RecordedRun | undefined {
  if (verdict === 'equal' || verdict === 'reacted') return c.wave?.run ?? c.run;
  return verdict === 'gone' ? undefined : c.run;
}

function evidenceOf(c: Case, {verdict, ruled}: Decision): Evidence {
  const parent = c.looker.facts.parents[0];
  const miss =
    verdict === 'looked-elsewhere'
      ? nearestMiss(
          c.records,
          failingRow(c),
          {facts: factsOf(c.records, c.expected.collection, c.at), key: c.expected.key},
          {
            facts: parent === undefined ? undefined : c.records.collection(parent, c.at),
            key: c.looker.input,
          },
          c.at,
        )
      : {};
  const run = runOf(c, verdict);
  const best = c.look?.best;
  return {
    ruled,
    ...(best ? {fetch: fetchWords(c.expected.collection, best.fetch.filter)} : {}),
    clauses: best?.tried.rows ?? [],
    ...(miss.nearest ? {nearest: miss.nearest} : {}),
    looked: c.run ? wireRun(c.run).fetches : [],
    reacted: reactedTo(c),
    holders:
      verdict === 'waiting' ? holdersOf(c.records, c.run?.waitingFor ?? c.looker.collection, c.at) : [],
    ...(run ? {run: wireRun(run)} : {}),
    ...(c.change ? {last: changeHop(c.change)} : {}),
    ...(miss.command !== undefined ? {command: miss.command} : {}),
  };
}

/** Without an expectation it is about the item's own primary input. */
export function whyNot(
  records: Records,
  reader: Reader,
  asked: Asked & {readonly expected?: ItemRef | undefined},
): WhyNot {
  const {at} = asked;
  const subject = subjectOf(records, {collection: asked.collection, key: asked.key, input: asked.input, at});
  const input = subject.input ?? records.inputsOf(subject.collection, subject.key, at)[0] ?? subject.key;
  const expected = asked.expected ?? {
    collection: subject.facts.parents[0] ?? subject.collection,
    key: lastMember(records, subject, at) ?? input,
  };
  factsOf(records, expected.collection, at);
  const c = caseOf(records, reader, subject, expected, at);
  const decision = decide(c);
  const {verdict} = decision;
  // What was only seen is no ground for a reason.
  const untold = isUntold(subject) || c.run?.outcome === 'observed' || c.change?.observed === true;
  const parts = untold ? [...decision.parts, text(`; ${UNTOLD}`)] : decision.parts;
  return {
    sequence: at ?? records.newest(),
    collection: subject.collection,
    key: subject.key,
    expected,
    verdict,
    sentence: plain(parts),
    parts,
    evidence: evidenceOf(c, decision),
  };
}
