// The verdict where the session cannot know: a program's document names no filters and no runs, and its log is silent.
import {HIDDEN_FILTER_TEXT, UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import type {RecordedFetch, RecordedRun} from '../records.ts';
import {ruledOutWords} from '../wording/ruled-out-words.ts';
import {unknownEmptyParts, unknownReadParts} from '../wording/unknown-sentence.ts';
import type {EmptyInputFacts} from './empty-input-facts.ts';
import {readerOf} from './run-verdicts.ts';
import {findSiblingReads} from './sibling-reads.ts';
import type {VerdictFacts} from './verdict-facts.ts';
import {ruleOut, type VerdictRuling} from './verdict-rule.ts';

/** Whether the log of a program told this run. Its causes are inferred. */
function isFromLog({causes}: RecordedRun): boolean {
  return causes.some(({inferred}) => inferred === true);
}

/** Whether it cannot be decided if a fetch finds an object of this key. */
function isUndecided({filter, clauses}: RecordedFetch, run: RecordedRun, key: string): boolean {
  if (filter === UNKNOWN_FILTER_TEXT) return true;
  if (clauses.some(clause => clause.kind === 'keys' && !clause.keys.includes(key))) return false;
  return isFromLog(run) && clauses.some(({kind, text}) => kind !== 'keys' || text === HIDDEN_FILTER_TEXT);
}

export function cannotKnow(facts: VerdictFacts): VerdictRuling {
  const {look, run, wave, expected, change} = facts;
  if (look === undefined || run === undefined) return ruleOut(ruledOutWords.reported);
  // A run that answers to the change is a fact.
  if (wave?.run !== undefined && wave.end !== 'nowhere' && wave.run.outcome !== 'observed')
    return ruleOut(ruledOutWords.reported);
  const fetches = run.fetches.filter(({collection}) => collection === expected.collection);
  const isObserved = run.outcome === 'observed' || change?.observed === true;
  const isHidden = fetches.some(fetch => isUndecided(fetch, run, expected.key));
  if (!isHidden && !(isObserved && facts.records.formulas === undefined && run.outcome === 'observed'))
    return ruleOut(ruledOutWords.reported);
  return {
    reason: isObserved ? ruledOutWords.notReported : ruledOutWords.hiddenFilter(expected.collection),
    parts: unknownReadParts(readerOf(facts), expected, run.outcome === 'observed'),
  };
}

export function cannotKnowEmpty({
  records,
  facts,
  run,
  collection,
  input,
  at,
}: EmptyInputFacts): VerdictRuling {
  if (run?.outcome !== 'observed') return ruleOut(ruledOutWords.reported);
  const reads = findSiblingReads(records, {collection, input, parent: facts.parents[0]}, at);
  return {reason: ruledOutWords.notReported, parts: unknownEmptyParts({collection, key: input}, reads)};
}
