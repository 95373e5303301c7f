// Answers why an item did not react to an object: the verdict and its evidence.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Verdict} from '@krtscope/shared/vocabulary.ts';
import type {Evidence, WhyNot} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {factsOf, type ItemQuestion, subjectOf} from '../evidence/question-subject.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {RecordedRun, Records} from '../records.ts';
import {changeHop} from '../why/cause-chain.ts';
import {isSyncedBefore} from '../why/effects.ts';
import {isUnexplained} from '../why/unexplained-change.ts';
import {toWireRun} from '../wire-run.ts';
import {NO_REASON} from '../wording/change-sentence.ts';
import {say, toPlainText} from '../wording/say.ts';
import {fetchWords} from '../wording/value-words.ts';
import {lastMember} from './index-member.ts';
import {describeMismatch} from './mismatch-fix.ts';
import {revertOfMismatch} from './mismatch-revert.ts';
import {failingClause, findVerdictFacts, type VerdictFacts} from './verdict-facts.ts';
import {decideVerdict, type VerdictDecision} from './verdict-table.ts';

/** The collections that reacted to the last change of the expected object, without the asked and the reading item. */
function reactionsTo(c: VerdictFacts): Evidence['reacted'] {
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
    // The verdict itself tells about the asked item.
    .filter(e => e.to !== c.asked.collection && e.to !== c.looker.collection)
    .map(e => {
      const wasSynced = [change.collection, e.to].every(name =>
        isSyncedBefore(records, name, change.sequence),
      );
      const filter = wasSynced ? 'no recorded filter matched' : 'had not synced yet and read it later';
      return {collection: e.to, filter, runs: 0};
    });
  return [...groups.values(), ...quiet];
}

/** The run that the verdict is about. */
function runOfVerdict(c: VerdictFacts, verdict: Verdict): RecordedRun | undefined {
  if (verdict === 'equal' || verdict === 'reacted') return c.wave?.run ?? c.run;
  return verdict === 'gone' ? undefined : c.run;
}

function verdictEvidence(c: VerdictFacts, {verdict, ruled}: VerdictDecision): Evidence {
  const parent = c.looker.facts.parents[0];
  const miss =
    verdict === 'looked-elsewhere'
      ? describeMismatch(
          c.records,
          failingClause(c),
          {facts: factsOf(c.records, c.expected.collection, c.at), key: c.expected.key},
          {
            facts: parent === undefined ? undefined : c.records.collection(parent, c.at),
            key: c.looker.input,
          },
          c.at,
        )
      : {};
  const run = runOfVerdict(c, verdict);
  const best = c.look?.best;
  return {
    ruled,
    ...(best ? {fetch: fetchWords(c.expected.collection, best.fetch.filter)} : {}),
    clauses: best?.tried.rows ?? [],
    looked: c.run ? toWireRun(c.run).fetches : [],
    reacted: reactionsTo(c),
    holders:
      verdict === 'waiting' ? syncBlockersOf(c.records, c.run?.waitingFor ?? c.looker.collection, c.at) : [],
    ...(run ? {run: toWireRun(run)} : {}),
    ...(c.change ? {last: changeHop(c.change)} : {}),
    ...miss,
    ...(verdict === 'looked-elsewhere' ? revertOfMismatch(c) : {}),
  };
}

/** Without an expected object the question is about the item's own input. */
export function explainWhyNot(
  records: Records,
  reader: RerunReader,
  asked: ItemQuestion & {readonly expected?: ItemRef | undefined},
): WhyNot {
  const {at} = asked;
  const subject = subjectOf(records, {collection: asked.collection, key: asked.key, input: asked.input, at});
  const input = subject.input ?? records.inputsOf(subject.collection, subject.key, at)[0] ?? subject.key;
  const expected = asked.expected ?? {
    collection: subject.facts.parents[0] ?? subject.collection,
    key: lastMember(records, subject, at) ?? input,
  };
  factsOf(records, expected.collection, at);
  const facts = findVerdictFacts(records, reader, subject, expected, at);
  const decision = decideVerdict(facts);
  const {verdict} = decision;
  // A change without a recorded cause gives no ground for a reason.
  const isReasonMissing =
    verdict !== 'unknown' &&
    (isUnexplained(subject) || facts.run?.outcome === 'observed' || facts.change?.observed === true);
  const parts = isReasonMissing ? say`${decision.parts} ${NO_REASON}.` : decision.parts;
  return {
    sequence: at ?? records.newest(),
    collection: subject.collection,
    key: subject.key,
    expected,
    verdict,
    sentence: toPlainText(parts),
    parts,
    evidence: verdictEvidence(facts, decision),
  };
}
