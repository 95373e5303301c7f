// Chooses what is worth a finding among the counted runs and the facts of documents.
import type {ProgramWork, WorkFact} from '@krtscope/shared/programs/work.ts';

/** Fewer equal runs are no pattern. */
const MIN_EQUAL_RUNS = 5;
const MIN_EQUAL_SHARE = 0.5;
const MIN_REPEATED_RUNS = 3;
/** Findings of one code. */
const MAX_OF_CODE = 10;
/** A collection with a smaller share is not large or busy. */
const MIN_SHARE = 0.2;
const MIN_BYTES = 1_000_000;
const MIN_CHANGES = 50;

export function workFactsOf(
  {collections, documents}: ProgramWork,
  lastingUnsynced: readonly string[],
): WorkFact[] {
  return [
    ...lastingUnsynced.map((collection): WorkFact => ({code: 'not-synced', collection})),
    ...equalRuns(collections),
    ...repeatedRuns(collections),
    ...scans(collections),
    ...comingAndGoing(documents.flapping),
    ...documents.withoutOutput
      .slice(0, MAX_OF_CODE)
      .map((one): WorkFact => ({code: 'without-output', ...one})),
    ...documents.largest
      .filter(({share, bytes}) => share >= MIN_SHARE && bytes >= MIN_BYTES)
      .map((one): WorkFact => ({code: 'largest', ...one})),
    ...documents.busiest
      .filter(({share, changes}) => share >= MIN_SHARE && changes >= MIN_CHANGES)
      .map((one): WorkFact => ({code: 'busiest', ...one})),
    ...absentNames(documents.absent),
  ];
}

function equalRuns(collections: ProgramWork['collections']): WorkFact[] {
  return collections
    .flatMap(({name, runs, equal, share, last}): WorkFact[] =>
      last !== undefined && equal >= MIN_EQUAL_RUNS && share >= MIN_EQUAL_SHARE
        ? [{code: 'equal-runs', collection: name, runs, equal, last}]
        : [],
    )
    .slice(0, MAX_OF_CODE);
}

function repeatedRuns(collections: ProgramWork['collections']): WorkFact[] {
  return collections
    .filter(({repeated}) => repeated >= MIN_REPEATED_RUNS)
    .sort((a, b) => b.repeated - a.repeated)
    .slice(0, MAX_OF_CODE)
    .map(({name, repeated, runs, repeatedAfter}) => ({
      code: 'repeated-runs',
      collection: name,
      repeated,
      runs,
      cause: repeatedAfter,
    }));
}

function scans(collections: ProgramWork['collections']): WorkFact[] {
  return collections
    .flatMap(({name, scans: own}) => own.map(scan => ({...scan, reader: name})))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MAX_OF_CODE)
    .map(({reader, collection, filter, fetches, rows}) => ({
      code: 'unindexed-fetch',
      collection: reader,
      read: collection,
      filter,
      fetches,
      rows,
    }));
}

function comingAndGoing(flapping: ProgramWork['documents']['flapping']): WorkFact[] {
  const byCollection = new Map<string, {keys: string[]; times: number}>();
  for (const {collection, key, times} of flapping) {
    const known = byCollection.get(collection) ?? {keys: [], times: 0};
    byCollection.set(collection, {keys: [...known.keys, key], times: known.times + times});
  }
  return [...byCollection].map(([collection, one]) => ({code: 'comes-and-goes', collection, ...one}));
}

function absentNames(absent: ProgramWork['documents']['absent']): WorkFact[] {
  if (absent.length === 0) return [];
  return [{code: 'absent-names', collection: '', names: absent.map(({name}) => name).sort()}];
}
