// The pieces of a verdict's sentence: who is meant, what took a row away, until when something matched.
import type {Part} from '@krtscope/shared/why.ts';
import type {Outcome} from '@krtscope/shared/words.ts';
import {chainBelowChange, chainBelowRun, changeHop} from './chain.ts';
import {guardParts, likelyGuards} from './guards.ts';
import {isRead} from './reads.ts';
import {code, item, listWords, text} from './sentence.ts';
import {type Case, lastMatch} from './why-not-case.ts';
import {hopParts} from './why-words.ts';

/** A row that is gone while its input lives goes by that input: it is the one that runs. */
export const subjectPart = (c: Case): Part =>
  item(c.looker.state === 'gone' ? {collection: c.looker.collection, key: c.input} : c.looker, 'subject');
export const expectedPart = (c: Case): Part => item(c.expected, 'cause');

/** "through Workloads/a" where the item above is the one that looks. */
export function through(c: Case): Part[] {
  if (c.looker.collection === c.asked.collection) return [];
  return [text(' '), item(c.asked, 'subject'), text(' is computed from it.')];
}

/** "X was deleted in batch 44 because Services/x was deleted", for a row that is gone. */
export function goneParts(c: Case): Part[] {
  const {change} = c.asked;
  if (c.asked.state !== 'gone' || !change) return [];
  const own = change.collection === c.asked.collection;
  const run = own && change.run !== undefined ? c.records.runById(change.run) : undefined;
  const below = run
    ? chainBelowRun(c.reader, run, {kind: 'row', key: c.asked.key})[0]
    : own
      ? chainBelowChange(c.reader, change)[0]
      : changeHop(change);
  const because: Part[] =
    below && below.text === undefined
      ? [text(' because '), item(below, 'cause'), text(' '), ...hopParts(below)]
      : [];
  const what = own ? 'was deleted in' : 'has been no input since';
  return [item(c.asked, 'subject'), text(` ${what} batch ${change.sequence}`), ...because];
}

/** A run that returned before it fetched: the field that most likely made it, as why-empty has it. */
export function returnedEarly(c: Case): Part[] {
  if (c.run?.outcome !== 'empty' || c.run.fetches.length > 0) return [];
  const [guard] = likelyGuards(c.records, c.reader, c.run, c.at);
  return guard ? [text(' It returned nothing before that.'), ...guardParts([guard], [])] : [];
}

/** "It matched until batch 22, when it changed label app from a to b, written by x." */
export function untilParts(c: Case): Part[] {
  const last = c.best && lastMatch(c, c.best.fetch);
  if (!last) return [];
  const hop = changeHop(last);
  const same = c.reaction?.sequence === last.sequence ? c.reaction : undefined;
  return [
    text(` It matched until batch ${last.sequence}, when it `),
    ...hopParts(hop),
    ...(hop.writer ? [text(', written by '), code(hop.writer.manager)] : []),
    ...(same ? [text(`; run ${same.id} was the answer to that: it ${didWords(same.outcome)}`)] : []),
    text('.'),
  ];
}

export function didWords(outcome: Outcome): string {
  const did: Partial<Record<Outcome, string>> = {added: 'was added', deleted: 'was deleted'};
  return did[outcome] ?? outcome;
}

/** Changed paths of the expected one that the formula does not read: why the result could not differ. */
export function unreadWords(c: Case): string {
  if (c.change?.event !== 'update') return '';
  const changes = changeHop(c.change).changes;
  if (changes.length === 0) return '';
  const paths = c.reader.paths(c.reaction, c.change);
  const named = listWords(
    changes.map(x => x.path),
    3,
  );
  if (!paths) return ` What changed was ${named}.`;
  const unread = changes.filter(x => !isRead(x.path, paths));
  if (unread.length === changes.length)
    return ` What changed was ${named}, and the formula does not read ${changes.length === 1 ? 'it' : 'them'}.`;
  return ` What changed was ${named}.`;
}
