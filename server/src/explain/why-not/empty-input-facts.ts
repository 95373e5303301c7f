// The facts that decide why an input has no output: what its run read and found.
import type {RerunReader} from '../evidence/field-reads.ts';
import type {ObjectReads} from '../evidence/read-tracker.ts';
import type {CollectionFacts, RecordedFetch, RecordedRun, Records} from '../records.ts';
import {findLikelyFields, type LikelyField} from './likely-field.ts';
import {findNearestMatch, isTypoClause, type NearestMatch} from './nearest-match.ts';

export interface EmptyInputFacts {
  readonly question: 'why-empty';
  readonly records: Records;
  readonly collection: string;
  readonly input: string;
  readonly facts: CollectionFacts;
  readonly run: RecordedRun | undefined;
  readonly at: number | undefined;
  readonly likelyFields: readonly LikelyField[];
  /** Paths that the run read, by object. */
  readonly reads: readonly ObjectReads[];
  /** The first fetch without a result, and the object that came nearest to it. */
  readonly missed: RecordedFetch | undefined;
  readonly nearest: NearestMatch | undefined;
}

export function findEmptyInputFacts(
  reader: RerunReader,
  facts: CollectionFacts,
  input: string,
  at: number | undefined,
): EmptyInputFacts {
  const {records} = reader;
  const collection = facts.name;
  const run = records.lastRun(collection, input, at);
  const isEmptyRun = run?.outcome === 'empty' || run?.outcome === 'deleted';
  const missed = isEmptyRun ? run.fetches.find(fetch => fetch.matched === 0) : undefined;
  return {
    question: 'why-empty',
    records,
    collection,
    input,
    facts,
    run,
    at,
    likelyFields: findLikelyFields(records, reader, run, at),
    reads: run ? reader.rerun(run).reads : [],
    missed,
    nearest: missed && findNearestMatch(reader, {run, at}, missed, isTypoClause),
  };
}
