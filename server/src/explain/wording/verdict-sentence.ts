// The pieces of a verdict's sentence: who is meant, what took a row away, until when something matched.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {EvidenceClause as Row, SentencePart} from '@krtscope/shared/why.ts';
import {isPathRead} from '../evidence/field-reads.ts';
import type {RecordedRun} from '../records.ts';
import {causeChainOfChange, causeChainOfRun, changeHop} from '../why/cause-chain.ts';
import {findLikelyFields, likelyFieldParts} from '../why-not/likely-field.ts';
import {lastMatchingChange, lastMatchingFilter, type VerdictFacts} from '../why-not/verdict-facts.ts';
import {code, fetchWords, item, listWords, text} from './sentence.ts';
import {hopParts} from './why-sentence.ts';

/** A row that is gone while its input lives goes by that input: it is the one that runs. */
export function readerPart({looker, records, at}: VerdictFacts): SentencePart {
  const there = looker.run === undefined || records.has(looker.collection, looker.key, at);
  return item({collection: looker.collection, key: there ? looker.key : looker.input}, 'subject');
}

export const expectedPart = (c: VerdictFacts): SentencePart => item(c.expected, 'cause');

/** "WorkloadServices/x is computed from it" where the item further up is the one that looks. */
export function computedFromParts(c: VerdictFacts): SentencePart[] {
  if (c.looker.collection === c.asked.collection && c.looker.key === c.asked.key) return [];
  return [text(' '), item(c.asked, 'subject'), text(' is computed from it.')];
}

/** "Services/x wants app=orders, and Workloads/y offers app=order", "Pods/x has labels.app a where the fetch wants b". */
export function failingClauseParts(c: VerdictFacts, failing: Row): SentencePart[] {
  const has = failing.new ?? failing.old ?? 'none';
  const wants = failing.wants.replace(/^= /, '');
  if (failing.clause.startsWith('selector.')) {
    const label = failing.clause.slice('selector.'.length);
    const offered = failing.wants === 'not asked for' ? `no ${label}` : `${label}=${wants}`;
    return [
      expectedPart(c),
      text(' wants '),
      code(`${label}=${has}`),
      text(' where '),
      code(offered, 'error'),
      text(' is offered'),
    ];
  }
  return [
    expectedPart(c),
    text(` has ${failing.clause} `),
    code(has, 'error'),
    text(' where the fetch wants '),
    code(wants),
  ];
}

/** "X was deleted in #44 because Services/x was deleted", for a row that is gone. */
export function removalParts(c: VerdictFacts): SentencePart[] {
  const {change} = c.asked;
  if (c.asked.state !== 'gone' || !change) return [];
  const own = change.collection === c.asked.collection;
  const run = own && change.run !== undefined ? c.records.runById(change.run) : undefined;
  const below = run
    ? causeChainOfRun(c.reader, run, {kind: 'row', key: c.asked.key})[0]
    : own
      ? causeChainOfChange(c.reader, change)[0]
      : changeHop(change);
  const because: SentencePart[] =
    below && below.text === undefined
      ? [text(' because '), item(below, 'cause'), text(' '), ...hopParts(below)]
      : [];
  const what = own ? 'was deleted in' : 'has been no input since';
  return [item(c.asked, 'subject'), text(` ${what} #${change.sequence}`), ...because];
}

/** A run that returned before it fetched: the field that most likely made it, as why-empty has it. */
export function earlyReturnParts(c: VerdictFacts): SentencePart[] {
  if (c.run?.outcome !== 'empty' || c.run.fetches.length > 0) return [];
  const [guard] = findLikelyFields(c.records, c.reader, c.run, c.at);
  return guard ? [text(' It returned nothing before that.'), ...likelyFieldParts([guard], [])] : [];
}

/** "It matched until #22, when it changed label app from a to b, written by x; run 22.3 was the answer to that." */
export function matchedUntilParts(c: VerdictFacts): SentencePart[] {
  const last = c.look?.best && lastMatchingChange(c, c.look.best.fetch);
  if (!last) return [];
  const hop = changeHop(last);
  const answer = c.records.lastRun(c.looker.collection, c.looker.input, last.sequence);
  const same = answer?.sequence === last.sequence ? answer : undefined;
  return [
    text(` It matched until #${last.sequence}, when it `),
    ...hopParts(hop),
    ...(hop.writer ? [text(', written by '), code(hop.writer.manager)] : []),
    ...(same ? [text(`; run #${same.id} was the answer to that: it ${outcomeVerb(same.outcome)}`)] : []),
    text('.'),
  ];
}

/** "It asked fetch(Pods, labels app=cart) until #38, when Services/x changed spec.selector.app …, written by helm." */
export function filterChangeParts(c: VerdictFacts): SentencePart[] {
  const was = c.look?.best && lastMatchingFilter(c, c.look.best);
  if (!was) return [];
  const hop = was.change && changeHop(was.change);
  return [
    text(' It asked '),
    code(fetchWords(c.expected.collection, was.before.filter)),
    text(`, which found it, until #${was.run.sequence}`),
    ...(hop
      ? [
          text(', when '),
          item(hop, 'cause'),
          text(' '),
          ...hopParts(hop),
          ...(hop.writer ? [text(', written by '), code(hop.writer.manager)] : []),
        ]
      : []),
    text('.'),
  ];
}

export function outcomeVerb(outcome: RunOutcome): string {
  const did: Partial<Record<RunOutcome, string>> = {added: 'was added', deleted: 'was deleted'};
  return did[outcome] ?? outcome;
}

/** Changed paths of the expected one that the run does not read: why the result could not differ. */
export function unreadWords(c: VerdictFacts, run: RecordedRun | undefined): string {
  if (c.change?.event !== 'update') return '';
  const {changes} = changeHop(c.change);
  if (changes.length === 0) return '';
  const read = c.look?.route[c.look.route.length - 1]?.run;
  const paths = c.reader.pathsRead(run?.sequence === c.change.sequence ? run : read, c.change);
  const named = listWords(
    changes.map(x => x.path),
    3,
  );
  const unread = paths && changes.every(x => !isPathRead(x.path, paths));
  return unread
    ? ` What changed was ${named}, and the formula does not read ${changes.length === 1 ? 'it' : 'them'}.`
    : ` What changed was ${named}.`;
}
