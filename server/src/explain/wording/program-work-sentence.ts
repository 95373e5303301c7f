// Titles, messages and hints about the work of an attached program: runs in vain, scans, large and busy collections.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {WorkFact} from '@krtscope/shared/programs/work.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {CheckWords} from './cluster-check-sentence.ts';
import {countWords, listWords} from './value-words.ts';

export function workFactWords(program: string, fact: WorkFact): CheckWords {
  switch (fact.code) {
    case 'equal-runs':
      return equalRunWords(fact);
    case 'repeated-runs':
      return {
        title: `${fact.collection} ran ${countWords(fact.repeated, 'time')} more than needed`,
        message: `${percent(fact.repeated, fact.runs)} of its ${countWords(fact.runs, 'run')} were of an input that had already run for the same change${causeWords(fact.cause)}`,
        hint: `Several collections that ${fact.collection} fetches change one after the other, and each makes it run`,
      };
    case 'unindexed-fetch':
      return {
        title: `${fact.collection} fetches ${fact.read} without an index`,
        message: `${fact.fetches === 1 ? '1 fetch' : `${fact.fetches} fetches`} by ${filterWords(fact.filter)} compared ${countWords(fact.rows, 'row')} of ${fact.read}`,
        hint: `In ${program}, fetch ${fact.read} by key or through a krt index`,
      };
    case 'not-synced':
      return {
        title: `${fact.collection} is not synced`,
        message: `${program} has said for more than 10 seconds that ${fact.collection} is not synced. Collections that read it wait`,
        hint: `Look for errors of its informer in the log of ${program}`,
      };
    case 'without-output':
      return {
        title: `${countWords(fact.keys.length, 'input')} of ${fact.collection} without rows`,
        message: `${fact.inputs - fact.keys.length} of ${countWords(fact.inputs, 'input')} of ${fact.collection} give rows. These give none: ${listWords(fact.keys, 3)}`,
        hint: 'Ask Why empty? of one of them',
      };
    case 'comes-and-goes':
      return {
        title: `Rows of ${fact.collection} come and go`,
        message: `In the last 10 minutes ${listWords(fact.keys, 3)} came back ${countWords(fact.times, 'time')} after being removed`,
        hint: 'Ask Why? of such a row each time it changes',
      };
    case 'largest':
      return {
        title: `${fact.collection} is ${Math.round(fact.share * 100)}% of the document of ${program}`,
        message: `${countWords(fact.rows, 'row')} of ${fact.collection} take ${(fact.bytes / 1e6).toFixed(1)} MB`,
        hint: undefined,
      };
    case 'busiest':
      return {
        title: `${fact.collection} has ${Math.round(fact.share * 100)}% of the changes of ${program}`,
        message: `${countWords(fact.changes, 'row')} of ${fact.collection} changed since krtscope attached`,
        hint: undefined,
      };
    case 'absent-names':
      return {
        title: `${countWords(fact.names.length, 'name')} in the document of ${program} ${fact.names.length === 1 ? 'stands' : 'stand'} for no collection`,
        message: `Collections read ${listWords(fact.names, 5)}, and the document leaves ${fact.names.length === 1 ? 'it' : 'them'} out. Go's joins are never in it`,
        hint: undefined,
      };
  }
}

function equalRunWords({collection, runs, equal, last}: WorkFact & {code: 'equal-runs'}): CheckWords {
  const inputs = `${countWords(last.inputs, 'input')} of it ran ${countWords(last.runs, 'time')}, and ${last.equal === last.runs ? 'no run' : `${last.runs - last.equal} of the runs`} changed a row`;
  return {
    title: `${equal} of ${countWords(runs, 'run')} of ${collection} changed nothing`,
    message: `${percent(equal, runs)} of the runs of ${collection} changed nothing. After the last ${last.cause === undefined ? 'change' : `change of ${objectName(last.cause)}`} ${inputs}`,
    hint: 'Ask Why? of a row to see which fetch makes it run',
  };
}

function causeWords(cause: ItemRef | undefined): string {
  return cause === undefined ? '' : `, the last time after a change of ${objectName(cause)}`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`;
}

/** The log names a clause that is a function `generic`. */
function filterWords(kinds: string): string {
  const words = kinds.split(', ').map(kind => (kind === 'generic' ? 'a function' : 'labels'));
  return [...new Set(words)].join(' and ');
}
