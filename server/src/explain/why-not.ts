// Why an item did not react to what somebody expected it to: the verdict and its evidence.
import type {Ref} from '@krtscope/shared/run.ts';
import type {Evidence, WhyNot} from '@krtscope/shared/why.ts';
import {type Verdict, verdicts} from '@krtscope/shared/words.ts';
import {changeHop} from './chain.ts';
import {isSyncedBefore} from './effects.ts';
import {holdersOf} from './holders.ts';
import {nearestMiss} from './nearest.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, Records} from './records.ts';
import {fetchWords, plain} from './sentence.ts';
import {type Asked, factsOf, subjectOf} from './subject.ts';
import {decide} from './verdict.ts';
import {wireRun} from './why.ts';
import {type Case, caseOf, failingRow} from './why-not-case.ts';

const run = (c: Case) => c.reaction ?? c.run;

/** The fact that ruled each verdict out, or made it the answer. */
function ruled(c: Case, verdict: Verdict): Evidence['ruled'] {
  const looked = c.primary
    ? `${c.expected.collection} is its primary input`
    : c.fetches.length > 0
      ? `${c.expected.collection} was fetched`
      : `${c.expected.collection} was not fetched`;
  const matched = c.primary
    ? 'its own input'
    : c.best?.tried.matchesNew === false
      ? c.best.tried.matchesOld
        ? 'a filter matched its old version, none the new one'
        : 'no filter matches it'
      : c.best || c.reaction
        ? 'a filter matches it'
        : 'not reached';
  const reacted = c.reaction ? `run ${c.reaction.id} came out ${c.reaction.outcome}` : 'no run in that batch';
  const facts: Record<Verdict, string> = {
    'did-not-look': looked,
    'looked-elsewhere': matched,
    equal: reacted,
    gone: c.gone ? 'its input is gone' : 'it is there',
    failed: run(c)?.outcome === 'failed' ? 'failed' : 'no failure',
    reacted,
    waiting: c.looker.facts.synced && c.run?.outcome !== 'suspended' ? 'synced' : 'not synced',
    discarded:
      c.run?.outcome === 'discarded' || c.reaction?.outcome === 'discarded' ? 'discarded' : 'no discards',
    'no-change': c.change ? `changed in batch ${c.change.sequence}` : 'no change recorded',
  };
  return verdicts.map(v => ({verdict: v, held: v === verdict, reason: facts[v]}));
}

/** Who did react to the expected one's last change. */
export function reactedTo(records: Records, change: RecordedChange | undefined): Evidence['reacted'] {
  const batch = change && records.batch(change.sequence);
  if (!batch || !change) return [];
  const {place} = change;
  if (place === undefined) return [];
  const groups = new Map<string, Evidence['reacted'][number]>();
  for (const position of batch.causedBy(place)) {
    const run = batch.run(position);
    const cause = run.causes.find(x => x.published === place);
    const filter = cause?.filter ?? (cause?.kind === 'input' ? 'primary input' : (cause?.kind ?? ''));
    const id = `${run.collection}\n${cause?.kind === 'fetch' ? 'fetch' : 'input'}`;
    const group = groups.get(id) ?? {collection: run.collection, filter, runs: 0, outcome: run.outcome};
    group.runs++;
    if (run.outcome === 'changed' || run.outcome === 'added') group.outcome = run.outcome;
    groups.set(id, group);
  }
  const quiet = records
    .edges()
    .filter(
      e =>
        e.from === change.collection &&
        e.kind === 'fetch' &&
        ![...groups.values()].some(g => g.collection === e.to),
    )
    .map(e => {
      const heard = [change.collection, e.to].every(name => isSyncedBefore(records, name, change.sequence));
      const filter = heard ? 'no recorded filter matched' : 'had not synced yet, and looked when it had';
      return {collection: e.to, filter, runs: 0};
    });
  return [...groups.values(), ...quiet];
}

function evidenceOf(c: Case, verdict: Verdict): Evidence {
  const elsewhere = verdict === 'looked-elsewhere';
  const parent = c.looker.facts.parents[0];
  const miss = elsewhere
    ? nearestMiss(
        c.records,
        failingRow(c),
        {facts: factsOf(c.records, c.expected.collection, c.at), key: c.expected.key},
        {facts: parent === undefined ? undefined : c.records.collection(parent, c.at), key: c.input},
        c.at,
      )
    : {};
  const run = c.reaction ?? c.run;
  return {
    ruled: ruled(c, verdict),
    ...(c.best ? {fetch: fetchWords(c.expected.collection, c.best.fetch.filter)} : {}),
    clauses: c.best?.tried.rows ?? [],
    ...(miss.nearest ? {nearest: miss.nearest} : {}),
    looked: c.run ? wireRun(c.run).fetches : [],
    reacted: reactedTo(c.records, c.change),
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
  asked: Asked & {readonly expected?: Ref | undefined},
): WhyNot {
  const {at} = asked;
  const subject = subjectOf(records, {collection: asked.collection, key: asked.key, input: asked.input, at});
  const input = subject.input ?? records.inputsOf(subject.collection, subject.key, at)[0] ?? subject.key;
  const expected = asked.expected ?? {collection: subject.facts.parents[0] ?? subject.collection, key: input};
  factsOf(records, expected.collection, at);
  const c = caseOf(records, reader, subject, expected, at);
  const {verdict, parts} = decide(c);
  return {
    sequence: at ?? records.newest(),
    collection: subject.collection,
    key: subject.key,
    expected,
    verdict,
    sentence: plain(parts),
    parts,
    evidence: evidenceOf(c, verdict),
  };
}
