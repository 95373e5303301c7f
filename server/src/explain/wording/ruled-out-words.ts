// The fact by which each of the ten verdicts holds or is ruled out, in a few words.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {countWords, fetchWords} from './value-words.ts';

export const ruledOutWords = {
  exists: 'it exists',
  inputExists: 'its input exists',
  reported: 'what decides it is recorded',
  notReported: 'the program does not report its runs',
  hiddenFilter: (collection: string) => `the log does not name the whole filter of ${collection}`,
  goneSince: (sequence: number | undefined) => `deleted in #${sequence}`,
  synced: 'synced, and its last run was not suspended',
  notSynced: 'not synced',
  waitsFor: (collection: string) => `waits for ${collection}`,
  outcome: (outcome: RunOutcome) => `its last outcome was ${outcome}`,
  noRun: 'no run is recorded',
  ended: (id: string, how: 'failed' | 'discarded') => `run #${id} ${how}`,
  endedBefore: (how: 'failed' | 'discarded', sequence: number | undefined) =>
    `its last run ${how}, before #${sequence}`,
  reads: (reader: ItemRef, collection: string, by: string) =>
    `${objectName(reader)} reads ${collection} by ${by}`,
  noReader: (collection: string) => `nothing that it is computed from reads ${collection}`,
  didNotLook: 'it did not look',
  filterMatches: 'a filter matches it as it is',
  isInput: 'it is its input or a part of it',
  never: (ref: ItemRef) => `${objectName(ref)} never existed`,
  foundUntilDeleted: 'it was found until it was deleted',
  derivedMiss: (collection: string, filter: string) =>
    `${fetchWords(collection, filter)} found no row that is computed from it`,
  otherInput: 'it is computed from others',
  noFilter: (clause: string | undefined) =>
    clause === undefined ? 'no filter matches it' : `no filter matches it: ${clause} differs`,
  equal: (ref: ItemRef, run: string | undefined, result: string) =>
    run === undefined ? `${objectName(ref)}: ${result}` : `run #${run} of ${objectName(ref)}: ${result}`,
  noChange: 'no change of it is recorded',
  unknownEffects: 'the effects of its change are not known',
  cameThrough: (sequence: number) => `its change in #${sequence} came through`,
  nothingRan: (sequence: number) => `nothing ran for #${sequence}`,
  usedBy: (run: string) => `run #${run} used it`,
  changedIn: (sequence: number) => `it changed in #${sequence}`,
  olderRun: (run: string) => `its last run, ${run}, is older or does not use it`,
  lastChange: (sequence: number) => `its last change was #${sequence}`,
  fetches: (count: number) => `${countWords(count, 'fetch', 'fetches')} made`,
  noFetch: 'no fetch was made',
  missed: (missed: number, all: number) =>
    `${missed} of ${countWords(all, 'fetch', 'fetches')} found nothing`,
  allFound: 'every fetch found something',
  ran: (run: string, outcome: RunOutcome) => `run #${run}: ${outcome}`,
  notAsked: 'not checked: an earlier verdict applies',
} as const;
