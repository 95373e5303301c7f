// The verdicts about lookups: the item does not read the collection, or looks for something else.
import type {SentencePart} from '@krtscope/shared/why.ts';
import {lookupOf} from '../evidence/lookup.ts';
import {changeHop} from '../why/cause-chain.ts';
import {hopWordsOf} from '../why/why-words.ts';
import {emptyLookupParts, emptyWithoutFetchParts, likelyFieldParts} from '../wording/empty-sentence.ts';
import {ruledOutWords} from '../wording/ruled-out-words.ts';
import {say} from '../wording/say.ts';
import {
  computedFromParts,
  didNotLookParts,
  filterChangedParts,
  lookedElsewhereParts,
  matchedUntilParts,
  type NoReadReason,
  notInIndexParts,
  notInLookupParts,
  otherInputParts,
} from '../wording/verdict-sentence.ts';
import type {EmptyInputFacts} from './empty-input-facts.ts';
import {findLikelyFields, guessParts} from './likely-field.ts';
import type {FilterTry} from './possible-readers.ts';
import {readerOf} from './run-verdicts.ts';
import {failingClause, lastMatchingChange, lastMatchingFilter, type VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRuling} from './verdict-rule.ts';

function readKindOf({look}: VerdictFacts): string {
  if (look?.beyond) return `a fetch of ${look.beyond.collection}, which is computed from it`;
  return look?.best ? 'a fetch' : 'its input or parts';
}

export function didNotLook(facts: VerdictFacts): VerdictRuling {
  const {expected, asked, run, looker} = facts;
  if (facts.look) return ruleOut(ruledOutWords.reads(looker, expected.collection, readKindOf(facts)));
  const reason = ruledOutWords.noReader(expected.collection);
  const {kind, parents} = asked.facts;
  const isView = kind === 'join' || kind === 'index' || kind === 'map' || kind === 'status';
  const why: NoReadReason = isView
    ? {kind: 'view', parents}
    : run
      ? {kind: 'run', reads: [...new Set(run.fetches.map(fetch => fetch.collection))]}
      : {kind: parents.length === 0 ? 'source' : 'no-run'};
  const about = why.kind === 'run' ? readerOf(facts) : asked;
  const early = why.kind === 'run' ? earlyReturn(facts) : undefined;
  return {reason, parts: say`${didNotLookParts(about, expected.collection, why)}${early}`};
}

/** A run that returned before it fetched: the field that most likely made it do so. */
function earlyReturn({run, records, reader, at}: VerdictFacts): SentencePart[] | undefined {
  if (run?.outcome !== 'empty' || run.fetches.length > 0) return undefined;
  const [field] = findLikelyFields(records, reader, run, at);
  return field && likelyFieldParts(field);
}

export function lookedElsewhere(facts: VerdictFacts): VerdictRuling {
  const {look, expected, exists, change, wave} = facts;
  if (!look) return ruleOut(ruledOutWords.didNotLook);
  if (look.used) return ruleOut(look.best ? ruledOutWords.filterMatches : ruledOutWords.isInput);
  if (!exists && !change) return ruleOut(ruledOutWords.never(expected));
  // The item reacted to the deletion: that is the answer.
  if (!exists && wave && wave.end !== 'nowhere') return ruleOut(ruledOutWords.foundUntilDeleted);
  const reader = readerOf(facts);
  const above = computedFromParts(facts.asked, reader);
  if (look.beyond) {
    const {collection, filter} = look.beyond;
    return {
      reason: ruledOutWords.derivedMiss(collection, filter),
      parts: say`${notInLookupParts(reader, look.beyond, expected)}${above}`,
    };
  }
  if (!look.best || !facts.run) return {reason: ruledOutWords.otherInput, parts: otherItemParts(facts)};
  const failing = failingClause(facts);
  const parts = lookedElsewhereParts({
    lookup: lookupOf(facts.records, facts.run, look.best.fetch, reader, facts.at),
    expected,
    failing,
    deleted: exists ? undefined : change?.sequence,
    until: exists ? [...matchedUntil(facts, look.best), ...filterChanged(facts, look.best)] : [],
  });
  return {reason: ruledOutWords.noFilter(failing?.clause), parts: say`${parts}${above}`};
}

function matchedUntil(facts: VerdictFacts, {fetch}: FilterTry): SentencePart[] {
  const last = lastMatchingChange(facts, fetch);
  if (!last) return [];
  const {collection, input} = facts.looker;
  const run = facts.records.lastRun(collection, input, last.sequence);
  return matchedUntilParts(hopWordsOf(changeHop(last)), run?.sequence === last.sequence ? run : undefined);
}

function filterChanged(facts: VerdictFacts, best: FilterTry): SentencePart[] {
  const was = lastMatchingFilter(facts, best);
  if (!was) return [];
  const fetch = {collection: facts.expected.collection, filter: was.before.filter};
  return filterChangedParts(fetch, was.run.sequence, was.change && hopWordsOf(changeHop(was.change)));
}

/** The item is computed from other objects than the expected one. */
function otherItemParts(facts: VerdictFacts): SentencePart[] {
  const {looker, expected, look, records, at} = facts;
  if (looker.facts.kind !== 'index') {
    const input = {collection: expected.collection, key: looker.input};
    const reader = readerOf(facts);
    return say`${otherInputParts(reader, input, expected)}${computedFromParts(facts.asked, reader)}`;
  }
  const member = look?.meant?.item;
  const row = look?.meant?.row;
  const [parent] = looker.facts.parents;
  const isOwnObject = parent === expected.collection;
  return notInIndexParts({
    row: looker,
    count: records.inputsOf(looker.collection, looker.key, at).length,
    expected,
    member: isOwnObject ? undefined : member,
    emptyParent: isOwnObject || member ? undefined : parent,
    actualRow: row === undefined ? undefined : {collection: looker.collection, key: row},
  });
}

export function madeNoFetch(empty: EmptyInputFacts): VerdictRuling {
  const {run, collection, input, records, at} = empty;
  if (!run) return ruleOut(ruledOutWords.noRun);
  if (run.fetches.length > 0) return ruleOut(ruledOutWords.fetches(run.fetches.length));
  const doesFetch = records.edges(at).some(edge => edge.to === collection && edge.kind === 'fetch');
  const about = {collection, key: input};
  return {
    reason: ruledOutWords.noFetch,
    parts: emptyWithoutFetchParts(about, run.sequence, doesFetch, guessParts(empty)),
  };
}

export function foundNothing(empty: EmptyInputFacts): VerdictRuling {
  const {run, collection, input, nearest} = empty;
  const missed = run?.fetches.filter(fetch => fetch.matched === 0) ?? [];
  const [first] = missed;
  if (!run || first === undefined) return ruleOut(ruledOutWords.allFound);
  const about = {collection, key: input};
  const lookup = lookupOf(empty.records, run, empty.missed ?? first, about, empty.at);
  return {
    reason: ruledOutWords.missed(missed.length, run.fetches.length),
    parts: emptyLookupParts(about, lookup, {
      nearest,
      others: missed.length - 1,
      guess: nearest ? [] : guessParts(empty),
    }),
  };
}
